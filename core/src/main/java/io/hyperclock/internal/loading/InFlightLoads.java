/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.entry.Key128;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The loads under way, one per key. Nothing runs inside the map.
 *
 * <p><b>Why an erase may rely on the count.</b> A flight is counted before others can see it, since
 * any of them may take a queued one over and call its loader at once. An erase that reads zero
 * comes before all later counting, so what is loaded then is loaded after the erase has begun, and
 * is not what the erase is about. Values that a flight finds in the cache instead are not shared
 * with those who wait for it, so that this holds for them too.
 */
final class InFlightLoads<V> {
  private final ConcurrentMap<Key128, InFlightLoad<V>> flights;
  private final AtomicInteger underWay = new AtomicInteger();

  /** The top of a stack of waiters that could be neither served nor failed. */
  private final AtomicReference<@Nullable Waiter<V>> left = new AtomicReference<>();

  InFlightLoads() {
    this(new ConcurrentHashMap<>());
  }

  /** With a map that tests look into. */
  InFlightLoads(ConcurrentMap<Key128, InFlightLoad<V>> flights) {
    this.flights = flights;
  }

  /** Starts a flight, or returns the one of the same key that is there. */
  @Nullable InFlightLoad<V> start(InFlightLoad<V> flight) {
    failLeft();
    underWay.getAndIncrement();
    InFlightLoad<V> other;
    try {
      do {
        other = flights.putIfAbsent(flight.key, flight);
        // One that is over is still there if there was no memory to remove it.
      } while (other != null && other.isOver() && flights.remove(flight.key, other));
    } catch (Throwable e) {
      // It may be in the map all the same, and joined.
      finish(flight, LoadFailures.shared(e, false));
      throw e;
    }
    if (other != null) {
      underWay.getAndDecrement();
    }
    return other;
  }

  /**
   * Removes a flight and serves those who wait for it, the first time; returns how many were
   * guests.
   */
  int finish(InFlightLoad<V> flight, SharedResult<V> shared) {
    int guests = 0;
    try {
      flights.remove(flight.key, flight);
    } finally {
      if (flight.end()) {
        underWay.getAndDecrement();
        guests = flight.serveAll(shared, this);
      }
    }
    return guests;
  }

  /** Leaves a waiter for whom there is no memory to the next load. */
  void leave(Waiter<V> waiter) {
    Waiter<V> top;
    do {
      top = left.get();
      waiter.nextLeft = top;
      // Release: pairs with the exchange in failLeft, which takes all of them.
    } while (!left.compareAndSet(top, waiter));
  }

  /** Fails the waiters for whom there was no memory, if there is some now. */
  private void failLeft() {
    if (left.get() == null) {
      return;
    }
    Waiter<V> next;
    for (Waiter<V> waiter = left.getAndSet(null); waiter != null; waiter = next) {
      next = waiter.nextLeft;
      try {
        waiter.fail();
      } catch (Throwable e) {
        leave(waiter);
      }
    }
  }

  /** Keeps the value of a load of this key that began before now out of the cache. */
  void invalidate(long hi, long lo) {
    InFlightLoad<V> flight = of(hi, lo);
    if (flight != null && flight.permit.invalidate()) {
      flights.remove(flight.key, flight);
    }
  }

  /** Invalidates a load of this key for an insert, which does not wait. */
  void overtake(long hi, long lo) {
    InFlightLoad<V> flight = of(hi, lo);
    if (flight != null && flight.permit.overtake()) {
      flights.remove(flight.key, flight);
    }
  }

  /** The load of a key, or null; one read if there is none of any key. */
  private @Nullable InFlightLoad<V> of(long hi, long lo) {
    return underWay.get() == 0 ? null : flights.get(new Key128(hi, lo));
  }

  /** Loads begun or queued and not finished, those that were invalidated included. */
  int underWay() {
    return underWay.get();
  }
}
