/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.BlockCache;
import io.hyperclock.EntryVisitor;
import io.hyperclock.Handle;
import io.hyperclock.entry.Priority;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HyperClock, pinned or not.
 *
 * @param <H> what a reader holds
 */
abstract class HyperClockBench<H> implements BenchCache<H> {
  final BlockCache<byte[]> cache;
  final long charge;

  private HyperClockBench(BlockCache<byte[]> cache, long charge) {
    this.cache = cache;
    this.charge = charge;
  }

  /** Counts what is shown to a visitor. */
  static Scan scan(Consumer<EntryVisitor<byte[]>> entries) {
    long[] sums = new long[2];
    entries.accept(
        (hi, lo, value, type, chargeBytes) -> {
          sums[0]++;
          sums[1] += chargeBytes;
        });
    return new Scan(sums[0], sums[1]);
  }

  /** What a cache says about its settings, in words. */
  static List<String> problems(BlockCache<?> cache) {
    return cache.monitor().problems().stream()
        .map(problem -> problem.severity() + ": " + problem.message())
        .toList();
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
    return scan(cache.monitor()::forEachEntry);
  }

  @Override
  public final long occupancy() {
    return cache.monitor().occupancy();
  }

  @Override
  public final long slots() {
    return cache.monitor().slots();
  }

  @Override
  public final boolean keepsNewcomers() {
    return true;
  }

  @Override
  public final List<String> problems() {
    return problems(cache);
  }

  @Override
  public final void close() {
    cache.close();
  }

  /** Reads with pins. */
  static final class Pinned extends HyperClockBench<Handle<byte[]>> {
    Pinned(BlockCache<byte[]> cache, long charge) {
      super(cache, charge);
    }

    @Override
    public @Nullable Handle<byte[]> lookup(long hi, long lo) {
      return cache.lookup(hi, lo);
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
  static final class PinFree extends HyperClockBench<Object> {
    PinFree(BlockCache<byte[]> cache, long charge) {
      super(cache, charge);
    }

    @Override
    public @Nullable Object lookup(long hi, long lo) {
      return cache.get(hi, lo);
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
