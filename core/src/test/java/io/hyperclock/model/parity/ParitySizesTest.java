/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.SlotStorage;
import io.hyperclock.internal.hash.BijectiveHash;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes and hashes of parity mode against the restatement, on random settings and keys. */
class ParitySizesTest {
  @ParameterizedTest
  @CsvSource({"1, 2000", "2, 100000", "3, 5000000", "4, 300000000"})
  void tablesAreAsLargeAsRocksDbs(long seed, long maxCapacity) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60; i++) {
      long capacity = random.nextLong(maxCapacity / 4, maxCapacity);
      long estimate = random.nextLong(capacity / 5000 + 1, capacity);
      int shards = capacity < 100_000 ? 1 : 1 << random.nextInt(5) >>> random.nextInt(3);
      ParityOracle oracle = new ParityOracle(capacity, estimate, shards, 0);
      try (RealParityCache cache =
          new RealParityCache(capacity, estimate, shards, 0, SlotStorage.HEAP)) {
        String what = "capacity=" + capacity + ", estimate=" + estimate + ", shards=" + shards;
        assertThat(cache.slots()).as("slots: %s", what).isEqualTo(oracle.slots());
        assertThat(cache.usageBytes()).as("usage: %s", what).isEqualTo(oracle.usageBytes());
      }
    }
  }

  @Test
  void hashIsRocksDbs() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      long hi = random.nextLong() >>> random.nextInt(64);
      long lo = random.nextLong() << random.nextInt(64);
      long seed = random.nextInt() & 0x7fffffffL;
      assertThat(
              new ParityHash(BijectiveHash.word0(hi, lo, seed), BijectiveHash.word1(hi, lo, seed)))
          .isEqualTo(ParityHash.of(hi, lo, seed));
    }
  }
}
