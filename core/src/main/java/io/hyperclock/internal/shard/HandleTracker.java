/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.Handle;
import io.hyperclock.HeldHandle;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Knows the tracked handles that are open, and finds those that nobody can close any more. There is
 * no thread for it: leaks are looked for whenever a handle is tracked or statistics are asked for.
 */
final class HandleTracker {
  private final int oneIn;
  private final long longPinNanos;
  private final Observation observation;
  private final LongSupplier nanoClock;
  private final Set<TrackedPin> open = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<TrackedHandle<?>> unreachable = new ReferenceQueue<>();
  private final IncidentLog leaks = new IncidentLog("a handle was not closed");
  private final IncidentLog longPins = new IncidentLog("a handle is held for long");
  private final IncidentLog doubleCloses;

  HandleTracker(
      Observation.Settings settings,
      Observation observation,
      IncidentLog doubleCloses,
      LongSupplier nanoClock) {
    this.oneIn = settings.leakDetection().oneIn();
    this.longPinNanos = settings.longPinAfter().toNanos();
    this.observation = observation;
    this.doubleCloses = doubleCloses;
    this.nanoClock = nanoClock;
  }

  /** The handle itself, or one in its place that is tracked. */
  <V> Handle<V> track(PinnedHandle<V> handle) {
    findLeaks();
    if (oneIn > 1 && ThreadLocalRandom.current().nextInt(oneIn) != 0) {
      return handle;
    }
    return new TrackedHandle<>(this, handle);
  }

  TrackedPin opened(TrackedHandle<?> handle, PinnedHandle<?> pinned) {
    TrackedPin pin = new TrackedPin(handle, pinned, unreachable, nanoClock.getAsLong());
    boolean added = false;
    try {
      open.add(pin);
      added = true;
    } finally {
      if (!added) {
        pin.end();
        open.remove(pin);
      }
    }
    return pin;
  }

  /** A pin has ended. */
  void forget(TrackedPin pin) {
    open.remove(pin);
  }

  void reportDoubleClose(TrackedPin pin) {
    doubleCloses.report("tracked,", pin, new Throwable("closed again here", pin.place()));
  }

  private void findLeaks() {
    for (Object found = unreachable.poll(); found != null; found = unreachable.poll()) {
      TrackedPin pin = (TrackedPin) found;
      forget(pin);
      if (pin.end()) {
        leaks.report("leaked,", pin, pin.place());
        observation.leaked(pin.toHeldHandle(nanoClock.getAsLong()));
      }
    }
  }

  void look() {
    findLeaks();
    long now = nanoClock.getAsLong();
    for (TrackedPin pin : open) {
      if (pin.heldNanos(now) >= longPinNanos && pin.claimLongPinReport()) {
        longPins.report("still open,", pin, pin.place());
        observation.heldForLong(pin.toHeldHandle(now));
      }
    }
  }

  long leakedHandles() {
    return leaks.count();
  }

  long longPins() {
    return longPins.count();
  }

  List<HeldHandle> longestHeld(int max) {
    findLeaks();
    long now = nanoClock.getAsLong();
    List<TrackedPin> pins = new ArrayList<>(open);
    pins.removeIf(TrackedPin::isEnded);
    pins.sort(Comparator.comparingLong((TrackedPin pin) -> pin.heldNanos(now)).reversed());
    return pins.stream().limit(max).map(pin -> pin.toHeldHandle(now)).toList();
  }
}
