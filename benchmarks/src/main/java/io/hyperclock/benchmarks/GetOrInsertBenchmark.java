/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.Block;
import io.hyperclock.benchmarks.caches.Cursor;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.keys.BlockKey;
import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.keys.KeyStream;
import java.util.concurrent.TimeUnit;
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
 * Reads that insert what they miss. Keys are used alike, so that the share of hits is the share of
 * the keys that fit, whatever the cache evicts.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GetOrInsertBenchmark {
  @Benchmark
  public @Nullable Object hyperclock(HyperClockMix state, Cursor cursor) {
    return getOrInsert(state, cursor.next(state.stream));
  }

  @Benchmark
  public @Nullable Object hyperclockOffHeap(HyperClockOffHeapMix state, Cursor cursor) {
    return getOrInsert(state, cursor.next(state.stream));
  }

  private static @Nullable Object getOrInsert(HyperClockMix state, int number) {
    long file = BlockKey.file(number);
    long offset = BlockKey.offset(number);
    Object found = state.cache.get(file, offset);
    if (found == null) {
      state.cache.insert(file, offset, state.block, Block.CHARGE_BYTES);
    }
    return found;
  }

  @Benchmark
  public @Nullable Object caffeine(CaffeineMix state, Cursor cursor) {
    BlockKey key = cursor.next(state.keys);
    Object found = state.cache.getIfPresent(key);
    if (found == null) {
      state.cache.put(key, state.block);
    }
    return found;
  }

  /** How much fits, and how many keys there are. */
  @State(Scope.Benchmark)
  public abstract static class Mix {
    final Block block = new Block(0);

    /** Key numbers in the order of reads. */
    int[] stream;

    /** Entries there is room for. */
    @Param("65536")
    public int size;

    /** Reads that hit. */
    @Param({"50", "90", "99"})
    public int hitPercent;

    /** Draws the keys. */
    final void draw() {
      stream = KeyStream.of((int) (size * 100L / hitPercent), Distribution.UNIFORM);
    }
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HyperClockMix extends Mix {
    private final SlotStorage storage;
    BlockCache<Block> cache;

    /** For JMH. */
    public HyperClockMix() {
      this(SlotStorage.HEAP);
    }

    HyperClockMix(SlotStorage storage) {
      this.storage = storage;
    }

    /** Fills the cache. */
    @Setup
    public void fill() {
      draw();
      cache = HyperClockState.build(size, storage);
      for (int number : stream) {
        getOrInsert(this, number);
      }
    }
  }

  /** HyperClock with slots off the heap. */
  @State(Scope.Benchmark)
  public static class HyperClockOffHeapMix extends HyperClockMix {
    /** For JMH. */
    public HyperClockOffHeapMix() {
      super(SlotStorage.OFF_HEAP);
    }
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineMix extends Mix {
    Cache<BlockKey, Block> cache;

    /** Keys in the order of reads. */
    BlockKey[] keys;

    /** Fills the cache. */
    @Setup
    public void fill() {
      draw();
      cache = Caffeine.newBuilder().maximumSize(size).build();
      BlockKey[] all = new BlockKey[(int) (size * 100L / hitPercent)];
      for (int i = 0; i < all.length; i++) {
        all[i] = BlockKey.of(i);
      }
      keys = new BlockKey[stream.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = all[stream[i]];
        cache.put(keys[i], block);
      }
      cache.cleanUp();
    }
  }
}
