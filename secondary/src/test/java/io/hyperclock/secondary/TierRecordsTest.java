/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.testing.TestValues;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TierRecordsTest {
  @Test
  void requestNeedsCodec() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierRequest.of(1, 2, TestValues.WITHOUT_CODEC))
        .withMessage("type must have a codec: type=without codec");
  }

  @Test
  void hitHasValueAndMissHasNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierResult.miss(TierOutcome.HIT))
        .withMessageContaining("outcome=HIT");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TierResult<>("value", 1, false, TierOutcome.ABSENT));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TierResult<String>(null, 1, false, TierOutcome.ABSENT));
    assertThatIllegalArgumentException().isThrownBy(() -> TierResult.hit("value", -1, false));
  }

  /** Where memory ends a lookup is ended all the same. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HIT")
  void aMissTakesNoMemory(TierOutcome reason) {
    TierResult<String> miss = TierResult.miss(reason);
    assertThat(miss).isEqualTo(new TierResult<>(null, 0, false, reason));
    assertThat(miss).isSameAs(TierResult.miss(reason));
  }

  @Test
  void onlyOpenStateHasNoReason() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TierState(TierState.Mode.READ_ONLY, ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TierState(TierState.Mode.OPEN, "disk full"));
  }

  @Test
  void statsCopyTheirCounts() {
    Map<TierOutcome, Long> lookups = new EnumMap<>(TierOutcome.class);
    lookups.put(TierOutcome.HIT, 3L);
    lookups.put(TierOutcome.BUSY, 2L);
    Map<EntryRole, TierStats.Role> roles = new EnumMap<>(EntryRole.class);
    TierStats.Role asked = new TierStats.Role(1, 2, 3, 2);
    roles.put(EntryRole.INDEX_BLOCK, asked);
    TierStats stats = new TierStats(0, 0, 0, 0, 0, 0, lookups, roles);
    lookups.clear();
    roles.clear();
    assertThat(stats.count(TierOutcome.HIT)).isEqualTo(3);
    assertThat(stats.count(TierOutcome.CORRUPT)).isZero();
    assertThat(stats.misses()).isEqualTo(2);
    assertThat(stats.role(EntryRole.INDEX_BLOCK)).isEqualTo(asked);
    assertThat(stats.role(EntryRole.MISC)).isEqualTo(TierStats.Role.NONE);
    assertThat(asked.plus(asked)).isEqualTo(new TierStats.Role(2, 4, 6, 4));
  }
}
