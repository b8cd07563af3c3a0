/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierStats;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TierCountersTest {
  private static final EntryRole FIRST = EntryRole.DATA_BLOCK;
  private static final EntryRole SECOND = EntryRole.INDEX_BLOCK;

  private final TierCounters counters = new TierCounters();

  @Test
  void nothingIsTheBeginning() {
    assertThat(counters.toStats(1, 2, 3))
        .isEqualTo(new TierStats(1, 2, 3, 0, 0, 0, Map.of(), Map.of()));
  }

  @Test
  void eachEventCountsOnceForItsRole() {
    assertThat(counters.inserted(FIRST, true)).isTrue();
    assertThat(counters.inserted(FIRST, true)).isTrue();
    assertThat(counters.inserted(SECOND, false)).isFalse();
    counters.lookedUp(FIRST, TierOutcome.HIT);
    counters.lookedUp(FIRST, TierOutcome.CORRUPT);
    counters.lookedUp(SECOND, TierOutcome.CORRUPT);
    counters.lookedUp(SECOND, TierOutcome.ABSENT);
    counters.dropped(7);
    TierStats stats = counters.toStats(1, 2, 3);
    assertThat(stats.accepted()).isEqualTo(2);
    assertThat(stats.declined()).isEqualTo(1);
    assertThat(stats.dropped()).isEqualTo(7);
    assertThat(stats.lookups())
        .containsOnly(
            entry(TierOutcome.HIT, 1L),
            entry(TierOutcome.CORRUPT, 2L),
            entry(TierOutcome.ABSENT, 1L));
    assertThat(stats.roles())
        .containsOnly(
            entry(FIRST, new TierStats.Role(2, 0, 1, 1)),
            entry(SECOND, new TierStats.Role(0, 1, 0, 2)));
    assertThat(counters.toStats(1, 2, 3, 9).dropped()).as("from elsewhere").isEqualTo(9);
  }

  /** A role of which there is but one event is told of, whichever that is. */
  @Test
  void oneEventOfARoleIsEnough() {
    counters.inserted(EntryRole.DATA_BLOCK, true);
    counters.inserted(EntryRole.INDEX_BLOCK, false);
    counters.lookedUp(EntryRole.FILTER_BLOCK, TierOutcome.HIT);
    counters.lookedUp(EntryRole.MISC, TierOutcome.ABSENT);
    assertThat(counters.toStats(0, 0, 0).roles())
        .containsOnly(
            entry(EntryRole.DATA_BLOCK, new TierStats.Role(1, 0, 0, 0)),
            entry(EntryRole.INDEX_BLOCK, new TierStats.Role(0, 1, 0, 0)),
            entry(EntryRole.FILTER_BLOCK, new TierStats.Role(0, 0, 1, 0)),
            entry(EntryRole.MISC, new TierStats.Role(0, 0, 0, 1)));
  }
}
