/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import org.junit.jupiter.api.Test;

/** Which candidates are compared with an entry of main: each look beyond its own is for that. */
class ComparisonsTest {
  private static final int MANY_SLOTS = 2048;
  private static final int CANDIDATES = 64;

  private FewEntries entries = new FewEntries(MANY_SLOTS);

  /** Small enough that all are compared. */
  private void shrink() {
    entries = new FewEntries(MANY_SLOTS - 8);
  }

  private void noCandidateStays() {
    for (int difference = -3; difference <= 3; difference++) {
      for (int i = 0; i < 8; i++) {
        entries.learned.vote(difference, -1);
      }
    }
  }

  private void noKeyReturns() {
    for (int i = 0; i < 1000; i++) {
      entries.learned.came(false);
    }
  }

  /** Evicts one entry after the other; the looks at others than the one in turn. */
  private long looksAtMain(int frequency) {
    EvictionRequest request = new EvictionRequest(0);
    for (int slot = 0; slot < entries.store.slots(); slot++) {
      entries.fill(slot);
      if (slot < MANY_SLOTS / 2) {
        entries.promote(slot, null);
      }
    }
    entries.figures.capacity = 1;
    VictimSearch search = new VictimSearch(entries, request);
    long looks = 0;
    for (int i = 0; i < CANDIDATES; i++) {
      int slot = MANY_SLOTS / 2 + i;
      entries.slots.annotate(slot, entries.table.meta(slot), PolicyBits.of(frequency, 0));
      entries.enqueue(search.queue, slot);
      request.ask(0, 1, EvictionRequest.NO_EFFORT_CAP);
      long before = request.looks();
      search.run(entries.table);
      looks += request.looks() - before - 1;
    }
    assertThat(entries.table.evicted).hasSize(CANDIDATES);
    return looks;
  }

  @Test
  void eachIsComparedWhereSomeStay() {
    assertThat(looksAtMain(0)).isGreaterThan(CANDIDATES);
  }

  @Test
  void fewAreComparedWhereNoneStays() {
    noCandidateStays();
    assertThat(looksAtMain(0)).isBetween(1L, 8L);
  }

  /** None stays, however often it was used before. */
  @Test
  void fewOfThoseUsedBeforeAreComparedWhereNoneStays() {
    noCandidateStays();
    assertThat(looksAtMain(3)).isBetween(1L, 8L);
  }

  @Test
  void fewNewOnesAreComparedWhereKeysDoNotReturn() {
    noKeyReturns();
    assertThat(looksAtMain(AdaptiveEntries.FIRST)).isBetween(1L, 8L);
  }

  @Test
  void thoseUsedBeforeAreComparedThoughKeysDoNotReturn() {
    noKeyReturns();
    assertThat(looksAtMain(AdaptiveEntries.FIRST + 1)).isGreaterThan(CANDIDATES);
  }

  @Test
  void eachIsComparedInASmallTable() {
    shrink();
    noKeyReturns();
    noCandidateStays();
    assertThat(looksAtMain(0)).isGreaterThan(CANDIDATES);
  }
}
