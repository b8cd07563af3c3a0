/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A table does not become so small that what is pinned has no place in it. */
class PinnedTableTest extends ResizedCache {
  private static final long HI = 5;
  private static final long CAPACITY = 8_000_000;
  private static final long LOW_CAPACITY = 200_000;
  private static final long CHARGE = 100;
  private static final int PINNED = 8_000;
  private static final EntryType<Object> TYPE = EntryType.of("pinned");

  private final List<Handle<Object>> pins = new ArrayList<>();
  private long next;

  PinnedTableTest() {
    super(
        new HyperClockCache<>(
            AutomaticCaches.config(CAPACITY, TYPE, Runnable::run), HeapSlotStore::new));
  }

  @AfterEach
  void release() {
    pins.forEach(Handle::close);
    pins.clear();
  }

  private int slots() {
    return resizing().newest().store.slots();
  }

  private InsertResult insert() {
    return cache.insert(HI, next++, "x", CHARGE);
  }

  private void insert(int count, long charge) {
    for (int i = 0; i < count; i++) {
      cache.insert(HI, next++, "x", charge);
    }
  }

  /** Fills the cache, then pins some of the entries. */
  private void fill(int entries, long charge, int pinned) {
    insert(entries, charge);
    assertThat(resizing().finish()).isTrue();
    for (long lo = 0; pins.size() < pinned; lo++) {
      Handle<Object> pin = cache.lookup(HI, lo);
      if (pin != null) {
        pins.add(pin);
      }
    }
  }

  private void fill(int pinned) {
    fill(60_000, CHARGE, pinned);
    assertThat(slots()).isGreaterThan(50_000);
  }

  /** In the small table they would leave no place for others for as long as they are pinned. */
  @Test
  void aCapacityThatWasLowForAWhileHasRoomBesideWhatIsPinned() {
    fill(PINNED);
    cache.setCapacityBytes(LOW_CAPACITY);
    assertThat(cache.monitor().occupancy()).as("all that is left").isEqualTo(PINNED);
    insert(1_000, CHARGE);
    cache.setCapacityBytes(CAPACITY);
    for (int i = 0; i < 10_000; i++) {
      assertThat(insert()).as("insert %s", i).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(resizing().newest().before()).as("no move that cannot end").isNull();
    assertThat(cache.monitor().stats().withoutSlot()).isZero();
  }

  /** The lower capacity has room for slots and entries only then. */
  @Test
  void aLowerCapacityGetsItsSmallTableSoonAfterPinsHaveEnded() {
    fill(PINNED);
    cache.setCapacityBytes(LOW_CAPACITY);
    insert(20_000, CHARGE);
    assertThat(slots()).isGreaterThan(50_000);
    release();
    int dropped = 0;
    while (insert() != InsertResult.INSERTED && dropped < 100_000) {
      dropped++;
    }
    assertThat(dropped).isLessThan(10_000);
    insert(10_000, CHARGE);
    assertThat(slots()).isLessThan(2_000);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(LOW_CAPACITY);
  }

  /** Entries become few because large ones come: nearly all that are left are pinned. */
  @Test
  void aTableWhoseEntriesAreNearlyAllPinnedStays() {
    long usual = CAPACITY / 800;
    fill(10_000, usual, 420);
    int large = slots();
    assertThat(large).isGreaterThan(1_000);
    long resizes = cache.monitor().stats().resizes();
    insert(2_000, 60 * usual);
    assertThat(cache.monitor().occupancy()).isLessThan(large * 38L / 100);
    assertThat(slots()).isEqualTo(large);
    assertThat(cache.monitor().stats().resizes()).isEqualTo(resizes);
    release();
    insert(2_000, 60 * usual);
    assertThat(slots()).isLessThan(large / 4);
    assertThat(cache.monitor().stats().heldTableBytes()).isZero();
  }

  /** What is pinned keeps no table from its size where the smaller one has places for it. */
  @Test
  void aFewPinsDoNotKeepATableLarge() {
    fill(PINNED / 20);
    int large = slots();
    cache.setCapacityBytes(LOW_CAPACITY);
    assertThat(slots()).isLessThan(large / 10);
    assertThat(resizing().newest().before()).isNull();
    assertThat(cache.monitor().occupancy()).isEqualTo(PINNED / 20);
  }
}
