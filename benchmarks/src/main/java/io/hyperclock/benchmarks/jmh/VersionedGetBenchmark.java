/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.VersionedState;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads of committed values, all of them hits, with no key prepared and with every second one,
 * beside a plain cache. The plain cache is measured twice: how far its ratio is from one is the
 * noise.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class VersionedGetBenchmark {
  @Benchmark
  public @Nullable Object hyperclockNonePrepared(VersionedState state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object hyperclockHalfPrepared(VersionedState.Half state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object hyperclockPlainAgain(HyperClockState state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object plain(HyperClockState state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }
}
