/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.HeapSlotStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries are moved to the buckets of their keys; a mover that errs may go on for ever. */
final class MovedEntriesTest {
  private static final EntryType<Object> TYPE = EntryType.of("moved");
  private static final long HI = 11;
  private static final int KEYS = 40;

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void areFoundInEachTable() {
    HyperClockCache<Object> cache = AutomaticCaches.open(1_000_000, TYPE, HeapSlotStore::new);
    Resizing resizing = cache.shards.resizing(0);
    assertThat(resizing.start(resizing.newest(), 64)).isTrue();
    assertThat(resizing.finish()).isTrue();
    for (long lo = 0; lo < KEYS; lo++) {
      cache.insert(HI, lo, "value " + lo, TYPE, 100, Priority.LOW);
    }
    for (int slots : new int[] {128, 512, 64, 256}) {
      int found = 0;
      for (long lo = 0; lo < KEYS; lo++) {
        found += cache.peek(HI, lo) == null ? 0 : 1;
      }
      assertThat(found).isGreaterThan(KEYS - 5);
      assertThat(resizing.start(resizing.newest(), slots)).isTrue();
      assertThat(resizing.finish()).isTrue();
      int left = 0;
      for (long lo = 0; lo < KEYS; lo++) {
        left += cache.peek(HI, lo) == null ? 0 : 1;
      }
      assertThat(left).as("%s slots", slots).isBetween(found - 3, found);
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
    }
    cache.close();
  }
}
