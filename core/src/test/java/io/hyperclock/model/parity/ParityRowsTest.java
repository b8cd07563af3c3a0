/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.SlotStorage;
import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RocksDB's own figures for its benchmark with one thread, digit for digit. */
class ParityRowsTest {
  private static final int OPERATIONS = 200_000;
  private static final long MIB = 1L << 20;

  @ParameterizedTest
  @DisplayName("the oracle agrees with RocksDB")
  @CsvSource({
    "42,   64, 0, 8064,   0.687245, 8032,   16384",
    "1,    64, 0, 8064,   0.686665, 8036,   16384",
    "42,   64, 1, 8064,   0.685911, 8026,   16384",
    "42, 1024, 0, 128919, 0.67111,  128496, 262144"
  })
  void oracle(
      long seed, int mib, int shards, long population, String ratio, long occupied, long slots) {
    BenchWorkload.Options options = BenchWorkload.Options.of(mib * MIB, seed);
    check(
        new ParityOracle(options.cacheSize(), options.valueBytes(), shards, options.hashSeed()),
        options,
        population,
        ratio,
        occupied,
        slots);
  }

  @ParameterizedTest
  @DisplayName("the cache agrees with RocksDB")
  @CsvSource({
    "HEAP,     42,   64, 0, 8064,   0.687245, 8032,   16384",
    "HEAP,      1,   64, 0, 8064,   0.686665, 8036,   16384",
    "HEAP,     42,   64, 1, 8064,   0.685911, 8026,   16384",
    "HEAP,     42, 1024, 0, 128919, 0.67111,  128496, 262144",
    "OFF_HEAP, 42,   64, 0, 8064,   0.687245, 8032,   16384"
  })
  void cache(
      SlotStorage storage,
      long seed,
      int mib,
      int shards,
      long population,
      String ratio,
      long occupied,
      long slots) {
    BenchWorkload.Options options = BenchWorkload.Options.of(mib * MIB, seed);
    try (RealParityCache cache =
        new RealParityCache(
            options.cacheSize(), options.valueBytes(), shards, options.hashSeed(), storage)) {
      check(cache, options, population, ratio, occupied, slots);
    }
  }

  private static void check(
      ParityCache cache,
      BenchWorkload.Options options,
      long population,
      String ratio,
      long occupied,
      long slots) {
    BenchWorkload workload = new BenchWorkload(cache, options);
    assertThat(workload.populate()).as("population").isEqualTo(population);
    workload.run(OPERATIONS);
    assertThat(sixDigits(workload.hitRatio())).as("hit ratio").isEqualTo(ratio);
    workload.releaseAll();
    assertThat(cache.occupancy()).as("occupancy").isEqualTo(occupied);
    assertThat(cache.slots()).as("slots").isEqualTo(slots);
    assertThat(cache.pinnedUsageBytes()).as("pinnedUsageBytes").isZero();
  }

  private static String sixDigits(double value) {
    return new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }
}
