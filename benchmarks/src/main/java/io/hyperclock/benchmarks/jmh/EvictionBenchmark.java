/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.CacheState;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
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
 * The set-up of Caffeine's benchmark of the same name: every thread puts the numbers from 0 on into
 * a full cache.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EvictionBenchmark {
  private static final BenchmarkBlock BLOCK = new BenchmarkBlock(0);

  @Benchmark
  public InsertResult hyperclock(HyperClockFull state, NextKey key) {
    int number = key.next++;
    return state.cache.put(
        KeyObject.file(number), KeyObject.offset(number), BLOCK, BenchmarkBlock.CHARGE_BYTES);
  }

  @Benchmark
  public void caffeine(CaffeineFull state, NextKey key) {
    state.cache.put(key.next++, BLOCK);
  }

  /** A thread's next key. */
  @State(Scope.Thread)
  public static class NextKey {
    int next;
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HyperClockFull {
    BlockCache<BenchmarkBlock> cache;

    /** What the cache went through before. */
    @Param("STEADY")
    public CacheState state;

    /** Entries there is room for. */
    @Param("65536")
    public int size;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = HyperClockState.build(size, SlotStorage.HEAP);
      state.fill(
          size,
          size,
          i -> insert(Integer.MIN_VALUE + i),
          i -> get(Integer.MIN_VALUE + i),
          i -> erase(Integer.MIN_VALUE + i));
      state.requireFull(cache.monitor().occupancy(), size);
    }

    private void insert(int number) {
      cache.insert(
          KeyObject.file(number), KeyObject.offset(number), BLOCK, BenchmarkBlock.CHARGE_BYTES);
    }

    private void erase(int number) {
      cache.erase(KeyObject.file(number), KeyObject.offset(number));
    }

    private void get(int number) {
      cache.get(KeyObject.file(number), KeyObject.offset(number));
    }
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineFull {
    Cache<Integer, BenchmarkBlock> cache;

    /** What the cache went through before. */
    @Param("STEADY")
    public CacheState state;

    /** Entries there is room for. */
    @Param("65536")
    public int size;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = Caffeine.newBuilder().maximumSize(size).build();
      state.fill(
          size,
          size,
          i -> cache.put(Integer.MIN_VALUE + i, BLOCK),
          i -> cache.getIfPresent(Integer.MIN_VALUE + i),
          i -> cache.invalidate(Integer.MIN_VALUE + i));
      cache.cleanUp();
      state.requireFull(cache.estimatedSize(), size);
    }
  }
}
