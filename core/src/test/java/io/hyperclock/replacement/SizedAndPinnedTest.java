/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of very different charge, and entries that cannot leave. */
class SizedAndPinnedTest {
  private static final EntryType<Integer> TYPE = EntryType.of("number");
  private static final int ENTRIES = 1000;
  private static final long BYTES = 100;

  private static BlockCache<Integer> cache() {
    return Replay.cache(ENTRIES, BYTES, ReplacementPolicy.ADAPTIVE);
  }

  private static void assertWhole(BlockCache<Integer> cache) {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(cache.monitor().capacityBytes());
  }

  /** Most charges near the estimate, some of 1 byte, few of half the capacity. */
  private static long charge(int key) {
    long mixed = Replay.mixed(key);
    if (mixed % 1000 == 0) {
      return ENTRIES * BYTES / 2;
    }
    return mixed % 10 == 1 ? 1 : 1 + mixed % (2 * BYTES);
  }

  private static double play(BlockCache<Integer> cache, int[] keys) {
    return Replay.play(cache, keys, SizedAndPinnedTest::charge);
  }

  @Test
  void sizesFromOneByteToHalfTheCapacity() {
    int[] keys = Workloads.zipf(1, 100_000, 10 * ENTRIES, 0.9);
    try (BlockCache<Integer> adaptive = cache();
        BlockCache<Integer> classic = Replay.cache(ENTRIES, BYTES, ReplacementPolicy.CLASSIC)) {
      double ratio = play(adaptive, keys);
      assertThat(ratio).isGreaterThanOrEqualTo(play(classic, keys) - 0.005);
      assertWhole(adaptive);
    }
  }

  @Test
  void oneEntryOfTheWholeCapacityReplacesAll() {
    try (BlockCache<Integer> cache = cache()) {
      Replay.play(cache, Workloads.scan(3 * ENTRIES, 0));
      assertThat(cache.insert(Replay.HI, 1_000_000, 1, ENTRIES * BYTES))
          .isEqualTo(InsertResult.INSERTED);
      assertThat(cache.monitor().occupancy()).isEqualTo(1);
      assertWhole(cache);
      Replay.play(cache, Workloads.scan(3 * ENTRIES, 0));
      assertThat(cache.monitor().occupancy()).isGreaterThan(100);
      assertWhole(cache);
    }
  }

  @Test
  void everythingPinnedIsRefusedAndComesBack() {
    try (BlockCache<Integer> cache = cache()) {
      List<Handle<Integer>> pins = new ArrayList<>();
      for (int key = 0; key < ENTRIES; key++) {
        pins.add(cache.insertPinned(Replay.HI, key, key, TYPE, BYTES, Priority.LOW));
      }
      for (int key = ENTRIES; key < ENTRIES + 50; key++) {
        assertThat(cache.insert(Replay.HI, key, key, BYTES)).isEqualTo(InsertResult.REFUSED);
      }
      assertThat(cache.monitor().occupancy()).isEqualTo(ENTRIES);
      pins.remove(7).close();
      assertThat(insertOneOf(cache, ENTRIES, ENTRIES + 20)).isTrue();
      assertThat(cache.get(Replay.HI, 7)).isNull();
      assertWhole(cache);
      pins.forEach(Handle::close);
      double ratio = play(cache, Workloads.zipf(2, 50_000, 10 * ENTRIES, 1.0));
      assertThat(ratio).isGreaterThanOrEqualTo(0.6);
      assertWhole(cache);
    }
  }

  /** Inserts the first of some keys that does not find both of its buckets full of held entries. */
  private static boolean insertOneOf(BlockCache<Integer> cache, int from, int to) {
    for (int key = from; key < to; key++) {
      if (cache.insert(Replay.HI, key, 1, BYTES) == InsertResult.INSERTED) {
        return true;
      }
    }
    return false;
  }

  /** Of pinned entries none may leave, of the others all must be able to. */
  @Test
  void halfPinnedLeavesTheOtherHalfToWorkWith() {
    try (BlockCache<Integer> cache = cache()) {
      List<Handle<Integer>> pins = new ArrayList<>();
      for (int key = 0; key < ENTRIES / 2; key++) {
        pins.add(cache.insertPinned(Replay.HI, key, key, TYPE, BYTES, Priority.LOW));
      }
      int[] loop = Workloads.shifted(Workloads.loop(50_000, ENTRIES), 10_000);
      long hits = 0;
      for (int key : loop) {
        hits += cache.get(Replay.HI, key) == null ? 0 : 1;
        cache.insert(Replay.HI, key, key, BYTES);
      }
      assertThat(hits / (double) loop.length).isGreaterThanOrEqualTo(0.35);
      pins.forEach(pin -> assertThat(cache.get(Replay.HI, pin.keyLo())).isNotNull());
      pins.forEach(Handle::close);
      assertWhole(cache);
    }
  }

