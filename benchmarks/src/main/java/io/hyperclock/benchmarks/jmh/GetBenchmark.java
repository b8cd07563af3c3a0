/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.caches.ObjectKeyState.Cache2kState;
import io.hyperclock.benchmarks.caches.ObjectKeyState.CaffeineState;
import io.hyperclock.benchmarks.caches.ObjectKeyState.MapState;
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
 * Reads that do not pin, all of them hits. What is measured ends at the reference: the value is not
 * touched, not even to check its class.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC", NativeAccess.OPTION})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GetBenchmark {
  @Benchmark
  public @Nullable Object hyperclock(HyperClockState state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object hyperclockOffHeap(HyperClockState.OffHeap state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object automatic(HyperClockState.Automatic state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object automaticOffHeap(
      HyperClockState.AutomaticOffHeap state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object caffeine(CaffeineState state, KeyCursor cursor) {
    return state.cache.getIfPresent(cursor.next(state.keys));
  }

  @Benchmark
  public @Nullable Object caffeineNewKey(CaffeineState state, KeyCursor cursor) {
    return state.cache.getIfPresent(KeyObject.of(cursor.next(state.stream)));
  }

  @Benchmark
  public @Nullable Object cache2k(Cache2kState state, KeyCursor cursor) {
    return state.cache.peek(cursor.next(state.keys));
  }

  @Benchmark
  public @Nullable Object concurrentHashMap(MapState state, KeyCursor cursor) {
    return state.map.get(cursor.next(state.keys));
  }

  @Benchmark
  public @Nullable Object concurrentHashMapNewKey(MapState state, KeyCursor cursor) {
    return state.map.get(KeyObject.of(cursor.next(state.stream)));
  }
}
