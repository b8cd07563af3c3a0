/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A tier whose inserts stop, before they keep the value, until they are let go. */
final class GatedTier implements SecondaryCache {
  final MapSecondaryCache inner = new MapSecondaryCache(1 << 20);
  final CountDownLatch inserting = new CountDownLatch(1);
  final CountDownLatch letGo = new CountDownLatch(1);

  @Override
  public String name() {
    return "gated";
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    inserting.countDown();
    boolean accepted;
    try {
      if (!letGo.await(TierTestLimits.SECONDS, SECONDS)) {
        throw new IllegalStateException("nobody let go");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      accepted = inner.insert(keyHi, keyLo, value, type, force);
    }
    return accepted;
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return inner.lookup(request);
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    inner.erase(keyHi, keyLo);
  }

  @Override
  public boolean erasesOnAdvice() {
    return true;
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
