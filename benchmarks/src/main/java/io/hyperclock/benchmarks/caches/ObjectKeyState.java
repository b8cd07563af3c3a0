/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.cache2k.Cache2kBuilder;
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
  private static final long SEED = 20260102;

  /** Key numbers in the order of reads, for keys built per call. */
  public int[] stream;

  /** Keys in the order of reads. */
  public KeyObject[] keys;

  private KeyObject[] resident;

  /** Fills the cache. */
  @Setup
  public void fill() {
    make();
    resident = fillAndTurnOver();
    state.requireFull(resident.length, size);
    stream = KeyStream.of(resident.length, distribution);
    keys = new KeyObject[stream.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = resident[stream[i]];
      stream[i] = keys[i].number();
    }
    requireAllCached();
  }

  /**
   * Brings the empty cache into the state asked for.
   *
   * @return the key objects in it
   */
  KeyObject[] fillAndTurnOver() {
    state.fill(
        size,
        size,
        i -> put(KeyObject.of(i), i),
        i -> isRead(KeyObject.of(i)),
        i -> erase(KeyObject.of(i)));
    return residents();
  }

  /**
   * Fills a map, which evicts nothing: each further put removes a key chosen at random (seeded).
   *
   * @param map what {@link #put} fills
   * @return the key objects in it
   */
  final KeyObject[] fillAndTurnOver(ConcurrentMap<KeyObject, ?> map) {
    SplittableRandom random = new SplittableRandom(SEED);
    KeyObject[] live = new KeyObject[size];
    int inserts = inserts();
    for (int i = 0; i < inserts; i++) {
      int place = i < size ? i : random.nextInt(size);
      KeyObject key = KeyObject.of(i);
      put(key, i);
      if (i >= size) {
        map.remove(live[place]);
      }
      live[place] = key;
    }
    return live;
  }

  /** Checks that no read can have missed, and closes the cache. */
  @TearDown
  public void end() {
    requireAllCached();
    close();
  }

  final void requireAllCached() {
    for (KeyObject key : resident) {
      requireHit(isCached(KeyObject.of(key.number())), key.number());
    }
  }

  abstract void make();

  /** Frees what the collector does not. */
  void close() {}

  abstract void put(KeyObject key, int number);

  abstract KeyObject[] residents();

  abstract boolean isCached(KeyObject key);

  /** Removes a key where a cache might keep it for ever. */
  void erase(KeyObject key) {}

  /** Reads a key, so that the cache counts it; maps count nothing. */
  boolean isRead(KeyObject key) {
    return isCached(key);
  }

  /** Caffeine with default settings. */
  @State(Scope.Benchmark)
  public static class CaffeineState extends ObjectKeyState {
    /** The cache. */
    public Cache<KeyObject, BenchmarkBlock> cache;

    @Override
    void make() {
      cache = Caffeine.newBuilder().maximumSize(capacity()).build();
    }

    @Override
    void put(KeyObject key, int number) {
      cache.put(key, new BenchmarkBlock(number));
    }

    @Override
    KeyObject[] residents() {
      cache.cleanUp();
      return cache.asMap().keySet().toArray(new KeyObject[0]);
    }

    @Override
    boolean isCached(KeyObject key) {
      return cache.asMap().containsKey(key);
    }

    @Override
    boolean isRead(KeyObject key) {
      return cache.getIfPresent(key) != null;
    }

    @Override
    void erase(KeyObject key) {
      cache.invalidate(key);
    }
  }

  /** Cache2k with default settings. */
  @State(Scope.Benchmark)
  public static class Cache2kState extends ObjectKeyState {
    /** The cache. */
    public org.cache2k.Cache<KeyObject, BenchmarkBlock> cache;

    @Override
    void make() {
      cache =
          Cache2kBuilder.of(KeyObject.class, BenchmarkBlock.class)
              .name("cache2k")
              .entryCapacity(capacity())
              .eternal(true)
              .build();
    }

    @Override
    void put(KeyObject key, int number) {
      cache.put(key, new BenchmarkBlock(number));
    }

    @Override
    KeyObject[] residents() {
      return cache.asMap().keySet().toArray(new KeyObject[0]);
    }

    @Override
    boolean isCached(KeyObject key) {
      return cache.containsKey(key);
    }

    @Override
    boolean isRead(KeyObject key) {
      return cache.peek(key) != null;
    }

    @Override
    void erase(KeyObject key) {
      cache.remove(key);
    }

    @Override
    void close() {
      cache.close();
    }
  }

  /** A map without any replacement. */
  @State(Scope.Benchmark)
  public static class MapState extends ObjectKeyState {
    /** The map. */
    public ConcurrentMap<KeyObject, BenchmarkBlock> map;

    @Override
    void make() {
      map = new ConcurrentHashMap<>();
    }

    @Override
    void put(KeyObject key, int number) {
      map.put(key, new BenchmarkBlock(number));
    }

    @Override
    KeyObject[] fillAndTurnOver() {
      return fillAndTurnOver(map);
    }

    @Override
    KeyObject[] residents() {
      return map.keySet().toArray(new KeyObject[0]);
    }

    @Override
    boolean isCached(KeyObject key) {
      return map.containsKey(key);
    }
  }

  /** Caffeine with values that count their references. */
  @State(Scope.Benchmark)
  public static class CountedCaffeineState extends ObjectKeyState {
    /** The cache. */
    public Cache<KeyObject, CountedBlock> cache;

    @Override
    void make() {
      cache =
          Caffeine.newBuilder()
              .maximumSize(capacity())
              .<KeyObject, CountedBlock>removalListener((key, block, cause) -> block.release())
              .build();
    }

    @Override
    void put(KeyObject key, int number) {
      cache.put(key, new CountedBlock());
    }

    @Override
    KeyObject[] residents() {
      cache.cleanUp();
      return cache.asMap().keySet().toArray(new KeyObject[0]);
    }

    @Override
    boolean isCached(KeyObject key) {
      return cache.asMap().containsKey(key);
    }

    @Override
    boolean isRead(KeyObject key) {
      return cache.getIfPresent(key) != null;
    }

    @Override
    void erase(KeyObject key) {
      cache.invalidate(key);
    }
  }

  /** A map with values that count their references. */
  @State(Scope.Benchmark)
  public static class CountedMapState extends ObjectKeyState {
    /** The map. */
    public ConcurrentMap<KeyObject, CountedBlock> map;

    @Override
    void make() {
      map = new ConcurrentHashMap<>();
    }

    @Override
    void put(KeyObject key, int number) {
      map.put(key, new CountedBlock());
    }

    @Override
    KeyObject[] fillAndTurnOver() {
      return fillAndTurnOver(map);
    }

    @Override
    KeyObject[] residents() {
      return map.keySet().toArray(new KeyObject[0]);
    }

    @Override
    boolean isCached(KeyObject key) {
      return map.containsKey(key);
    }
  }
}
