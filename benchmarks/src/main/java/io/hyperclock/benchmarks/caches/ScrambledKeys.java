/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.keys.BlockKey;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import site.ycsb.generator.ScrambledZipfianGenerator;

/** Keys as in Caffeine's own benchmarks, number 0 among them. All fit. */
@State(Scope.Benchmark)
public abstract class ScrambledKeys {
  /** What writers write. */
  public static final Block OTHER = new Block(1);

  private static final int SIZE = 2 << 14;
  private static final int ITEMS = SIZE / 3;
  private static final int CAPACITY = 2 * SIZE;
  private static final Block BLOCK = new Block(0);

  /** Key numbers in the order of reads. */
  public int[] numbers;

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
    public BlockCache<Block> cache;

    /** Fills the cache. */
    @Setup
    public void fill() {
      draw();
      cache = HyperClockState.build(CAPACITY, SlotStorage.HEAP);
      for (int number : numbers) {
        cache.insert(BlockKey.file(number), BlockKey.offset(number), BLOCK, Block.CHARGE_BYTES);
      }
    }
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineKeys extends ScrambledKeys {
    /** The cache. */
    public Cache<Integer, Block> cache;

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
        cache.put(keys[i], BLOCK);
      }
      cache.cleanUp();
    }
  }
}
