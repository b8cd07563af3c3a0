/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.Handle;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryType;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.LongSupplier;

/** Knows the tracked handles that are open. A leaked one is one that became unreachable. */
final class HandleTracker extends LeakTracker<HandleTracker.Pin> {
  private final ObserverNotifier observation;
  private final IncidentLog doubleCloses;

  HandleTracker(
      ObserverNotifier.Settings settings,
      ObserverNotifier observation,
      IncidentLog doubleCloses,
      LongSupplier nanoClock) {
    super(settings, "a handle was not closed", "a handle is held for long", nanoClock);
    this.observation = observation;
    this.doubleCloses = doubleCloses;
  }

  /** What is remembered of a tracked handle. */
  static final class Pin extends LeakTracker.Tracked {
    /** Of all pins: it does not distinguish them. */
    static final int CELL = 0;

    private final WeakReference<TrackedHandle<?>> handle;
    private final long keyHi;
    private final long keyLo;
    private final EntryType<?> type;
    private volatile long chargeBytes;

    Pin(TrackedHandle<?> handle, PinnedHandle<?> pinned, long nowNanos) {
      super(nowNanos);
      this.handle = new WeakReference<>(handle);
      this.keyHi = pinned.keyHi();
      this.keyLo = pinned.keyLo();
      this.type = pinned.type();
      this.chargeBytes = pinned.chargeBytes();
      opened(CELL);
    }

    void setChargeBytes(long chargeBytes) {
      this.chargeBytes = chargeBytes;
    }

    @Override
    boolean isLost() {
      return handle.refersTo(null);
    }

    private OpenHandle seen(long nowNanos) {
      return new OpenHandle(keyHi, keyLo, type, chargeBytes, age(nowNanos), thread, callers());
    }

    @Override
    public String toString() {
      return "key=" + keyHi + ":" + keyLo + ", type=" + type + ", " + super.toString();
    }
  }

  /** The handle itself, or one in its place that is tracked. */
  <V> Handle<V> track(PinnedHandle<V> handle) {
    return isChosen() ? new TrackedHandle<>(this, handle) : handle;
  }

  Pin opened(TrackedHandle<?> handle, PinnedHandle<?> pinned) {
    Pin pin = new Pin(handle, pinned, now());
    add(pin);
    return pin;
  }

  void reportDoubleClose(Pin pin) {
    doubleCloses.report("tracked,", pin, new Throwable("closed again here", pin.place));
  }

  /** It keeps its pin: the value may be in use although the handle is not. */
  @Override
  void lost(Pin pin, long nowNanos) {
    observation.leaked(pin.seen(nowNanos));
  }

  @Override
  void openForLong(Pin pin, long nowNanos) {
    observation.heldForLong(pin.seen(nowNanos));
  }

  List<OpenHandle> longestHeld(int max) {
    return oldest(max, Pin::seen);
  }
}
