/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.Block;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.keys.BlockKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

/** Inserts of new keys into a full cache: each evicts. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InsertBenchmark {
  @Benchmark
  public InsertResult hyperclock(HeapFull state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, Block.CHARGE_BYTES);
  }

  @Benchmark
  public InsertResult hyperclockOffHeap(OffHeapFull state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, Block.CHARGE_BYTES);
  }

  @Benchmark
  public void caffeine(CaffeineFull state, NewKeys keys) {
    state.cache.put(new BlockKey(keys.file, keys.offset++), state.block);
  }

  /** Keys that no other thread uses. */
  @State(Scope.Thread)
  public static class NewKeys {
    private static final AtomicInteger FILES = new AtomicInteger();

    long file;
    long offset;

    /** Takes a file of its own. */
    @Setup
    public void open() {
      file = 1 + FILES.getAndIncrement();
    }
  }

  /** How much fits. */
  @State(Scope.Benchmark)
  public abstract static class Full {
    final Block block = new Block(0);

    /** Entries there is room for. */
    @Param("65536")
    public int size;
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HeapFull extends Full {
    BlockCache<Block> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = full(size, SlotStorage.HEAP, block);
    }
  }

  /** HyperClock with slots off the heap. */
  @State(Scope.Benchmark)
  public static class OffHeapFull extends Full {
    BlockCache<Block> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = full(size, SlotStorage.OFF_HEAP, block);
    }
  }

  private static BlockCache<Block> full(int size, SlotStorage storage, Block block) {
    BlockCache<Block> cache = HyperClockState.build(size, storage);
    for (int i = 0; i < 2 * size; i++) {
      cache.insert(0, i, block, Block.CHARGE_BYTES);
    }
    return cache;
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineFull extends Full {
    Cache<BlockKey, Block> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = Caffeine.newBuilder().maximumSize(size).build();
      for (int i = 0; i < 2 * size; i++) {
        cache.put(new BlockKey(0, i), block);
      }
      cache.cleanUp();
    }
  }
}
