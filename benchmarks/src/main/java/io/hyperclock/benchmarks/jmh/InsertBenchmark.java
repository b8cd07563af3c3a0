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
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.cache2k.Cache2kBuilder;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Inserts of new keys into a full cache: each evicts. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC", NativeAccess.OPTION})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InsertBenchmark {
  @Benchmark
  public InsertResult hyperclock(HeapFull state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, BenchmarkBlock.CHARGE_BYTES);
  }

  @Benchmark
  public InsertResult hyperclockOffHeap(OffHeapFull state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, BenchmarkBlock.CHARGE_BYTES);
  }

  @Benchmark
  public InsertResult automatic(AutomaticFull state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, BenchmarkBlock.CHARGE_BYTES);
  }

  @Benchmark
  public void caffeine(CaffeineFull state, NewKeys keys) {
    state.cache.put(new KeyObject(keys.file, keys.offset++), state.block);
  }

  @Benchmark
  public void cache2k(Cache2kFull state, NewKeys keys) {
    state.cache.put(new KeyObject(keys.file, keys.offset++), state.block);
  }

  /**
   * A put and the remove of a key chosen at random, which a map needs to stay as large as it is.
   */
  @Benchmark
  public void concurrentHashMap(MapFull state, NewKeys keys) {
    int place = ThreadLocalRandom.current().nextInt(state.size);
    state.replace(new KeyObject(keys.file, keys.offset++), place);
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
    final BenchmarkBlock block = new BenchmarkBlock(0);

    /** What the cache went through before. */
    @Param("STEADY")
    public CacheState state;

    /** Entries there is room for. */
    @Param("65536")
    public int size;

    final BlockCache<BenchmarkBlock> full(SlotStorage storage, boolean automatic) {
      BlockCache<BenchmarkBlock> cache = HyperClockState.build(size, storage, automatic);
      state.fill(
          size,
          2 * size,
          i -> cache.insert(0, i, block, BenchmarkBlock.CHARGE_BYTES),
          i -> cache.get(0, i),
          i -> cache.erase(0, i));
      state.requireFull(cache.monitor().occupancy(), size);
      return cache;
    }
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HeapFull extends Full {
    BlockCache<BenchmarkBlock> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = full(SlotStorage.HEAP, false);
    }
  }

  /** HyperClock with slots off the heap. */
  @State(Scope.Benchmark)
  public static class OffHeapFull extends Full {
    BlockCache<BenchmarkBlock> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = full(SlotStorage.OFF_HEAP, false);
    }
  }

  /** HyperClock that sizes itself. */
  @State(Scope.Benchmark)
  public static class AutomaticFull extends Full {
    BlockCache<BenchmarkBlock> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = full(SlotStorage.HEAP, true);
    }
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineFull extends Full {
    Cache<KeyObject, BenchmarkBlock> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = Caffeine.newBuilder().maximumSize(size).build();
      state.fill(
          size,
          2 * size,
          i -> cache.put(new KeyObject(0, i), block),
          i -> cache.getIfPresent(new KeyObject(0, i)),
          i -> cache.invalidate(new KeyObject(0, i)));
      cache.cleanUp();
      state.requireFull(cache.estimatedSize(), size);
    }
  }

  /** Cache2k with default settings. */
  @State(Scope.Benchmark)
  public static class Cache2kFull extends Full {
    org.cache2k.Cache<KeyObject, BenchmarkBlock> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache =
          Cache2kBuilder.of(KeyObject.class, BenchmarkBlock.class)
              .name("full")
              .entryCapacity(size)
              .eternal(true)
              .build();
      state.fill(
          size,
          2 * size,
          i -> cache.put(new KeyObject(0, i), block),
          i -> cache.peek(new KeyObject(0, i)),
          i -> cache.remove(new KeyObject(0, i)));
      state.requireFull(cache.asMap().size(), size);
    }

    /** Frees its name. */
    @TearDown
    public void close() {
      cache.close();
    }
  }

  /** A map as large as the caches, and which keys are in it. */
  @State(Scope.Benchmark)
  public static class MapFull extends Full {
    ConcurrentMap<KeyObject, BenchmarkBlock> map;
    private AtomicReferenceArray<KeyObject> live;

    /** Fills the map. */
    @Setup
    public void fill() {
      map = new ConcurrentHashMap<>();
      live = new AtomicReferenceArray<>(size);
      SplittableRandom random = new SplittableRandom(1);
      int inserts = state.inserts(size, 2 * size);
      for (int i = 0; i < inserts; i++) {
        replace(new KeyObject(0, i), i < size ? i : random.nextInt(size));
      }
      state.requireFull(map.size(), size);
    }

    void replace(KeyObject key, int place) {
      map.put(key, block);
      KeyObject old = live.getAndSet(place, key);
      if (old != null) {
        map.remove(old);
      }
    }
  }
}
