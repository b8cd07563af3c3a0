/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.Handle;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HyperClock with a tier below it, pinned or not. Lookups decode whatever they find as what they
 * insert themselves.
 *
 * @param <H> what a reader holds
 */
abstract class TieredBench<H> implements BenchCache<H> {
  final TieredBlockCache<byte[]> cache;
  final long charge;

  private TieredBench(TieredBlockCache<byte[]> cache, long charge) {
    this.cache = cache;
    this.charge = charge;
  }

  @Override
  public final void insert(long hi, long lo, byte[] value, Origin origin) {
    cache.insert(hi, lo, value, origin.type(), charge, Priority.LOW);
  }

  @Override
  public final void erase(long hi, long lo) {
    cache.erase(hi, lo);
  }

  @Override
  public final void setCapacityBytes(long capacityBytes) {
    cache.setCapacityBytes(capacityBytes);
  }

  @Override
  public final Scan scan() {
    return HyperClockBench.scan(cache::forEachEntry);
  }

  @Override
  public final long occupancy() {
    return cache.primary().monitor().occupancy();
  }

  @Override
  public final long slots() {
    return cache.primary().monitor().slots();
  }

  @Override
  public final boolean keepsNewcomers() {
    return true;
  }

  @Override
  public final List<String> problems() {
    return HyperClockBench.problems(cache.primary());
  }

  @Override
  public final TieredStats below() {
    return cache.stats();
  }

  @Override
  public final void close() {
    cache.close();
  }

  /** Reads with pins. */
  static final class Pinned extends TieredBench<Handle<byte[]>> {
    Pinned(TieredBlockCache<byte[]> cache, long charge) {
      super(cache, charge);
    }

    @Override
    public @Nullable Handle<byte[]> lookup(long hi, long lo) {
      return cache.lookup(hi, lo, Origin.LOOKUP.type());
    }

    @Override
    public byte[] value(Handle<byte[]> held) {
      return held.value();
    }

    @Override
    public void release(Handle<byte[]> held) {
      held.close();
    }

    @Override
    public Handle<byte[]> insertHeld(long hi, long lo, byte[] value, Origin origin) {
      return cache.insertPinned(hi, lo, value, origin.type(), charge, Priority.LOW);
    }
  }

  /** Reads without pins. */
  static final class PinFree extends TieredBench<Object> {
    PinFree(TieredBlockCache<byte[]> cache, long charge) {
      super(cache, charge);
    }

    @Override
    public @Nullable Object lookup(long hi, long lo) {
      return cache.get(hi, lo, Origin.LOOKUP.type());
    }

    @Override
    public byte[] value(Object held) {
      return (byte[]) held;
    }

    @Override
    public void release(Object held) {}

    @Override
    public Object insertHeld(long hi, long lo, byte[] value, Origin origin) {
      insert(hi, lo, value, origin);
      return value;
    }
  }
}
