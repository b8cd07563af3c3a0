/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BarTest {
  @ParameterizedTest
  @CsvSource({
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 1, GetBenchmark.caffeine, 1.8",
    "B1, GetBenchmark.hyperclock, 65536, UNIFORM, 2, GetBenchmark.caffeineNewKey, 1.4",
    "B1, GetBenchmark.hyperclockOffHeap, 1048576, ZIPF, 1, GetBenchmark.caffeine, 1.4",
    "B1, GetBenchmark.hyperclock, 10485760, ZIPF, 2, GetBenchmark.caffeine, 1.25",
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 2, GetBenchmark.concurrentHashMap, 1.0",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.caffeineCounted, 1.8",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.computeIfPresentCounted, 1.8",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.caffeine, 1.0",
    "B3, GetBenchmark.hyperclock, 65536, ONE_KEY, 2, GetBenchmark.caffeine, 1.0",
    "B3, PinBenchmark.hyperclock, 65536, ONE_KEY, 2, PinBenchmark.caffeine, 0.0",
    "B4, InsertBenchmark.hyperclock, 65536, , 1, InsertBenchmark.caffeine, 2.0"
  })
  void asksForARatio(
      Bar bar, String ours, String size, String keys, int threads, String rival, double atLeast) {
    TreeMap<String, String> params = new TreeMap<>(Map.of("size", size));
    if (keys != null) {
      params.put("distribution", keys);
    }
    Measurement.Id id = new Measurement.Id(ours, params, threads);
    assertThat(bar.claims(id)).contains(new Bar.Claim(id, rival, atLeast));
    assertThat(bar.claims(id.with(rival))).isEmpty();
  }
}
