/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class TieredBenchTest {
  private static final int VALUE_BYTES = 1024;
  private static final int KEYS = 2000;

  @Command
  private static final class Workload {
    @Mixin private BenchOptions options;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pin-free", "pinned", "off-heap"})
  void readsComeBackFromTheTier(String cache) {
    Workload workload = new Workload();
    new CommandLine(workload)
        .parseArgs(
            "--seed=1",
            "--cache_size=1048576",
            "--value_bytes=" + VALUE_BYTES,
            "--secondary_cache=compressed:4194304",
            "--cache=" + cache);
    workload.options.check();
    try (BenchCache<?> bench = workload.options.cache.open(workload.options)) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> {
                readOrInsertAll(bench);
                return bench.below().tiers().get(0).hits() > 0;
              });
    }
  }

  private static <H> void readOrInsertAll(BenchCache<H> bench) {
    for (int key = 0; key < KEYS; key++) {
      H found = bench.lookup(key, -key);
      if (found == null) {
        bench.insert(key, -key, value(key), Origin.INSERT);
      } else {
        assertThat(bench.value(found)).isEqualTo(value(key));
        bench.release(found);
      }
    }
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    value[key % VALUE_BYTES] = (byte) (key / VALUE_BYTES + 1);
    return value;
  }
}
