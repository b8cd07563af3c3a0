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

/** What the handles of a pin have in common, tracked or not. */
public abstract class EntryHandle<V> implements Handle<V> {
  /** Null while it waits to be used again: it is not to keep a table that was left. */
  @Nullable PinTarget owner;

  @Nullable V value;
  int slot;

  EntryHandle(@Nullable PinTarget owner, int slot, @Nullable V value) {
    this.owner = owner;
    this.slot = slot;
    this.value = value;
  }

  /** Ends the pin, as {@link PinTarget#release} does; does nothing if it has ended. */
  abstract boolean release(boolean useful, boolean eraseIfLast);

  private void requireOpen() {
    if (isReleased()) {
      throw new IllegalStateException("handle must not be released: released=true");
    }
  }

  /** What it pins an entry of. */
  public final PinTarget pinned() {
    requireOpen();
    return Objects.requireNonNull(owner);
  }

  @Override
  public final V value() {
    requireOpen();
    return Objects.requireNonNull(value);
  }

  @Override
  public final long keyHi() {
    return pinned().keyHi(slot);
  }

  @Override
  public final long keyLo() {
    return pinned().keyLo(slot);
  }

  @Override
  public final long chargeBytes() {
    return pinned().chargeBytes(slot);
  }

  @Override
  public final EntryType<?> type() {
    return pinned().type(slot);
  }

  @Override
  public final boolean isStandalone() {
    return pinned().isStandalone();
  }

  @Override
  public final Handle<V> ref() {
    PinTarget pinned = pinned();
    V pinnedValue = value();
    // There is stack to make the handle of the reference, or to give the reference back.
    StackReserve.require();
    pinned.ref(slot);
    return pinned.handle(slot, pinnedValue);
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

  @Override
  public final void close() {
    release(true, false);
  }

  @Override
  public final boolean discard() {
    return release(false, false);
  }

  @Override
  public final boolean eraseIfLast() {
    return release(false, true);
  }

  @Override
  public final String toString() {
    PinTarget target = owner;
    return isReleased() || target == null
        ? "Handle[released]"
        : String.format(
            "Handle[%s, key=%s:%s]", target.type(slot), target.keyHi(slot), target.keyLo(slot));
  }
}
