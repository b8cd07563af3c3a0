/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.adapter.Counters.Event;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Lookups that the primary could not answer. */
final class TierLookups {
  private final BlockCache<Object> primary;
  private final InFlightTable registry;
  private final EvictionTimestamps bounds;
  private final Tiers tiers;
  private final FoundBelowMarks marks;
  private final RetainedCopyTypes kept;
  private final Counters counters;
  private final Demotion demotion;
  private final Promotion promotion;
  private final Expiry expiry;
  private volatile boolean closed;

  TierLookups(
      BlockCache<Object> primary,
      InFlightTable registry,
      EvictionTimestamps bounds,
      Tiers tiers,
      FoundBelowMarks marks,
      RetainedCopyTypes kept,
      Counters counters,
      Demotion demotion,
      Promotion promotion,
      Expiry expiry) {
    this.primary = primary;
    this.registry = registry;
    this.bounds = bounds;
    this.tiers = tiers;
    this.marks = marks;
    this.kept = kept;
    this.counters = counters;
    this.demotion = demotion;
    this.promotion = promotion;
    this.expiry = expiry;
  }

  /** Looks below and waits. */
  @Nullable Handle<Object> lookup(
      long hi, long lo, EntryType<Object> type, @Nullable Object context) {
    LookupWaiter waiter = new LookupWaiter();
    try {
      TierRead flight = join(hi, lo, type, context, waiter);
      if (flight != null) {
        start(flight, null, true);
      }
      waiter.await(0, false);
      return waiter.take();
    } catch (Throwable e) {
      waiter.abandon();
      throw e;
    }
  }

  <V> AsyncLookup<V> start(long hi, long lo, EntryType<Object> type, @Nullable Object context) {
    LookupWaiter waiter = new LookupWaiter();
    AsyncLookup<V> lookup = new PendingLookup<>(waiter, bounds);
    try {
      TierRead flight = enter(hi, lo, type, context, waiter);
      if (flight != null) {
        start(flight, null, false);
      }
    } catch (Throwable e) {
      lookup.close();
      throw e;
    }
    return lookup;
  }

  /** Looks into the primary first; returns the flight if it is the caller's to start. */
  private @Nullable TierRead enter(
      long hi, long lo, EntryType<Object> type, @Nullable Object context, LookupWaiter waiter) {
    Handle<Object> handle = primary.lookup(hi, lo);
    if (handle == null && type.codec() != null) {
      return join(hi, lo, type, context, waiter);
    }
    waiter.complete(handle == null ? null : kept.shown(handle));
    return null;
  }

  /**
   * Looks many up.
   *
   * @param pairs of words; the caller may change them afterwards
   */
  <V> List<AsyncLookup<V>> startAll(
      long[] pairs, EntryType<Object> type, @Nullable Object context) {
    long[] keys = Objects.requireNonNull(pairs, "keys must not be null").clone();
    if (keys.length % 2 != 0) {
      throw new IllegalArgumentException("keys must be pairs of words: keys.length=" + keys.length);
    }
    if (closed) {
      throw new IllegalStateException("cache must not be closed: closed=true");
    }
    List<AsyncLookup<V>> lookups = new ArrayList<>();
    try {
      startAll(keys, type, context, lookups);
    } catch (Throwable closedOrNoMemory) {
      for (int i = 0; i < lookups.size(); i++) {
        lookups.get(i).close();
      }
      throw closedOrNoMemory;
    }
    return lookups;
  }

  private <V> void startAll(
      long[] keys, EntryType<Object> type, @Nullable Object context, List<AsyncLookup<V>> lookups) {
    List<TierRead> led = new ArrayList<>(keys.length / 2);
    try {
      for (int i = 0; i < keys.length; i += 2) {
        LookupWaiter waiter = new LookupWaiter();
        lookups.add(new PendingLookup<>(waiter, bounds));
        TierRead flight = enter(keys[i], keys[i + 1], type, context, waiter);
        if (flight != null && flight.putBack != null) {
          startPutBack(flight);
        } else if (flight != null) {
          lead(led, flight);
        }
      }
    } finally {
      startLeading(led);
    }
  }

