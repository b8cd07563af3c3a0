/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import java.util.Objects;

/**
 * The handle of a pin that is not tracked. Small and plain, so that it is scalar-replaced where it
 * does not escape and lookups hit: a lookup with its close then allocates nothing.
 */
public final class PinnedHandle<V> extends EntryHandle<V> {
  private boolean released;

  /** Whether its owner uses it again, so that closing it once more is no mistake. */
  private final boolean reusable;

  public PinnedHandle(PinTarget owner, int slot, V value) {
    super(owner, slot, value);
    this.reusable = false;
  }

  /** A released one, to be used again and again. */
  public PinnedHandle() {
    super(null, 0, null);
    this.released = true;
    this.reusable = true;
  }

  public boolean isReusable() {
    return reusable && released;
  }

  /** Takes over a pin; only if {@link #isReusable}. */
  public void reuse(PinTarget owner, int slot, V value) {
    this.owner = owner;
    this.slot = slot;
    this.value = value;
    this.released = false;
  }

  /** Takes over the pin of another, which is not to be used any more. */
  public void reuse(PinnedHandle<V> other) {
    reuse(other.pinned(), other.slot, other.value());
  }

  /** The slot of the entry there. */
  public int slot() {
    return slot;
  }

  /** See {@link PinTarget#chargeBytesSoon}. */
  long chargeBytesSoon() {
    return pinned().chargeBytesSoon(slot);
  }

  @Override
  public boolean release(boolean useful, boolean eraseIfLast) {
    PinTarget target = owner;
    if (released || target == null) {
      if (!reusable) {
        Objects.requireNonNull(target).reportDoubleClose(slot);
      }
      return false;
    }
    // Before the pin ends: a callback may look. What could not be ended is open again.
    released = true;
    boolean freed;
    try {
      freed = target.release(slot, useful, eraseIfLast);
    } catch (Throwable e) {
      released = false;
      throw e;
    }
    if (reusable && released) { // A callback may have pinned another entry with it.
      value = null;
      owner = null;
    }
    return freed;
  }

  @Override
  public boolean isReleased() {
    return released;
  }
}
