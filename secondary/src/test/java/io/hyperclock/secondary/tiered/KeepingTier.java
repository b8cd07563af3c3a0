/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.util.concurrent.CompletableFuture;

/** A tier that cannot erase on advice. */
final class KeepingTier implements SecondaryCache {
  private final SecondaryCache inner;

  KeepingTier(long capacityBytes) {
    inner = new MapSecondaryCache(capacityBytes);
  }

  @Override
  public String name() {
    return "keeping";
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    return inner.insert(keyHi, keyLo, value, type, force);
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return inner.lookup(
        new TierRequest<>(
            request.keyHi(), request.keyLo(), request.type(), request.context(), false));
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    inner.erase(keyHi, keyLo);
  }

  @Override
  public boolean erasesOnAdvice() {
    return false;
  }

  @Override
  public void setCapacity(long capacityBytes) {
    inner.setCapacity(capacityBytes);
  }

  @Override
  public TierState state() {
    return inner.state();
  }

  @Override
  public TierStats stats() {
    return inner.stats();
  }

  @Override
  public void close() {
    inner.close();
  }
}