  /** There is room for it: what others can join must be started. */
  private static void lead(List<TierRead> led, TierRead flight) {
    led.add(flight);
  }

  /** Writers wait for what puts a value back, so such a flight must not wait for the others. */
  private void startPutBack(TierRead flight) {
    bounds.lead();
    try {
      start(flight, null, false);
    } finally {
      bounds.led();
    }
  }

  private void startLeading(List<TierRead> led) {
    bounds.lead();
    try {
      startAll(led);
    } catch (Throwable e) {
      for (int i = 0; i < led.size(); i++) { // Those that are under way, too; needs no memory.
        promotion.fail(led.get(i));
      }
      throw e;
    } finally {
      bounds.led();
    }
  }

  private void startAll(List<TierRead> led) {
    List<TierRead> together = new ArrayList<>();
    List<TierRequest<Object>> requests = new ArrayList<>();
    for (TierRead flight : led) {
      if (flight.after != null || tiers.count() == 0 || tiers.passesBy(0, flight.type)) {
        start(flight, null, false);
      } else {
        together.add(flight);
        requests.add(flight.request(isSecondTouch(flight)));
      }
    }
    if (!requests.isEmpty()) {
      startAll(together, requests, tiers.lookupAll(0, requests));
    }
  }

  /** If one cannot be started, the answers of the rest are freed. */
  private void startAll(
      List<TierRead> together,
      List<TierRequest<Object>> requests,
      List<CompletableFuture<TierResult<Object>>> answers) {
    int next = 0;
    try {
      while (next < answers.size()) {
        int one = next++;
        start(together.get(one), answers.get(one), false);
      }
    } finally {
      LookupDisposal.disposeAll(answers, requests, next);
    }
  }

  /**
   * Returns the flight if it is the caller's to start. One that puts a value back is started even
   * when closed, because no other thread owns that value any more: the primary refuses it and it is
   * freed.
   */
  private @Nullable TierRead join(
      long hi, long lo, EntryType<Object> type, @Nullable Object context, LookupWaiter waiter) {
    StackReserve.require(); // A read that is entered is to be made, and ended.
    Adaptation adapting = tiers.adaptation();
    if (adapting != null) {
      adapting.missed(hi, lo, type);
    }
    TierRead flight = new TierRead(new Key128(hi, lo), type, context, tiers, expiry, promotion);
    switch (registry.join(flight, waiter, bounds.mayJoin())) {
      case MISS -> {
        counters.count(type.role(), Event.LOOKUP);
        waiter.complete(null);
        return null;
      }
      case JOINED -> {
        waiter.joined();
        return null;
      }
      default -> {
        if (closed && flight.putBack == null) {
          promotion.fail(flight);
          return null;
        }
        return flight;
      }
    }
  }

  private void start(
      TierRead flight, @Nullable CompletableFuture<TierResult<Object>> asked, boolean waits) {
    DemotionTask putBack = flight.putBack;
    if (putBack != null) {
      try {
        demotion.putBack(putBack);
      } finally {
        promotion.putBack(flight, putBack);
      }
      return;
    }
    try {
      flight.start(asked == null ? isSecondTouch(flight) : flight.isSecondTouch(), asked, waits);
    } catch (Throwable e) {
      promotion.fail(flight);
      throw e;
    }
  }

  /** Not if its value must not go into the primary: then the tier is to keep it. */
  private boolean isSecondTouch(TierRead flight) {
    try {
      return marks.isSet(flight.key.hi(), flight.key.lo()) && registry.isFresh(flight);
    } catch (IllegalStateException closed) {
      return false;
    }
  }

  /** Ends the lookups that still wait; what they wait for will find no lookup. */
  void close() {
    closed = true;
    registry.flights().forEach(promotion::fail);
    expiry.close();
  }
}
