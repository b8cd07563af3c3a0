/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.CapacityMode;
import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations by one thread on a cache with room for everything, side by side with a map:
 * every answer, usage and occupancy after every step, and at last who hears of the evictions when
 * the capacity shrinks.
 */
class SequentialOracleTest {
  private static final int OPERATIONS = 30_000;
  private static final int SEEDS = Integer.getInteger("hyperclock.oracle.seeds", 3);

  @ParameterizedTest(name = "{0} {1} metadata={2} {3} shards, {4} keys")
  @CsvSource({
    "HEAP, STRICT, FULL, 1, 12",
    "HEAP, NON_STRICT, NONE, 3, 12",
    "OFF_HEAP, STRICT, NONE, 3, 500",
    "OFF_HEAP, NON_STRICT, FULL, 1, 500",
    "HEAP, NON_STRICT, FULL, 7, 5000",
    "OFF_HEAP, STRICT, FULL, 7, 5000"
  })
  void agreesWithAMap(
      SlotStorage storage, CapacityMode mode, MetadataCharge metadata, int shards, int keys) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      SequentialOracleRun run =
          new SequentialOracleRun(storage, mode, metadata, shards, keys, seed);
      for (int i = 0; i < OPERATIONS; i++) {
        run.step("seed=" + seed + ", step=" + i);
      }
      run.shrink("seed=" + seed + ", shrunk");
      run.close();
    }
  }
}