  /** Hit ratio where the entries requested last are held, a share of the capacity. */
  private static double holding(int[] keys, double share, ReplacementPolicy policy) {
    try (BlockCache<Integer> cache = Replay.cache(ENTRIES, BYTES, policy)) {
      Deque<Handle<Integer>> held = new ArrayDeque<>();
      long hits = 0;
      for (int key : keys) {
        if (held.size() > share * ENTRIES) {
          held.remove().close();
        }
        Handle<Integer> handle = cache.lookup(Replay.HI, key);
        if (handle == null) {
          handle = cache.insertPinned(Replay.HI, key, key, TYPE, BYTES, Priority.LOW);
        } else {
          hits++;
        }
        held.add(Objects.requireNonNull(handle));
      }
      held.forEach(Handle::close);
      assertWhole(cache);
      return hits / (double) keys.length;
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.05, 0.25, 0.5})
  void whatIsHeldDoesNotCostTheLead(double share) {
    int[] zipf = Workloads.zipf(4, 60_000, 10 * ENTRIES, 0.9);
    int[] scanned = Workloads.mixed(5, 8, zipf, Workloads.scan(120_000, 10 * ENTRIES));
    for (int[] keys : new int[][] {zipf, scanned}) {
      assertThat(holding(keys, share, ReplacementPolicy.ADAPTIVE))
          .isGreaterThanOrEqualTo(holding(keys, share, ReplacementPolicy.CLASSIC) + 0.02);
    }
  }

  /** The smallest capacity leaves nothing behind, whatever class, flag or count an entry has. */
  @ParameterizedTest
  @EnumSource(Priority.class)
  void everyEntryCanBeEvicted(Priority priority) {
    try (BlockCache<Integer> cache = cache()) {
      for (int key : Workloads.zipf(3, 30_000, 5 * ENTRIES, 0.8)) {
        if (cache.get(Replay.HI, key) == null) {
          cache.insert(Replay.HI, key, key, TYPE, BYTES, priority);
        }
      }
      cache.setCapacityBytes(1);
      assertThat(cache.monitor().occupancy()).isZero();
      assertWhole(cache);
      cache.setCapacityBytes(ENTRIES * BYTES);
      assertThat(play(cache, Workloads.loop(50_000, ENTRIES / 2))).isGreaterThanOrEqualTo(0.9);
      assertWhole(cache);
    }
  }

  @Test
  void highPriorityOutlivesAScan() {
    try (BlockCache<Integer> cache = cache()) {
      for (int key = 0; key < ENTRIES / 2; key++) {
        cache.insert(Replay.HI, key, key, TYPE, BYTES, key % 2 == 0 ? Priority.HIGH : Priority.LOW);
      }
      for (int key = 20_000; key < 20_000 + 2 * ENTRIES; key++) {
        cache.insert(Replay.HI, key, key, BYTES);
      }
      int[] left = new int[2];
      for (int key = 0; key < ENTRIES / 2; key++) {
        left[key % 2] += cache.peek(Replay.HI, key) == null ? 0 : 1;
      }
      assertThat(left[0]).as("HIGH").isGreaterThanOrEqualTo(ENTRIES / 4 - 10);
      assertThat(left[1]).as("LOW").isLessThanOrEqualTo(left[0]);
    }
  }

  @Test
  void blocksOfADroppedFileLeaveAmongTheFirst() {
    try (BlockCache<Integer> cache = cache()) {
      FileKey file = cache.fileKeys().open("dropped");
      long dropped = file.hi();
      for (int round = 0; round < 4; round++) {
        for (int key = 0; key < ENTRIES / 4; key++) {
          if (cache.get(dropped, key) == null) {
            cache.insert(dropped, key, key, BYTES);
          }
        }
      }
      Replay.play(cache, Workloads.scan(ENTRIES, 0));
      cache.fileKeys().drop(file);
      for (int key = 50_000; key < 50_000 + 2 * ENTRIES; key++) {
        cache.insert(Replay.HI, key, key, BYTES);
      }
      long[] left = new long[1];
      cache
          .monitor()
          .forEachEntry((hi, lo, value, type, charge) -> left[0] += hi == dropped ? 1 : 0);
      assertThat(left[0]).isZero();
      assertWhole(cache);
    }
  }
}
