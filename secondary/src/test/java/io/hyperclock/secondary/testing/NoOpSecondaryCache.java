/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A tier that keeps nothing, and says so. */
public final class NoOpSecondaryCache implements SecondaryCache {
  private final TierCounters counters = new TierCounters();
  private volatile boolean closed;

  /** An open one. */
  public NoOpSecondaryCache() {}

  @Override
  public String name() {
    return "no-op";
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    Objects.requireNonNull(value, "value must not be null");
    if (Objects.requireNonNull(type, "type must not be null").codec() == null) {
      throw new IllegalArgumentException("type must have a codec: type=" + type.name());
    }
    return counters.inserted(type.role(), false);
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    TierOutcome outcome = closed ? TierOutcome.CLOSED : TierOutcome.ABSENT;
    counters.lookedUp(request.type().role(), outcome);
    return CompletableFuture.completedFuture(TierResult.miss(outcome));
  }

  @Override
  public void erase(long keyHi, long keyLo) {}

  @Override
  public boolean erasesOnAdvice() {
    return true;
  }

  @Override
  public void setCapacity(long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "capacityBytes must be >= 0: capacityBytes=" + capacityBytes);
    }
  }

  @Override
  public TierState state() {
    return closed ? TierState.CLOSED : TierState.OPEN;
  }

  @Override
  public TierStats stats() {
    return counters.toStats(0, 0, 0);
  }

  @Override
  public void close() {
    closed = true;
  }
}
