/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.LeakTracker;
import io.hyperclock.internal.observe.ObserverNotifier;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Knows the tracked handles that are open. A leaked one is one that became unreachable. */
public final class HandleTracker extends LeakTracker<HandleTracker.Pin> {
  private final ObserverNotifier observation;
  private final IncidentLog doubleCloses;

  /** The tracker of a cache, or null if its handles are not tracked. */
  public static @Nullable HandleTracker of(
      ObserverNotifier.Settings settings, ObserverNotifier observation, IncidentLog doubleCloses) {
    return settings.leakDetection().oneIn() == 0
        ? null
        : new HandleTracker(settings, observation, doubleCloses, System::nanoTime);
  }

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

    private final WeakReference<Handle<?>> handle;
    private final long keyHi;
    private final long keyLo;
    private final EntryType<?> type;
    volatile long chargeBytes;

    Pin(Handle<?> handle, PinnedHandle<?> pinned, long nowNanos) {
      super(nowNanos);
      this.handle = new WeakReference<>(handle);
      this.keyHi = pinned.keyHi();
      this.keyLo = pinned.keyLo();
      this.type = pinned.type();
      this.chargeBytes = pinned.chargeBytesSoon();
      opened(CELL);
    }

    @Override
    public boolean isLost() {
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

  /** Tracks a handle that is about to be opened for a pin. */
  Pin opened(Handle<?> handle, PinnedHandle<?> pinned) {
    Pin pin = new Pin(handle, pinned, now());
    add(pin);
    return pin;
  }

  void reportDoubleClose(Pin pin) {
    doubleCloses.report("tracked,", pin, new Throwable("closed again here", pin.place()));
  }

  /** It keeps its pin: the value may be in use although the handle is not. */
  @Override
  protected void lost(Pin pin, long nowNanos) {
    observation.leaked(pin.seen(nowNanos));
  }

  @Override
  protected void openForLong(Pin pin, long nowNanos) {
    observation.heldForLong(pin.seen(nowNanos));
  }

  /** The tracked handles that are open for longest. */
  public List<OpenHandle> longestHeld(int max) {
    return oldest(max, Pin::seen);
  }
}
