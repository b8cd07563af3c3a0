/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.ScrambledKeys.CaffeineKeys;
import io.hyperclock.benchmarks.caches.ScrambledKeys.HyperClockKeys;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The set-up of Caffeine's benchmark of the same name: all threads read one key, or each goes
 * through scrambled Zipf keys.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Threads(Threads.MAX)
public class HotEntryBenchmark {
  private static final Integer HOT_KEY = 0;

  @Benchmark
  public @Nullable Object hyperclockHot(HyperClockKeys state) {
    return state.cache.get(KeyObject.file(HOT_KEY), KeyObject.offset(HOT_KEY));
  }

  @Benchmark
  public @Nullable Object hyperclockSpread(HyperClockKeys state, KeyCursor cursor) {
    int number = cursor.next(state.numbers);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object caffeineHot(CaffeineKeys state) {
    return state.cache.getIfPresent(HOT_KEY);
  }

  @Benchmark
  public @Nullable Object caffeineSpread(CaffeineKeys state, KeyCursor cursor) {
    return state.cache.getIfPresent(cursor.next(state.keys));
  }
}
