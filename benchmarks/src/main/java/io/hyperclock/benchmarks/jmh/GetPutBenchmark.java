/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import io.hyperclock.BlockCache;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.ScrambledKeys;
import io.hyperclock.benchmarks.caches.ScrambledKeys.CaffeineKeys;
import io.hyperclock.benchmarks.caches.ScrambledKeys.HyperClockKeys;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The set-up of Caffeine's benchmark of the same name: 8 threads read, write, or both (6 and 2), on
 * scrambled Zipf keys that are all cached. Writes replace the value; those called absent leave it
 * and add what is missing.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GetPutBenchmark {
  @Benchmark
  @Group("hyperclockRead")
  @GroupThreads(8)
  public @Nullable Object hyperclockReadOnly(HyperClockKeys state, KeyCursor cursor) {
    return get(state, cursor);
  }

  @Benchmark
  @Group("hyperclockWrite")
  @GroupThreads(8)
  public void hyperclockWriteOnly(HyperClockKeys state, KeyCursor cursor) {
    put(state, cursor);
  }

  @Benchmark
  @Group("hyperclockReadWrite")
  @GroupThreads(6)
  public @Nullable Object hyperclockGet(HyperClockKeys state, KeyCursor cursor) {
    return get(state, cursor);
  }

  @Benchmark
  @Group("hyperclockReadWrite")
  @GroupThreads(2)
  public void hyperclockPut(HyperClockKeys state, KeyCursor cursor) {
    put(state, cursor);
  }

  @Benchmark
  @Group("hyperclockAbsentWrite")
  @GroupThreads(8)
  public void hyperclockInsertOnly(HyperClockKeys state, KeyCursor cursor) {
    insert(state, cursor);
  }

  @Benchmark
  @Group("caffeineRead")
  @GroupThreads(8)
  public @Nullable Object caffeineReadOnly(CaffeineKeys state, KeyCursor cursor) {
    return state.cache.getIfPresent(cursor.next(state.keys));
  }

  @Benchmark
  @Group("caffeineWrite")
  @GroupThreads(8)
  public void caffeineWriteOnly(CaffeineKeys state, KeyCursor cursor) {
    state.cache.put(cursor.next(state.keys), ScrambledKeys.OTHER);
  }

  @Benchmark
  @Group("caffeineReadWrite")
  @GroupThreads(6)
  public @Nullable Object caffeineGet(CaffeineKeys state, KeyCursor cursor) {
    return state.cache.getIfPresent(cursor.next(state.keys));
  }

  @Benchmark
  @Group("caffeineReadWrite")
  @GroupThreads(2)
  public void caffeinePut(CaffeineKeys state, KeyCursor cursor) {
    state.cache.put(cursor.next(state.keys), ScrambledKeys.OTHER);
  }

  @Benchmark
  @Group("caffeineAbsentWrite")
  @GroupThreads(8)
  public void caffeineInsertOnly(CaffeineKeys state, KeyCursor cursor) {
    Cache<Integer, BenchmarkBlock> cache = state.cache;
    Integer key = cursor.next(state.keys);
    if (cache.getIfPresent(key) == null) {
      cache.put(key, ScrambledKeys.OTHER);
    }
  }

  private static @Nullable Object get(HyperClockKeys state, KeyCursor cursor) {
    int number = cursor.next(state.numbers);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  private static void put(HyperClockKeys state, KeyCursor cursor) {
    int number = cursor.next(state.numbers);
    state.cache.put(
        KeyObject.file(number),
        KeyObject.offset(number),
        ScrambledKeys.OTHER,
        BenchmarkBlock.CHARGE_BYTES);
  }

  private static void insert(HyperClockKeys state, KeyCursor cursor) {
    BlockCache<BenchmarkBlock> cache = state.cache;
    int number = cursor.next(state.numbers);
    long file = KeyObject.file(number);
    long offset = KeyObject.offset(number);
    if (cache.get(file, offset) == null) {
      cache.insert(file, offset, ScrambledKeys.OTHER, BenchmarkBlock.CHARGE_BYTES);
    }
  }
}
