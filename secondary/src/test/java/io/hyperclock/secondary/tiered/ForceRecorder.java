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
import io.hyperclock.secondary.testing.NoOpSecondaryCache;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** A tier that notes what it was offered and keeps nothing. */
final class ForceRecorder implements SecondaryCache {
  final Set<String> offers = new TreeSet<>();
  private final SecondaryCache inner = new NoOpSecondaryCache();

  @Override
  public String name() {
    return "recorder";
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    offers.add(keyLo + " " + force);
    return false;
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return inner.lookup(request);
  }

  @Override
  public void erase(long keyHi, long keyLo) {}

  @Override
  public boolean erasesOnAdvice() {
    return true;
  }

  @Override
  public void setCapacity(long capacityBytes) {}

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
