/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import site.ycsb.generator.ScrambledZipfianGenerator;

/** Keys as in Caffeine's own benchmarks, number 0 among them. All fit and are cached. */
@State(Scope.Benchmark)
public abstract class ScrambledKeys {
  /** What writers write. */
  public static final BenchmarkBlock OTHER = new BenchmarkBlock(1);

  private static final int SIZE = 2 << 14;
  private static final int ITEMS = SIZE / 3;
  private static final int CAPACITY = 2 * SIZE;
  private static final int MAX_ROUNDS = 200;
  private static final BenchmarkBlock BLOCK = new BenchmarkBlock(0);

  /** What the cache went through before. */
  @Param("STEADY")
  public CacheState state;

  /** Key numbers in the order of reads. */
  public int[] numbers;

  /**
   * Turns the cache over with other keys if it is to be steady, then caches all that is read. An
   * admission policy may refuse a key until it has been seen more often than those it would evict.
   *
   * @param insert inserts a key
   * @param erase removes a key
   * @param getOrInsert reads a key and inserts it if it is missing; true for a hit
   */
  final void prepare(IntConsumer insert, IntConsumer erase, IntPredicate getOrInsert) {
    state.fill(
        CAPACITY,
        0,
        i -> insert.accept(ITEMS + i),
        i -> getOrInsert.test(ITEMS + i),
        i -> erase.accept(ITEMS + i));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      int hits = 0;
      for (int number : numbers) {
        hits += getOrInsert.test(number) ? 1 : 0;
      }
      if (hits == numbers.length) {
        return;
      }
    }
    throw new IllegalStateException("every key must be cached: rounds=" + MAX_ROUNDS);
  }

  final void draw() {
    numbers = new int[SIZE];
    ScrambledZipfianGenerator generator = new ScrambledZipfianGenerator(ITEMS);
    for (int i = 1; i < SIZE; i++) {
      numbers[i] = generator.nextValue().intValue();
    }
  }

  /** HyperClock with slots on the heap. */
  @State(Scope.Benchmark)
  public static class HyperClockKeys extends ScrambledKeys {
    /** The cache. */
    public BlockCache<BenchmarkBlock> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      draw();
      cache = HyperClockState.build(CAPACITY, SlotStorage.HEAP);
      prepare(
          this::insert,
          number -> cache.erase(KeyObject.file(number), KeyObject.offset(number)),
          number -> {
            boolean hit = cache.get(KeyObject.file(number), KeyObject.offset(number)) != null;
            if (!hit) {
              insert(number);
            }
            return hit;
          });
      state.requireFull(cache.monitor().occupancy(), CAPACITY);
    }

    private void insert(int number) {
      cache.insert(
          KeyObject.file(number), KeyObject.offset(number), BLOCK, BenchmarkBlock.CHARGE_BYTES);
    }
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineKeys extends ScrambledKeys {
    /** The cache. */
    public Cache<Integer, BenchmarkBlock> cache;

    /** Keys in the order of reads. */
    public Integer[] keys;

    /** Fills the cache. */
    @Setup
    public void fill() {
      draw();
      cache = Caffeine.newBuilder().maximumSize(CAPACITY).build();
      keys = new Integer[numbers.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = numbers[i];
      }
      prepare(
          number -> cache.put(number, BLOCK),
          cache::invalidate,
          number -> {
            boolean hit = cache.getIfPresent(number) != null;
            if (!hit) {
              cache.put(number, BLOCK);
            }
            return hit;
          });
      cache.cleanUp();
      state.requireFull(cache.estimatedSize(), CAPACITY);
    }
  }
}
