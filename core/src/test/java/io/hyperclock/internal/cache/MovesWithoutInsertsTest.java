/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheWrites;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.table.Migration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A move comes to its end although nobody inserts. */
class MovesWithoutInsertsTest extends ResizedCache {
  private static final long HI = 5;
  private static final int SLOTS = 2048;
  private static final int KEYS = 1000;
  private static final int BLOCKS = SLOTS / Migration.BLOCK;
  private static final EntryType<Object> TYPE = EntryType.of("moved");

  MovesWithoutInsertsTest() {
    super(AutomaticCaches.open(1_000_000, TYPE, HeapSlotStore::new));
  }

  @BeforeEach
  void begin() {
    assertThat(resizing().start(resizing().newest(), SLOTS)).isTrue();
    assertThat(resizing().finish()).isTrue();
    for (long lo = 0; lo < KEYS; lo++) {
      assertThat(cache.insert(HI, lo, "old", 100)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(resizing().start(resizing().newest(), 2 * SLOTS)).isTrue();
  }

  private boolean isMoving() {
    return resizing().newest().before() != null;
  }

  /** How often a step is done until all entries have moved; each moves some, but not all. */
  private void endsBy(LongPredicate step) {
    int steps = 0;
    while (isMoving() && steps < 2 * BLOCKS) {
      assertThat(step.test(steps++)).isTrue();
    }
    assertThat(isMoving()).isFalse();
    assertThat(steps).isBetween(BLOCKS / 2, BLOCKS + 1);
    assertThat(resizing().held.slots()).isZero();
  }

  @Test
  void byOverwritesInPlace() {
    endsBy(lo -> cache.put(HI, lo, "new", 100) == InsertResult.REPLACED);
    assertThat(cache.monitor().occupancy()).isEqualTo(KEYS);
  }

  @Test
  void byErases() {
    endsBy(lo -> cache.erase(HI, lo));
  }

  @Test
  void byErasesOfAValue() {
    endsBy(lo -> cache.erase(HI, lo, "old"));
  }

  @Test
  void byErasesOfNothing() {
    endsBy(lo -> !cache.erase(HI, KEYS + lo));
  }

  /** Each look moves a part: it must not take long. */
  @Test
  void byLooksAtTheFigures() {
    int looks = 0;
    while (isMoving() && looks < 100) {
      cache.monitor().stats();
      looks++;
    }
    assertThat(looks).isBetween(8, 17);
    assertThat(cache.monitor().stats().movedEntries()).isGreaterThanOrEqualTo(KEYS);
  }

  /** Values freed explicitly are not overwritten in place: one write moves its share once. */
  @Test
  void byOverwritesThatAreNotInPlace() {
    EntryType<Object> freed =
        EntryType.<Object>named("freed").disposer((hi, lo, value) -> {}).build();
    endsBy(lo -> cache.put(HI, lo, "new", freed, 100, Priority.LOW) == InsertResult.REPLACED);
  }

  /** A read runs no user code, which an eviction for a moved entry would. */
  @Test
  void readsMoveNothing() {
    long moved = resizing().newest().migration.moved();
    for (long lo = 0; lo < 2 * KEYS; lo++) {
      assertThat(cache.get(HI, lo)).isEqualTo(lo < KEYS ? "old" : null);
    }
    assertThat(resizing().newest().migration.moved()).isEqualTo(moved);
  }

  /** Calls that EvictionListener and Disposer name: they move entries, so they run callbacks. */
  enum Mover {
    VISIT(cache -> cache.monitor().forEachEntry((hi, lo, value, type, charge) -> {})),
    VISIT_OF_THE_HOTTEST(
        cache -> cache.monitor().forEachHottest(1, (hi, lo, value, type, charge) -> {})),
    ERASE_OF_WHAT_IS_NOT_PINNED(CacheWrites::eraseUnreferenced),
    CAPACITY(cache -> cache.setCapacityBytes(900_000));

    private final Consumer<BlockCache<Object>> call;

    Mover(Consumer<BlockCache<Object>> call) {
      this.call = call;
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsThatEndAMoveEvict(Mover mover) {
    List<Thread> freedBy = new ArrayList<>();
    EntryType<Object> freed =
        EntryType.<Object>named("freed")
            .disposer((hi, lo, value) -> freedBy.add(Thread.currentThread()))
            .build();
    FileKey file = cache.fileKeys().open("dropped");
    assertThat(resizing().finish()).isTrue();
    cache.insert(file.hi(), file.lo(0), "block", freed, 100, Priority.LOW);
    assertThat(resizing().start(resizing().newest(), SLOTS)).isTrue();
    cache.fileKeys().drop(file);

    mover.call.accept(cache);
    assertThat(freedBy).containsExactly(Thread.currentThread());
    assertThat(cache.monitor().stats().evictions()).isEqualTo(1);
  }
}
