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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A tier that accepts everything and notes what it was offered. */
final class OfferLog implements SecondaryCache {
  /** Reached past the log. */
  final MapSecondaryCache inner = new MapSecondaryCache(1 << 20);

  private final String name;
  private final boolean forgets;
  private final List<String> offers = new ArrayList<>();

  /**
   * An empty one.
   *
   * @param forgets whether it erases on advice
   */
  OfferLog(String name, boolean forgets) {
    this.name = name;
    this.forgets = forgets;
  }

  /** What was offered since the last call: the tier's name, and whether the offer was forced. */
  synchronized List<String> takeOffers() {
    List<String> taken = List.copyOf(offers);
    offers.clear();
    return taken;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    synchronized (this) {
      offers.add(force ? name + ", forced" : name);
    }
    return inner.insert(keyHi, keyLo, value, type, force);
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return inner.lookup(
        new TierRequest<>(
            request.keyHi(),
            request.keyLo(),
            request.type(),
            request.context(),
            forgets && request.adviseErase()));
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    inner.erase(keyHi, keyLo);
  }

  @Override
  public boolean erasesOnAdvice() {
    return forgets;
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
