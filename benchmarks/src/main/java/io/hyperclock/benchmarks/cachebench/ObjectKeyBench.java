/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.cache2k.Cache2kBuilder;
import org.cache2k.operation.CacheControl;
import org.jspecify.annotations.Nullable;

/**
 * Caches that take key objects and leave values to the garbage collector: readers hold the value.
 * An insert replaces an older value, as is usual for them.
 */
abstract class ObjectKeyBench implements BenchCache<Object> {
  final int charge;

  private ObjectKeyBench(int charge) {
    this.charge = charge;
  }

  /**
   * A key as an object.
   *
   * @param hi high word
   * @param lo low word
   */
  record Key(long hi, long lo) {
    @Override
    public int hashCode() {
      long h = (hi * 0x9E3779B97F4A7C15L + lo) * 0xD6E8FEB86659FD93L;
      return (int) (h ^ (h >>> 32));
    }
  }

  /** The contents, complete. */
  abstract Map<Key, ?> contents();

  @Override
  public final byte[] value(Object held) {
    return (byte[]) held;
  }

  @Override
  public final void release(Object held) {}

  @Override
  public final Object insertHeld(long hi, long lo, byte[] value, Origin origin) {
    insert(hi, lo, value, origin);
    return value;
  }

  @Override
  public Scan scan() {
    long[] entries = new long[1];
    contents().forEach((key, value) -> entries[0]++);
    return new Scan(entries[0], entries[0] * charge);
  }

  @Override
  public long occupancy() {
    return contents().size();
  }

  @Override
  public final long slots() {
    return 0;
  }

  @Override
  public final boolean keepsNewcomers() {
    return false;
  }

  @Override
  public final List<String> problems() {
    return List.of();
  }

  @Override
  public void close() {}

  /** Caffeine, weighted, with default settings. */
  static final class CaffeineBench extends ObjectKeyBench {
    private final Cache<Key, byte[]> cache;

    CaffeineBench(long capacityBytes, int charge) {
      super(charge);
      cache =
          Caffeine.newBuilder()
              .maximumWeight(capacityBytes)
              .weigher((Key key, byte[] value) -> charge)
              .build();
    }

    @Override
    Map<Key, byte[]> contents() {
      cache.cleanUp();
      return cache.asMap();
    }

    @Override
    public @Nullable Object lookup(long hi, long lo) {
      return cache.getIfPresent(new Key(hi, lo));
    }

    @Override
    public void insert(long hi, long lo, byte[] value, Origin origin) {
      cache.put(new Key(hi, lo), value);
    }

    @Override
    public void erase(long hi, long lo) {
      cache.invalidate(new Key(hi, lo));
    }

    @Override
    public void setCapacityBytes(long capacityBytes) {
      cache.policy().eviction().orElseThrow().setMaximum(capacityBytes);
    }
  }

  /** cache2k, weighted, without expiry and statistics. It refuses arrays as the type of values. */
  static final class Cache2kBench extends ObjectKeyBench {
    // A logger is forgotten unless somebody refers to it.
    private static final Logger LOGGER = Logger.getLogger("org.cache2k");

    private final org.cache2k.Cache<Key, Object> cache;

    Cache2kBench(long capacityBytes, int charge) {
      super(charge);
      LOGGER.setLevel(Level.WARNING);
      cache =
          Cache2kBuilder.of(Key.class, Object.class)
              .maximumWeight(capacityBytes)
              .weigher((key, value) -> charge)
              .eternal(true)
              .disableStatistics(true)
              .build();
    }

    @Override
    Map<Key, Object> contents() {
      return cache.asMap();
    }

    @Override
    public @Nullable Object lookup(long hi, long lo) {
      return cache.peek(new Key(hi, lo));
    }

    @Override
    public void insert(long hi, long lo, byte[] value, Origin origin) {
      cache.put(new Key(hi, lo), value);
    }

    @Override
    public void erase(long hi, long lo) {
      cache.remove(new Key(hi, lo));
    }

    @Override
    public void setCapacityBytes(long capacityBytes) {
      CacheControl.of(cache).changeCapacity(capacityBytes).join();
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  /** A map in the order of use under one lock: the floor. */
  static final class LruBench extends ObjectKeyBench {
    private final Map<Key, byte[]> map = new LinkedHashMap<>(16, 0.75f, true);
    private long capacity;
    private long usage;

    LruBench(long capacityBytes, int charge) {
      super(charge);
      capacity = capacityBytes;
    }

    @Override
    Map<Key, byte[]> contents() {
      return map;
    }

    @Override
    public synchronized @Nullable Object lookup(long hi, long lo) {
      return map.get(new Key(hi, lo));
    }

    @Override
    public synchronized void insert(long hi, long lo, byte[] value, Origin origin) {
      if (map.put(new Key(hi, lo), value) == null) {
        usage += charge;
        makeFit();
      }
    }

    private void makeFit() {
      if (usage > capacity) {
        Iterator<byte[]> oldest = map.values().iterator();
        while (usage > capacity && oldest.hasNext()) {
          oldest.next();
          oldest.remove();
          usage -= charge;
        }
      }
    }

    @Override
    public synchronized void erase(long hi, long lo) {
      if (map.remove(new Key(hi, lo)) != null) {
        usage -= charge;
      }
    }

    @Override
    public synchronized void setCapacityBytes(long capacityBytes) {
      capacity = capacityBytes;
      makeFit();
    }

    @Override
    public synchronized Scan scan() {
      return super.scan();
    }

    @Override
    public synchronized long occupancy() {
      return super.occupancy();
    }
  }
}
