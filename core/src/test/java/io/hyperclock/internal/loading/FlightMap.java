/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does something as soon as others can see a flight, or when one is to be removed. */
final class FlightMap extends ConcurrentHashMap<Key128, InFlightLoad<String>> {
  private static final long serialVersionUID = 1L;

  /** Run once. */
  final transient AtomicReference<@Nullable Runnable> whenSeen = new AtomicReference<>();

  /** Run once, before it is removed. */
  final transient AtomicReference<@Nullable Runnable> whenRemoved = new AtomicReference<>();

  @Override
  public @Nullable InFlightLoad<String> putIfAbsent(Key128 key, InFlightLoad<String> flight) {
    InFlightLoad<String> other = super.putIfAbsent(key, flight);
    run(whenSeen);
    return other;
  }

  @Override
  public boolean remove(Object key, Object flight) {
    run(whenRemoved);
    return super.remove(key, flight);
  }

  private static void run(AtomicReference<@Nullable Runnable> once) {
    Runnable action = once.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }
}
