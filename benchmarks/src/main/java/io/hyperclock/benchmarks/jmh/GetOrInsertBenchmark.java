/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.CacheState;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
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
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC", NativeAccess.OPTION})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GetOrInsertBenchmark {
  @Benchmark
  public @Nullable Object hyperclock(HyperClockMix state, KeyCursor cursor) {
    return getOrInsert(state, cursor.next(state.stream));
  }

  @Benchmark
  public @Nullable Object hyperclockOffHeap(HyperClockOffHeapMix state, KeyCursor cursor) {
    return getOrInsert(state, cursor.next(state.stream));
  }

  private static @Nullable Object getOrInsert(HyperClockMix state, int number) {
    long file = KeyObject.file(number);
    long offset = KeyObject.offset(number);
    Object found = state.cache.get(file, offset);
    if (found == null) {
      state.cache.insert(file, offset, state.block, BenchmarkBlock.CHARGE_BYTES);
    }
    return found;
  }

  @Benchmark
  public @Nullable Object caffeine(CaffeineMix state, KeyCursor cursor) {
    KeyObject key = cursor.next(state.keys);
    Object found = state.cache.getIfPresent(key);
    if (found == null) {
      state.cache.put(key, state.block);
    }
    return found;
  }

  /** How much fits, and how many keys there are. */
  @State(Scope.Benchmark)
  public abstract static class Mix {
    private static final int MAX_ROUNDS = 200;
    private static final double SETTLED = 0.005;

    final BenchmarkBlock block = new BenchmarkBlock(0);

    /** Key numbers in the order of reads. */
    int[] stream;

    /** Entries there is room for. */
    @Param("65536")
    public int size;

    /** Reads that hit. */
    @Param({"50", "90", "99"})
    public int hitPercent;

    /** What the cache went through before. */
    @Param("STEADY")
    public CacheState state;

    /** Draws the keys. */
    final void draw() {
      stream = KeyStream.of(keyCount(), Distribution.UNIFORM);
    }

    final int keyCount() {
      return (int) (size * 100L / hitPercent);
    }

    /**
     * Fills the cache with other keys, and turns it over if it is to be steady; then runs the mix
     * until the share of hits has settled.
     *
     * @param insert inserts a key
     * @param get reads a key
     * @param erase removes a key
     * @param read reads the key at a place in the stream and inserts it if it is missing
     */
    final void prepare(IntConsumer insert, IntConsumer get, IntConsumer erase, IntPredicate read) {
      state.fill(
          size,
          0,
          i -> insert.accept(keyCount() + i),
          i -> get.accept(keyCount() + i),
          i -> erase.accept(keyCount() + i));
      double last = -1;
      int chunk = 2 * size;
      for (int round = 0, next = 0; round < MAX_ROUNDS; round++) {
        int hits = 0;
        for (int i = 0; i < chunk; i++) {
          hits += read.test(next++ & (stream.length - 1)) ? 1 : 0;
        }
        double share = (double) hits / chunk;
        if (round * (long) chunk >= stream.length && Math.abs(share - last) < SETTLED) {
          return;
        }
        last = share;
      }
      throw new IllegalStateException("hits must settle: share=" + last);
    }
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HyperClockMix extends Mix {
    private final SlotStorage storage;
    BlockCache<BenchmarkBlock> cache;

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
      prepare(
          number ->
              cache.insert(
                  KeyObject.file(number),
                  KeyObject.offset(number),
                  block,
                  BenchmarkBlock.CHARGE_BYTES),
          number -> cache.get(KeyObject.file(number), KeyObject.offset(number)),
          number -> cache.erase(KeyObject.file(number), KeyObject.offset(number)),
          place -> getOrInsert(this, stream[place]) != null);
      state.requireFull(cache.monitor().occupancy(), Math.min(size, keyCount()));
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
    Cache<KeyObject, BenchmarkBlock> cache;

    /** Keys in the order of reads. */
    KeyObject[] keys;

    /** Fills the cache. */
    @Setup
    public void fill() {
      draw();
      cache = Caffeine.newBuilder().maximumSize(size).build();
      KeyObject[] all = new KeyObject[keyCount()];
      for (int i = 0; i < all.length; i++) {
        all[i] = KeyObject.of(i);
      }
      keys = new KeyObject[stream.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = all[stream[i]];
      }
      prepare(
          number -> cache.put(KeyObject.of(number), block),
          number -> cache.getIfPresent(KeyObject.of(number)),
          number -> cache.invalidate(KeyObject.of(number)),
          place -> {
            boolean hit = cache.getIfPresent(keys[place]) != null;
            if (!hit) {
              cache.put(keys[place], block);
            }
            return hit;
          });
      cache.cleanUp();
    }
  }
}
