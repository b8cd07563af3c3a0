/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.errors.StackReserve;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes of the primary after which copies below are outdated. Between the two steps of the {@link
 * InFlightTable} around one, nothing of the key moves up or down.
 */
final class TierWrites {
  private final BlockCache<Object> primary;
  private final InFlightTable registry;
  private final EvictionTimestamps bounds;
  private final Tiers tiers;
  private final Demotion demotion;
  private final DemotionFilter<?> descent;

  TierWrites(
      BlockCache<Object> primary,
      InFlightTable registry,
      EvictionTimestamps bounds,
      Tiers tiers,
      Demotion demotion,
      DemotionFilter<?> descent) {
    this.primary = primary;
    this.registry = registry;
    this.bounds = bounds;
    this.tiers = tiers;
    this.demotion = demotion;
    this.descent = descent;
  }

  /** Before a value of the type may get into the primary. */
  void expect(EntryType<?> type) {
    if (type.disposer() != null) {
      bounds.expectFreedByHand();
    }
  }

  /**
   * Makes a step on the primary.
   *
   * @param type type of the value, null if there is none
   * @param outdates whether copies below are older than the outcome
   */
  <R> R write(
      long hi, long lo, @Nullable EntryType<?> type, Supplier<R> step, Predicate<R> outdates) {
    StackReserve.require(); // A write that is begun is to be ended.
    Key128 key = new Key128(hi, lo);
    if (type != null) {
      expect(type);
      filled(hi, lo, type);
    }
    DemotionTask cancelled = registry.beginWrite(key, bounds.isNested());
    R result;
    boolean outdated;
    long stamp;
    try {
      demotion.cancelled(cancelled);
      bounds.enter();
      try {
        primary.invalidateLoad(hi, lo);
        result = step.get();
      } finally {
        bounds.exit();
      }
      outdated = outdates.test(result);
      if (outdated) {
        eraseBelow(key, type == null);
      }
    } finally {
      stamp = registry.endWrite(key);
    }
    if (outdated && type != null && descent.writesThrough(type)) {
      writeThrough(hi, lo, stamp);
    }
    return result;
  }

  private void filled(long hi, long lo, EntryType<?> type) {
    Adaptation adapting = tiers.adaptation();
    if (adapting != null) {
      adapting.costs.filled(hi, lo, type);
    }
  }

  /** A fill after a miss everywhere costs the tiers nothing, and leaves them what they noted. */
  private void eraseBelow(Key128 key, boolean always) {
    if (!registry.isAbsentBelow(key) || always) {
      tiers.erase(key);
    }
  }

  /**
   * Offers what the primary has now to the lowest tier: the value of the write that ended with the
   * stamp, or of a later one. In the latter case the registry refuses the offer, and the later
   * write makes its own. The value has been taken over by now, whatever happens here.
   */
  private void writeThrough(long hi, long lo, long stamp) {
    Handle<Object> handle;
    try {
      handle = primary.lookup(hi, lo);
    } catch (Throwable closedCrowdedOrNoMemory) {
      return; // The tier goes without; the caller has what it asked for.
    }
    if (handle != null) {
      descent.inserted(handle, stamp);
      handle.discard();
    }
  }

  /** Looks the primary up and loads what is missing. */
  @Nullable Handle<Object> lookup(
      long hi, long lo, EntryType<Object> type, BlockLoader<Object> loader) {
    return load(hi, lo, type, loader, fill -> primary.lookup(hi, lo, fill));
  }

  /** As {@link #lookup}, for a value that the collector owns. */
  @Nullable Object get(long hi, long lo, EntryType<Object> type, BlockLoader<Object> loader) {
    return load(hi, lo, type, loader, fill -> primary.get(hi, lo, fill));
  }

  private <R> @Nullable R load(
      long hi,
      long lo,
      EntryType<Object> type,
      BlockLoader<Object> loader,
      Function<Fill, @Nullable R> form) {
    StackReserve.require();
    Fill fill = new Fill(new Key128(hi, lo), type, loader, bounds.isNested());
    R result;
    bounds.enter();
    try {
      result = form.apply(fill);
    } finally {
      try {
        bounds.exit();
      } finally {
        fill.end();
      }
    }
    if (fill.loaded != null && descent.writesThrough(fill.loaded)) {
      writeThrough(hi, lo, fill.stamp);
    }
    return result;
  }

  /** Loads a value as a write, which lasts from before the load until it is in the primary. */
  private final class Fill implements BlockLoader<Object> {
    private final Key128 key;
    private final EntryType<Object> type;
    private final BlockLoader<Object> loader;
    private final boolean nested;
    private EntryType<?> asked;
    private boolean begun;

    /** Type of the value that the loader gave, null if there is none. */
    private @Nullable EntryType<?> loaded;

    /** Of the end of the write. */
    private long stamp;

    Fill(Key128 key, EntryType<Object> type, BlockLoader<Object> loader, boolean nested) {
      this.key = key;
      this.type = type;
      this.asked = type;
      this.loader = loader;
      this.nested = nested;
    }

    @Override
    public @Nullable Object load(long keyHi, long keyLo) throws Exception {
      DemotionTask cancelled = registry.beginWrite(key, nested);
      begun = true;
      demotion.cancelled(cancelled);
      Adaptation adapting = tiers.adaptation();
      long loading = adapting == null ? 0 : adapting.costs.now();
      Object value = loader.load(keyHi, keyLo);
      if (value != null) {
        if (adapting != null) {
          adapting.costs.loaded(type, loading);
        }
        eraseBelow(key, false);
        loaded = asked;
      }
      bounds.renew();
      return value;
    }

    @Override
    public EntryType<? super Object> type() {
      EntryType<? super Object> chosen = loader.type();
      EntryType<? super Object> used = chosen == null ? type : chosen;
      expect(used);
      asked = used;
      return used;
    }

    @Override
    public long chargeBytes(Object value) {
      return loader.chargeBytes(value);
    }

    @Override
    public Priority priority() {
      return loader.priority();
    }

    void end() {
      if (begun) {
        stamp = registry.endWrite(key);
      }
    }
  }
}
