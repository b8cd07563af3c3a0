/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.table.Buckets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table that grew because two buckets are held does not become small again and again. */
class HeldBucketsTest extends ResizedCache {
  private static final long HI = 5;
  private static final long CAPACITY = 1_000_000;
  private static final long CHARGE = 40_000;
  private static final EntryType<Object> TYPE = EntryType.of("held");

  private final List<Handle<Object>> held = new ArrayList<>();
  private long next = 1_000_000;

  HeldBucketsTest() {
    super(AutomaticCaches.open(CAPACITY, TYPE, HeapSlotStore::new));
  }

  private int slots() {
    return resizing().newest().store.slots();
  }

  /** Holds all slots of the first two buckets; twenty places are left in the capacity. */
  private void hold() {
    Buckets buckets = resizing().newest().table.buckets();
    for (long lo = 0; held.size() < 16; lo++) {
      long hash = buckets.hash(HI, lo);
      if (buckets.first(hash) + buckets.second(hash) == 1) {
        held.add(cache.insertPinned(HI, lo, "held " + lo, TYPE, CHARGE, Priority.LOW));
      }
    }
  }

  /** Returns how often the size has changed meanwhile. */
  private long write(int count) {
    long before = cache.monitor().stats().resizes();
    for (int i = 0; i < count; i++) {
      cache.insert(HI, next++, "x", CHARGE);
    }
    return cache.monitor().stats().resizes() - before;
  }

  /** Each table that it leaves stays, held: so they took half of the capacity in the end. */
  @Test
  void restsWhileTheyAreHeld() {
    int least = slots();
    hold();
    assertThat(write(20_000)).isBetween(1L, 12L);
    assertThat(write(20_000)).isLessThanOrEqualTo(4);
    assertThat(cache.monitor().stats().heldTableBytes()).isLessThan(CAPACITY / 10);
    held.forEach(Handle::close);
    assertThat(write(40_000)).isLessThanOrEqualTo(2);
    assertThat(slots()).as("nothing is held any more").isEqualTo(least);
  }
}
