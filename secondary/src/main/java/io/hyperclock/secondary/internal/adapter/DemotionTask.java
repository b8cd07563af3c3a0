/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value on its way to a tier. State and staleness are guarded by the {@link InFlightTable}; from
 * {@code QUEUED} exactly one step leads on, and the thread that makes it owns the value.
 */
final class DemotionTask {
  enum State {
    QUEUED,
    MOVING,
    ENDED
  }

  /** Where the value comes from. */
  enum Source {
    /** Evicted from the primary and taken over: can be put back. */
    EVICTED,
    /** Held by a handle, or left to the collector, while it is also elsewhere. */
    HELD,
    /** Dropped by a tier, not yet decoded. */
    DROPPED
  }

  /** Made with the task: the thread that ends it needs no memory for it. */
  final Key128 key;

  final EntryType<Object> type;
  final Supplier<@Nullable Object> value;
  final long chargeBytes;
  final int fromTier;
  final int toTier;
  final boolean force;
  final Source source;
  final Runnable release;
  final CompletableFuture<Void> ended = new CompletableFuture<>();
  State state = State.QUEUED;
  boolean stale;

  /** The thread that moves it. */
  @Nullable Thread mover;

  /** The tier that it moves to. */
  volatile int tier;

  /**
   * A new offer.
   *
   * @param release frees the value or the hold on it; called once, unless it is put back
   */
  DemotionTask(
      long hi,
      long lo,
      EntryType<Object> type,
      Supplier<@Nullable Object> value,
      long chargeBytes,
      int fromTier,
      int toTier,
      boolean force,
      Source source,
      Runnable release) {
    this.key = new Key128(hi, lo);
    this.type = type;
    this.value = value;
    this.chargeBytes = chargeBytes;
    this.fromTier = fromTier;
    this.tier = fromTier;
    this.toTier = toTier;
    this.force = force;
    this.source = source;
    this.release = release;
  }

  boolean canBePutBack() {
    return source == Source.EVICTED;
  }
}
