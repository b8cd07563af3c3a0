/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.EarlyEviction;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an eviction before the capacity is reached costs where few entries are in many slots. */
class EarlyEvictionTest extends ResizedCache {
  private static final long HI = 7;
  private static final int SLOTS = 1 << 16;
  private static final int ENTRIES = 128;
  private static final EntryType<Object> TYPE = EntryType.of("early");

  EarlyEvictionTest() {
    super(AutomaticCaches.open(1 << 20, TYPE, HeapSlotStore::new));
  }

  @ParameterizedTest
  @CsvSource({"NON_STRICT, 0", "STRICT, 0", "NON_STRICT, 1", "STRICT, 1"})
  void whileMostIsPinnedFewCallsSearchTheWholeTable(CapacityMode mode, int unpinned) {
    cache.close();
    AtomicLong steps = new AtomicLong();
    cache =
        new HyperClockCache<>(
            AutomaticCaches.config(64 << 20, TYPE, Runnable::run),
            slots ->
                new CountingSlotStore(slots, slots == SLOTS ? steps::incrementAndGet : () -> {}));
    cache.setCapacityMode(mode);
    assertThat(resizing().start(resizing().newest(), SLOTS)).isTrue();
    assertThat(resizing().finish()).isTrue();
    List<Handle<Object>> pins = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      pins.add(cache.insertPinned(HI, i, "x", TYPE, 1024, Priority.LOW));
    }
    EarlyEviction evictions = cache;
    evictions.evictSome(1024);
    long before = steps.get();
    for (int i = 0; i < 10; i++) {
      for (int k = 0; k < unpinned; k++) {
        cache.insert(HI + 1, i, "x", 1024);
      }
      evictions.evictSome(2048);
    }
    assertThat(cache.monitor().occupancy()).isBetween((long) ENTRIES, ENTRIES + 10L * unpinned);
    assertThat(steps.get() - before).as("looks").isLessThan(10 * 2 * SLOTS);
    pins.forEach(Handle::close);
    for (int i = 0; cache.monitor().occupancy() > 0; i++) {
      assertThat(i).as("calls").isLessThan(10 * ENTRIES);
      evictions.evictSome(1024);
    }
  }
}
