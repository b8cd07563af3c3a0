/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a pin that is not tracked. Small and plain, so that it is scalar-replaced where it
 * does not escape: a lookup with its close then allocates nothing.
 */
public final class PinnedHandle<V> implements Handle<V> {
  /** Null while it waits to be used again: it is not to keep a table that was left. */
  private @Nullable PinTarget owner;

  private @Nullable V value;
  private int slot;
  private boolean released;

  /** Whether its owner uses it again, so that closing it once more is no mistake. */
  private final boolean reusable;

  public PinnedHandle(PinTarget owner, int slot, V value) {
    this.owner = owner;
    this.slot = slot;
    this.value = value;
    this.reusable = false;
  }

  /** A released one, to be used again and again. */
  public PinnedHandle() {
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

  private void requireOpen() {
    if (released) {
      throw released();
    }
  }

  private PinTarget pinned() {
    requireOpen();
    return Objects.requireNonNull(owner);
  }

  public static IllegalStateException released() {
    return new IllegalStateException("handle must not be released: released=true");
  }

  @Override
  public V value() {
    requireOpen();
    return Objects.requireNonNull(value);
  }

  @Override
  public long keyHi() {
    return pinned().keyHi(slot);
  }

  @Override
  public long keyLo() {
    return pinned().keyLo(slot);
  }

  @Override
  public long chargeBytes() {
    return pinned().chargeBytes(slot);
  }

  /** See {@link PinTarget#chargeBytesSoon}. */
  long chargeBytesSoon() {
    return pinned().chargeBytesSoon(slot);
  }

  @Override
  public EntryType<?> type() {
    return pinned().type(slot);
  }

  @Override
  public boolean isStandalone() {
    return pinned().isStandalone();
  }

  @Override
  public Handle<V> ref() {
    PinTarget pinned = pinned();
    PinnedHandle<V> another = new PinnedHandle<>(pinned, slot, value());
    pinned.ref(slot);
    try {
      return pinned.tracked(another);
    } catch (Throwable e) {
      pinned.release(slot, false, false);
      throw e;
    }
  }

  @Override
  public boolean adjustCharge(long newChargeBytes) {
    PinTarget pinned = pinned();
    int at = slot;
    // Neither the end of the pin nor what follows the exchange of the charge must be left out.
    StackReserve.require();
    // A callback of an eviction may close this handle: the entry stays until its charge is right.
    pinned.ref(at);
    try {
      return pinned.adjustCharge(at, newChargeBytes);
    } finally {
      pinned.release(at, false, false);
    }
  }

  /** Ends the pin; see {@link PinTarget#release}. */
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

  @Override
  public void close() {
    release(true, false);
  }

  @Override
  public boolean discard() {
    return release(false, false);
  }

  @Override
  public boolean eraseIfLast() {
    return release(false, true);
  }

  @Override
  public String toString() {
    PinTarget target = owner;
    return released || target == null
        ? "Handle[released]"
        : String.format(
            "Handle[%s, key=%s:%s]", target.type(slot), target.keyHi(slot), target.keyLo(slot));
  }
}
