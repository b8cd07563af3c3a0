/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What tables take of the capacity before they are there, and after they were left. */
class TablesOfCapacityTest extends ResizedCache {
  private static final long HI = 5;
  private static final long CAPACITY = 1_000_000;
  private static final EntryType<Object> TYPE = EntryType.of("table");

  TablesOfCapacityTest() {
    super(AutomaticCaches.open(CAPACITY, TYPE, HeapSlotStore::new));
  }

  private void resize(int slots) {
    assertThat(resizing().start(resizing().newest(), slots)).isTrue();
    assertThat(resizing().finish()).isTrue();
  }

  /** What adds nothing does its share too. */
  enum Write {
    INSERT,
    PUT_IN_PLACE,
    ERASE;

    void write(HyperClockCache<Object> cache, long lo) {
      if (this == INSERT) {
        cache.insert(HI, lo, "x", 1);
      } else if (this == PUT_IN_PLACE) {
        assertThat(cache.put(HI, 0, "x", 1)).isEqualTo(InsertResult.REPLACED);
      } else {
        cache.erase(HI, lo);
      }
    }
  }

  private int writesUntilGivenUp(LongConsumer write) {
    int writes = 0;
    for (; resizing().held.slots() != 0 && writes < 100_000; writes++) {
      write.accept(1000 + writes);
    }
    return writes;
  }

  @ParameterizedTest
  @EnumSource
  void anOldTableIsGivenUpSoon(Write write) {
    cache.insert(HI, 0, "x", 1);
    for (int slots : new int[] {64, 512, 2048}) {
      resize(slots);
      try (Handle<Object> handle = cache.lookup(HI, 0)) {
        assertThat(handle).isNotNull();
        resize(2048 + 8);
      }
      assertThat(resizing().held.slots()).isEqualTo(slots);
      int writes = writesUntilGivenUp(lo -> write.write(cache, lo));
      // The newest table has so many slots that one insert in 16 looks, by chance.
      assertThat(writes).isLessThanOrEqualTo((write == Write.INSERT ? 3 : 1) * (64 + slots / 16));
    }
  }

  /** Each write that waits for a table would search the old ones. */
  @Test
  void whileATableIsMadeTheOldOnesAreSearchedNowAndThenOnly() {
    cache.close();
    AtomicLong steps = new AtomicLong();
    Queue<Runnable> tasks = new ArrayDeque<>();
    cache =
        new HyperClockCache<>(
            AutomaticCaches.config(128 << 20, TYPE, tasks::add),
            slots ->
                new CountingSlotStore(slots, slots == 4096 ? steps::incrementAndGet : () -> {}));
    resize(4096);
    Handle<Object> handle = cache.insertPinned(HI, 0, "x", TYPE, 1024, Priority.LOW);
    resize(1024);
    long lo = 1;
    for (; tasks.isEmpty(); lo++) {
      cache.insert(HI, lo, "x", 1024);
    }
    assertThat(resizing().held.slots()).isGreaterThan(4096);
    long before = steps.get();
    int writes = 1_000;
    for (long end = lo + writes; lo < end; lo++) {
      cache.insert(HI, lo, "x", 1024);
    }
    assertThat(tasks).hasSize(1);
    assertThat(steps.get() - before).isLessThan(2 * 16 * writes + 2 * 4096);
    handle.close();
  }

  /** Else each insert would be dropped until the last part is charged. */
  @Test
  void whereSlotsExceedTheCapacityASmallerTableComesAtOnce() {
    resize(8192);
    cache.insert(HI, 0, "x", 1);
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> cache.setCapacityBytes(100_000));
    assertThat(resizing().newest().store.slots()).isEqualTo(8192);
    int dropped = 0;
    for (long lo = 1; cache.insert(HI, lo, "x", 1) != InsertResult.INSERTED && lo < 10_000; lo++) {
      dropped++;
    }
    assertThat(dropped).isLessThan(32);
  }

  /** The move has begun: what comes for other reasons must not begin another one. */
  @Test
  void anErrorBehindTheFirstStepLeavesAMoveUnderWay() {
    CacheParts parts =
        new CacheParts(AutomaticCaches.config(CAPACITY, TYPE, Runnable::run), HeapSlotStore::new);
    CapacityLedger ledger = parts.sizing.ledger(CAPACITY, CapacityMode.NON_STRICT);
    AtomicBoolean fails = new AtomicBoolean(true);
    Runnable readsFollow =
        () -> {
          if (fails.getAndSet(false)) {
            throw new OutOfMemoryError("planned");
          }
        };
    Resizing resizing = new Resizing(parts, ledger, readsFollow);
    Shard first = resizing.newest();
    assertThatThrownBy(() -> resizing.start(first, 128)).isInstanceOf(OutOfMemoryError.class);
    Shard second = resizing.newest();
    assertThat(second.before()).isSameAs(first);
    assertThat(resizing.start(second, 256)).isFalse();
    assertThat(resizing.finish()).isTrue();
    assertThat(ledger.metadataBytes()).isEqualTo(second.sizing.metadataBytes());
    assertThat(resizing.start(second, 256)).isTrue();
  }

  /** A cache that has ordered a table of four times as many slots, which nobody makes. */
  private void orderLargeTable() {
    cache.close();
    Queue<Runnable> tasks = new ArrayDeque<>();
    cache =
        new HyperClockCache<>(
            AutomaticCaches.config(64 << 20, TYPE, tasks::add), HeapSlotStore::new);
    for (long lo = 0; resizing().charge.slots < 250_000; lo++) {
      cache.insert(HI, lo, "x", 256);
      if (resizing().charge.slots < 250_000 && !tasks.isEmpty()) {
        tasks.remove().run();
      }
    }
  }

  @Test
  void aWriteThatHasChosenASizeBeforeTheCapacityIsSmallerChargesNothing() {
    orderLargeTable();
    int era = resizing().charge.era();
    int wanted = resizing().charge.slots;
    cache.setCapacityBytes(28 << 20);
    resizing().proceed(resizing().newest(), wanted, 256, era);
    assertThat(resizing().charge.slots).isZero();
    assertThat(cache.shards.at(0).ledger.metadataBytes())
        .isEqualTo(resizing().newest().sizing.metadataBytes());
    assertThat(cache.monitor().occupancy()).isGreaterThan(40_000);
  }
}
