/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.InsertResult;
import io.hyperclock.benchmarks.caches.CacheState;
import io.hyperclock.benchmarks.jmh.EvictionBenchmark.HyperClockFull;
import io.hyperclock.benchmarks.jmh.EvictionBenchmark.NextKey;
import org.junit.jupiter.api.Test;

class EvictionBenchmarkTest {
  /** Caffeine's side puts, which overwrites what another thread has put before. */
  @Test
  void aThreadOverwritesWhatAnotherHasPut() {
    HyperClockFull full = new HyperClockFull();
    full.state = CacheState.FRESH;
    full.size = 64;
    full.fill();
    EvictionBenchmark benchmark = new EvictionBenchmark();

    assertThat(benchmark.hyperclock(full, new NextKey())).isEqualTo(InsertResult.INSERTED);
    assertThat(benchmark.hyperclock(full, new NextKey())).isEqualTo(InsertResult.REPLACED);
  }
}
