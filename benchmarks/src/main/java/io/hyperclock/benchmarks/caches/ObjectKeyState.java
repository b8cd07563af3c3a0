/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.benchmarks.keys.BlockKey;
import io.hyperclock.benchmarks.keys.KeyStream;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Caches that take key objects. The stream refers to the very objects in the cache, in the order of
 * reads: the best case for them, as a key found equal is not read twice.
 */
@State(Scope.Benchmark)
public abstract class ObjectKeyState extends Workload {
  /** Key numbers in the order of reads, for keys built per call. */
  public int[] stream;

  /** Keys in the order of reads. */
  public BlockKey[] keys;

  /** Fills the cache. */
  @Setup
  public void fill() {
    stream = KeyStream.of(size, distribution);
    make();
    BlockKey[] all = new BlockKey[size];
    for (int i = 0; i < size; i++) {
      all[i] = BlockKey.of(i);
      put(all[i], i);
    }
    keys = new BlockKey[stream.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = all[stream[i]];
    }
    requireAllCached();
  }

  /** Checks that no read can have missed. */
  @TearDown
  public void requireAllCached() {
    for (int i = 0; i < size; i++) {
      requireHit(isCached(BlockKey.of(i)), i);
    }
  }

  abstract void make();

  abstract void put(BlockKey key, int number);

  abstract boolean isCached(BlockKey key);

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineState extends ObjectKeyState {
    /** The cache. */
    public Cache<BlockKey, Block> cache;

    @Override
    void make() {
      cache = Caffeine.newBuilder().maximumSize(capacity()).build();
    }

    @Override
    void put(BlockKey key, int number) {
      cache.put(key, new Block(number));
    }

    @Override
    boolean isCached(BlockKey key) {
      return cache.asMap().containsKey(key);
    }
  }

  /** A map without any replacement. */
  @State(Scope.Benchmark)
  public static class MapState extends ObjectKeyState {
    /** The map. */
    public ConcurrentMap<BlockKey, Block> map;

    @Override
    void make() {
      map = new ConcurrentHashMap<>();
    }

    @Override
    void put(BlockKey key, int number) {
      map.put(key, new Block(number));
    }

    @Override
    boolean isCached(BlockKey key) {
      return map.containsKey(key);
    }
  }

  /** Caffeine with values that count their references. */
  @State(Scope.Benchmark)
  public static class CountedCaffeineState extends ObjectKeyState {
    /** The cache. */
    public Cache<BlockKey, CountedBlock> cache;

    @Override
    void make() {
      cache =
          Caffeine.newBuilder()
              .maximumSize(capacity())
              .<BlockKey, CountedBlock>removalListener((key, block, cause) -> block.release())
              .build();
    }

    @Override
    void put(BlockKey key, int number) {
      cache.put(key, new CountedBlock());
    }

    @Override
    boolean isCached(BlockKey key) {
      return cache.asMap().containsKey(key);
    }
  }

  /** A map with values that count their references. */
  @State(Scope.Benchmark)
  public static class CountedMapState extends ObjectKeyState {
    /** The map. */
    public ConcurrentMap<BlockKey, CountedBlock> map;

    @Override
    void make() {
      map = new ConcurrentHashMap<>();
    }

    @Override
    void put(BlockKey key, int number) {
      map.put(key, new CountedBlock());
    }

    @Override
    boolean isCached(BlockKey key) {
      return map.containsKey(key);
    }
  }
}
