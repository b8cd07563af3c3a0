/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.ObjectKeyState;
import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads through a loader that costs nothing, so that what is left is the cache's own work: all
 * hits, and uniform keys of which every other one is missing.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LoadBenchmark {
  private static final BenchmarkBlock LOADED = new BenchmarkBlock(0);
  private static final BlockLoader<BenchmarkBlock> LOADER = (hi, lo) -> LOADED;
  private static final Function<KeyObject, BenchmarkBlock> MAPPING = key -> LOADED;

  @Benchmark
  public @Nullable Object hyperclockHit(HyperClockState state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number), LOADER);
  }

  @Benchmark
  public Object caffeineHit(ObjectKeyState.CaffeineState state, KeyCursor cursor) {
    return state.cache.get(cursor.next(state.keys), MAPPING);
  }

  @Benchmark
  public @Nullable Object hyperclockMiss(HyperClockMisses state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number), LOADER);
  }

  @Benchmark
  public Object caffeineMiss(CaffeineMisses state, KeyCursor cursor) {
    return state.cache.get(cursor.next(state.keys), MAPPING);
  }

  /** Twice as many keys as fit. */
  @State(Scope.Benchmark)
  public abstract static class Misses {
    /** Entries there is room for. */
    @Param("65536")
    public int size;

    final int keyCount() {
      return 2 * size;
    }

    final int[] draw() {
      return KeyStream.of(keyCount(), Distribution.UNIFORM);
    }
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HyperClockMisses extends Misses {
    BlockCache<BenchmarkBlock> cache;

    /** Key numbers in the order of reads. */
    int[] stream;

    /** Fills the cache. */
    @Setup
    public void fill() {
      stream = draw();
      cache = HyperClockState.build(size, SlotStorage.HEAP);
      for (int number : stream) {
        cache.get(KeyObject.file(number), KeyObject.offset(number), LOADER);
      }
    }
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineMisses extends Misses {
    Cache<KeyObject, BenchmarkBlock> cache;

    /** Keys in the order of reads. */
    KeyObject[] keys;

    /** Fills the cache. */
    @Setup
    public void fill() {
      int[] stream = draw();
      cache = Caffeine.newBuilder().maximumSize(size).build();
      KeyObject[] all = new KeyObject[keyCount()];
      for (int i = 0; i < all.length; i++) {
        all[i] = KeyObject.of(i);
      }
      keys = new KeyObject[stream.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = all[stream[i]];
        cache.get(keys[i], MAPPING);
      }
      cache.cleanUp();
    }
  }
}
