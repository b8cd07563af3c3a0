/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who knows a table only that was left makes room where the entries are by now. */
class LeftShardTest extends ResizedCache {
  private static final long HI = 3;
  private static final long LO = 7;
  private static final long CHARGE = 100_000;
  private static final long CAPACITY = 100 * CHARGE;
  private static final EntryType<Object> TYPE = EntryType.of("left");

  private final AtomicBoolean moves = new AtomicBoolean();
  private final AtomicBoolean moved = new AtomicBoolean();

  LeftShardTest() {
    super(AutomaticCaches.open(CAPACITY, TYPE, HeapSlotStore::new));
  }

  private void moveAll() {
    assertThat(moveTo(2 * resizing().newest().store.slots())).isTrue();
  }

  private void fill() {
    for (int i = 0; i < 300; i++) {
      cache.insert(HI, 1000 + i, "filler " + i, CHARGE);
    }
    assertThat(cache.monitor().usageBytes()).isGreaterThan(CAPACITY - CHARGE);
  }

  @ParameterizedTest
  @EnumSource
  void aHandleEvictsForALargerCharge(CapacityMode mode) {
    cache.setCapacityMode(mode);
    cache.insert(HI, LO, "held", CHARGE);
    try (Handle<Object> handle = cache.lookup(HI, LO)) {
      moveAll();
      fill();
      assertThat(handle.adjustCharge(20 * CHARGE)).isTrue();
      assertThat(handle.chargeBytes()).isEqualTo(20 * CHARGE);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(CAPACITY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWriterThatKnowsTheOldTableEvicts(CapacityMode mode) {
    cache.setCapacityMode(mode);
    Shard left = resizing().newest();
    moveAll();
    fill();
    long cold = ChargeWord.of(0, CHARGE);
    for (long lo = LO; lo < LO + 5; lo++) {
      long hash = left.table.buckets().hash(HI, lo);
      if (lo == LO) {
        assertThat(left.insert(HI, lo, hash, "new", cold, Priority.LOW))
            .isEqualTo(InsertResult.INSERTED);
      } else if (lo == LO + 1) {
        assertThat(left.put(HI, lo, hash, "new", cold, Priority.LOW, true, null, true))
            .isEqualTo(InsertResult.INSERTED);
      } else {
        try (Handle<Object> pinned =
            lo == LO + 2
                ? PinnedWrites.insert(left, HI, lo, hash, "new", cold, Priority.LOW)
                : lo == LO + 3
                    ? PinnedWrites.createStandalone(left, HI, lo, "new", cold, false)
                    : PinnedWrites.put(left, HI, lo, hash, "new", cold, Priority.LOW, true)) {
          assertThat(pinned).isNotNull();
          assertThat(pinned.isStandalone()).isEqualTo(lo == LO + 3);
        }
      }
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(CAPACITY);
      assertThat(cache.peek(HI, lo)).isEqualTo(lo == LO + 3 ? null : "new");
    }
  }

  /**
   * A thread that is held up for long comes to the newest table without a call for each between.
   */
  @Test
  void aWriterThatIsManyTablesBehindWrites() throws Exception {
    Shard left = resizing().newest();
    for (int i = 0; i < 10_000; i++) {
      assertThat(resizing().start(resizing().newest(), i % 2 == 0 ? 128 : 64)).isTrue();
      assertThat(resizing().finish()).isTrue();
    }
    long cold = ChargeWord.of(0, CHARGE);
    long hash = left.table.buckets().hash(HI, LO);
    FutureTask<InsertResult> put =
        new FutureTask<>(() -> left.put(HI, LO, hash, "new", cold, Priority.LOW, true, null, true));
    new Thread(null, put, "little stack", 256 << 10).start();
    assertThat(put.get()).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.peek(HI, LO)).isEqualTo("new");
  }

  @ParameterizedTest
  @EnumSource
  void aSmallerCapacityIsReachedAlthoughEntriesMoveMeanwhile(CapacityMode mode) {
    openWithMoves(mode);
    fill();
    moves.set(true);
    cache.setCapacityBytes(CAPACITY / 4);
    assertThat(moved).isTrue();
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(CAPACITY / 4);
  }

  /** Strict capacity refuses a charge only if what could be evicted is in no table. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandleIsGivenRoomAlthoughEntriesMoveMeanwhile(boolean standalone) {
    openWithMoves(CapacityMode.STRICT);
    try (Handle<Object> handle =
        standalone
            ? cache.createStandalone(HI, LO, "held", TYPE, CHARGE, false)
            : cache.insertPinned(HI, LO, "held", TYPE, CHARGE, Priority.LOW)) {
      fill();
      moves.set(true);
      assertThat(handle.adjustCharge(20 * CHARGE)).isTrue();
      assertThat(moved).isTrue();
      assertThat(handle.chargeBytes()).isEqualTo(20 * CHARGE);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(CAPACITY);
    }
  }

  /** A cache whose entries all move to another table while the next of them is evicted. */
  private void openWithMoves(CapacityMode mode) {
    EntryType<Object> moving =
        EntryType.named("moving")
            .disposer(
                (hi, lo, value) -> {
                  if (moves.getAndSet(false)) {
                    // By another thread: this one is evicting, and moves nothing.
                    CompletableFuture.runAsync(() -> moved.set(moveTo(512))).join();
                  }
                })
            .build();
    cache = AutomaticCaches.open(CAPACITY, moving, HeapSlotStore::new);
    cache.setCapacityMode(mode);
  }

  private boolean moveTo(int slots) {
    Resizing resizing = resizing();
    return resizing.start(resizing.newest(), slots) && resizing.finish();
  }
}
