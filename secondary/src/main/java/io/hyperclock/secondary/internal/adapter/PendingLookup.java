/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.Handle;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.AsyncLookup;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the user holds of a lookup; the flight holds the {@link LookupWaiter} only. */
final class PendingLookup<V> implements AsyncLookup<V> {
  private static final Cleaner CLEANER = Cleaner.create();

  private final LookupWaiter waiter;
  private final EvictionTimestamps bounds;
  private final Cleaner.Cleanable cleanable;

  PendingLookup(LookupWaiter waiter, EvictionTimestamps bounds) {
    this.waiter = waiter;
    this.bounds = bounds;
    this.cleanable = CLEANER.register(this, waiter::forget);
  }

  static void awaitAll(Collection<? extends AsyncLookup<?>> lookups) {
    List<PendingLookup<?>> pending = ours(lookups);
    // First what can be done here: else it would wait for the end of a read, and others be unread.
    help(pending);
    pending.forEach(lookup -> lookup.waiter.await(0, false));
  }

  static void awaitAll(Collection<? extends AsyncLookup<?>> lookups, Duration timeout) {
    long deadline = deadline(timeout);
    ours(lookups).forEach(lookup -> lookup.awaitUntil(deadline));
  }

  /**
   * Lookups as what they are.
   *
   * @throws IllegalArgumentException if one is of another make
   */
  private static List<PendingLookup<?>> ours(Collection<? extends AsyncLookup<?>> lookups) {
    Objects.requireNonNull(lookups, "lookups must not be null");
    List<PendingLookup<?>> pending = new ArrayList<>(lookups.size());
    for (AsyncLookup<?> lookup : lookups) {
      Objects.requireNonNull(lookup, "lookups must not contain null");
      if (!(lookup instanceof PendingLookup<?> ours)) {
        throw new IllegalArgumentException(
            "lookups must be of tiered caches: lookup=" + lookup.getClass().getName());
      }
      pending.add(ours);
    }
    return pending;
  }

  @Override
  public boolean isDone() {
    return waiter.isDone();
  }

  @Override
  public @Nullable Handle<V> await() {
    waiter.await(0, false);
    return take();
  }

  @Override
  public @Nullable Handle<V> await(Duration timeout) {
    awaitUntil(deadline(timeout));
    return take();
  }

  /** As {@code await(Duration)}, but takes nothing. */
  void awaitUntil(long deadlineNanos) {
    waiter.await(deadlineNanos, true);
    waiter.expire();
  }

  /** Does what there is to be done for lookups, on this thread. */
  private static void help(List<PendingLookup<?>> lookups) {
    HelpSession session = new HelpSession();
    try {
      lookups.forEach(lookup -> lookup.waiter.mark(session));
      lookups.forEach(lookup -> lookup.help(session));
    } finally {
      session.close();
    }
  }

  /** Lookups by foreign code that runs here must not wait for reads which this thread serves. */
  private void help(HelpSession session) {
    StackReserve.require(); // What is led is to be ended.
    bounds.lead();
    try {
      waiter.help(session);
    } finally {
      bounds.led();
    }
  }

  /** Latest in about a hundred years. */
  private static long deadline(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout must not be null");
    Duration longest = Duration.ofNanos(Long.MAX_VALUE >> 2);
    Duration wait = timeout.compareTo(longest) < 0 ? timeout : longest;
    return System.nanoTime() + (wait.isNegative() ? 0 : wait.toNanos());
  }

  @SuppressWarnings("unchecked")
  private @Nullable Handle<V> take() {
    Handle<V> handle = (Handle<V>) waiter.take();
    Reference.reachabilityFence(this);
    return handle;
  }

  @Override
  @SuppressWarnings("unchecked")
  public CompletableFuture<@Nullable Handle<V>> toFuture() {
    CompletableFuture<?> outcome = waiter.takeFuture();
    Reference.reachabilityFence(this);
    return (CompletableFuture<@Nullable Handle<V>>) outcome;
  }

  @Override
  public void close() {
    waiter.abandon();
    cleanable.clean();
  }
}
