/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.internal.errors.StackReserve;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A handle whose place of birth is known. It is closed by one compare-and-set, so two threads that
 * close it at the same moment are distinguished.
 *
 * <p>The pin refers to this object weakly: closing keeps it reachable until the pin has ended, or a
 * handle just being closed might be taken for a leaked one.
 */
final class TrackedHandle<V> extends EntryHandle<V> {
  private final HandleTracker tracker;
  private final HandleTracker.Pin pin;

  /** Takes over the pin of another, which is not to be used any more; not if this throws. */
  TrackedHandle(HandleTracker tracker, PinnedHandle<V> other) {
    super(other.owner, other.slot, other.value);
    this.tracker = tracker;
    this.pin = tracker.opened(this, other);
  }

  @Override
  public boolean adjustCharge(long newChargeBytes) {
    boolean adjusted = super.adjustCharge(newChargeBytes);
    if (adjusted) {
      pin.chargeBytes = newChargeBytes;
    }
    return adjusted;
  }

  @Override
  boolean release(boolean useful, boolean eraseIfLast) {
    try {
      StackReserve.requireLittle();
      if (!pin.take(HandleTracker.Pin.CELL)) {
        tracker.reportDoubleClose(pin);
        return false;
      }
      boolean freed;
      try {
        freed = Objects.requireNonNull(owner).release(slot, useful, eraseIfLast);
      } catch (Throwable e) {
        pin.opened(HandleTracker.Pin.CELL);
        throw e;
      }
      tracker.remove(pin);
      return freed;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean isReleased() {
    return !pin.isOpen();
  }
}
