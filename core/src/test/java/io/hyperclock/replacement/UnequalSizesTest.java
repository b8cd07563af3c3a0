/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.cache.InvariantsChecker;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Caches of few blocks, and blocks that differ in size: what comes and what leaves in its place are
 * not equally large, and still what is worth more stays.
 */
class UnequalSizesTest {
  private static final int ENTRIES = 250;
  private static final long MEAN = 1000;
  private static final EntryType<Integer> TYPE = EntryType.of("number");

  /** Three of four a quarter as large as the mean, the others thirteen times as large as those. */
  private static long smallAndLarge(int key) {
    return Replay.mixed(key) % 4 == 0 ? 13 * MEAN / 4 : MEAN / 4;
  }

  /** One of ten five times as large as the mean, the others a little more than half of it. */
  private static long fewLarge(int key) {
    return Replay.mixed(key) % 10 == 0 ? 5 * MEAN : 5 * MEAN / 9;
  }

  /** From half the mean to one and a half. */
  private static long near(int key) {
    return MEAN / 2 + Replay.mixed(key) % MEAN;
  }

  private static double hitRatio(
      int[] keys, int entries, IntToLongFunction charge, ReplacementPolicy policy) {
    try (BlockCache<Integer> cache = Replay.cache(entries, MEAN, policy)) {
      double ratio = Replay.play(cache, keys, charge);
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      return ratio;
    }
  }

  private static double adaptive(int[] keys, int entries, IntToLongFunction charge) {
    return hitRatio(keys, entries, charge, ReplacementPolicy.ADAPTIVE);
  }

  /** They hit nearly as often as blocks of one size, whatever is read once between them. */
  @Test
  void frequentBlocksStay() {
    int[] zipf = Workloads.zipf(1, 200_000, 10 * ENTRIES, 0.9);
    int[] scanned = Workloads.mixed(5, 8, zipf, Workloads.scan(200_000, 10 * ENTRIES));
    for (int[] keys : new int[][] {zipf, scanned}) {
      double equal = adaptive(keys, ENTRIES, key -> MEAN);
      assertThat(adaptive(keys, ENTRIES, UnequalSizesTest::near)).isGreaterThan(equal - 0.004);
      assertThat(adaptive(keys, ENTRIES, UnequalSizesTest::smallAndLarge))
          .isGreaterThan(equal - 0.006);
      assertThat(adaptive(keys, ENTRIES, UnequalSizesTest::fewLarge)).isGreaterThan(equal - 0.015);
    }
  }

  /** Half of a loop twice as long as the capacity could stay. */
  @Test
  void blocksOfALoopStay() {
    int[] loop = Workloads.loop(200 * ENTRIES, 2 * ENTRIES);
    assertThat(adaptive(loop, ENTRIES, UnequalSizesTest::near)).isGreaterThan(0.47);
    assertThat(adaptive(loop, ENTRIES, UnequalSizesTest::smallAndLarge)).isGreaterThan(0.47);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 16, 24, 32})
  void aFewBlocksAreChosenAsWell(int entries) {
    int[] loop = Workloads.loop(1000 * entries, 3 * entries / 2);
    assertThat(adaptive(loop, entries, key -> MEAN)).isGreaterThan(0.6);
    int[] zipf = Workloads.zipf(1, 50_000, 10 * entries, 0.9);
    assertThat(adaptive(zipf, entries, key -> MEAN))
        .isGreaterThan(hitRatio(zipf, entries, key -> MEAN, ReplacementPolicy.CLASSIC) + 0.12);
  }

  /** A scan of small and large blocks that would fill the capacity four times; most stay. */
  @ParameterizedTest
  @ValueSource(ints = {16, 32, ENTRIES})
  void blocksOfHighPriorityOutliveAScan(int entries) {
    try (BlockCache<Integer> cache = Replay.cache(entries, MEAN, ReplacementPolicy.ADAPTIVE)) {
      int kept = entries / 2;
      for (int key = 0; key < kept; key++) {
        cache.insert(Replay.HI, key, key, TYPE, MEAN, Priority.HIGH);
      }
      for (int key = kept; key < kept + 4 * entries; key++) {
        cache.insert(Replay.HI, key, key, TYPE, smallAndLarge(key), Priority.LOW);
      }
      int left = 0;
      for (int key = 0; key < kept; key++) {
        left += cache.get(Replay.HI, key) == null ? 0 : 1;
      }
      assertThat(left).isGreaterThanOrEqualTo(kept / 2);
    }
  }
}
