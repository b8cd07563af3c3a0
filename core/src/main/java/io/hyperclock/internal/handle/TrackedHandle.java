/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import java.lang.ref.Reference;

/**
 * A handle whose place of birth is known. It is closed by one compare-and-set, so two threads that
 * close it at the same moment are distinguished.
 *
 * <p>The pin refers to this object weakly: closing keeps it reachable until the pin has ended, or a
 * handle just being closed might be taken for a leaked one.
 */
final class TrackedHandle<V> implements Handle<V> {
  private final HandleTracker tracker;
  private final PinnedHandle<V> pinned;
  private final HandleTracker.Pin pin;

  TrackedHandle(HandleTracker tracker, PinnedHandle<V> pinned) {
    this.tracker = tracker;
    this.pinned = pinned;
    this.pin = tracker.opened(this, pinned);
  }

  private PinnedHandle<V> pinned() {
    if (!pin.isOpen()) {
      throw PinnedHandle.released();
    }
    return pinned;
  }

  @Override
  public V value() {
    return pinned().value();
  }

  @Override
  public long keyHi() {
    return pinned().keyHi();
  }

  @Override
  public long keyLo() {
    return pinned().keyLo();
  }

  @Override
  public long chargeBytes() {
    return pinned().chargeBytes();
  }

  @Override
  public EntryType<?> type() {
    return pinned().type();
  }

  @Override
  public boolean isStandalone() {
    return pinned().isStandalone();
  }

  @Override
  public Handle<V> ref() {
    return pinned().ref();
  }

  @Override
  public boolean adjustCharge(long newChargeBytes) {
    boolean adjusted = pinned().adjustCharge(newChargeBytes);
    if (adjusted) {
      pin.chargeBytes = newChargeBytes;
    }
    return adjusted;
  }

  private boolean release(boolean useful, boolean eraseIfLast) {
    try {
      if (!pin.take(HandleTracker.Pin.CELL)) {
        tracker.reportDoubleClose(pin);
        return false;
      }
      boolean freed;
      try {
        freed = pinned.release(useful, eraseIfLast);
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
    return pin.isOpen() ? pinned.toString() : "Handle[released]";
  }
}
