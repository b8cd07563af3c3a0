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
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes of the primary after which copies below are outdated. Between the two steps of the {@link
 * Registry} around one, nothing of the key moves up or down.
 */
final class Writes {
  private final BlockCache<Object> primary;
  private final Registry registry;
  private final Bounds bounds;
  private final Tiers tiers;
  private final Demotion demotion;
  private final Descent<?> descent;

  Writes(
      BlockCache<Object> primary,
      Registry registry,
      Bounds bounds,
      Tiers tiers,
      Demotion demotion,
      Descent<?> descent) {
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
    Key128 key = new Key128(hi, lo);
    if (type != null) {
      expect(type);
    }
    begin(key, bounds.isNested());
    R result;
    boolean outdated;
    long stamp;
    try {
      bounds.enter();
      try {
        primary.outdateLoad(hi, lo);
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

  private void begin(Key128 key, boolean nested) {
    demotion.cancelled(registry.beginWrite(key, nested));
  }

  /** A fill after a miss everywhere costs the tiers nothing, and leaves them what they noted. */
  private void eraseBelow(Key128 key, boolean always) {
    if (!registry.isAbsentBelow(key) || always) {
      tiers.erase(key.hi(), key.lo());
    }
  }

  /** The value has been taken over by now, whatever happens here. */
  private void writeThrough(long hi, long lo, long stamp) {
    Handle<Object> handle;
    try {
      handle = primary.lookup(hi, lo);
    } catch (IllegalStateException closedOrCrowded) {
      return;
    }
    if (handle != null) {
      descent.inserted(handle, stamp);
      handle.release(false, false);
    }
  }

  /** Looks the primary up and loads what is missing. */
  @Nullable Handle<Object> load(
      long hi, long lo, EntryType<Object> type, BlockLoader<Object> loader) {
    Fill fill = new Fill(new Key128(hi, lo), type, loader, bounds.isNested());
    bounds.enter();
    try {
      return primary.lookup(hi, lo, fill);
    } finally {
      bounds.exit();
      fill.end();
    }
  }

  /** Loads a value as a write, which lasts from before the load until it is in the primary. */
  private final class Fill implements BlockLoader<Object> {
    private final Key128 key;
    private final EntryType<Object> type;
    private final BlockLoader<Object> loader;
    private final boolean nested;
    private boolean begun;

    Fill(Key128 key, EntryType<Object> type, BlockLoader<Object> loader, boolean nested) {
      this.key = key;
      this.type = type;
      this.loader = loader;
      this.nested = nested;
    }

    @Override
    public @Nullable Object load(long keyHi, long keyLo) throws Exception {
      begin(key, nested);
      begun = true;
      Object value = loader.load(keyHi, keyLo);
      if (value != null) {
        eraseBelow(key, false);
      }
      bounds.renew();
      return value;
    }

    @Override
    public EntryType<? super Object> type() {
      EntryType<? super Object> chosen = loader.type();
      EntryType<? super Object> used = chosen == null ? type : chosen;
      expect(used);
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
        registry.endWrite(key);
      }
    }
  }
}
