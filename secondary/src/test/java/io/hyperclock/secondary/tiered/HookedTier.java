/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A tier around another, with code of the test before and after what changes it. */
final class HookedTier implements SecondaryCache {
  private final SecondaryCache inner;
  volatile Runnable beforeInsert = () -> {};
  volatile Runnable afterInsert = () -> {};
  volatile Runnable beforeLookup = () -> {};
  volatile Runnable beforeErase = () -> {};
  volatile Runnable beforeSetCapacity = () -> {};
  volatile Runnable beforeClose = () -> {};
  volatile Runnable beforeState = () -> {};

  /** Whether lookups find it too busy to look. */
  volatile boolean isBusy;

  /** Whether lookups are never answered. */
  volatile boolean isHung;

  /** Whether an answer comes when somebody waits for it, and not before. */
  volatile boolean answersLater;

  private static final class Later<V> extends CompletableFuture<TierResult<V>> {
    private final TierResult<V> result;

    Later(TierResult<V> result) {
      this.result = result;
    }

    @Override
    public CompletableFuture<TierResult<V>> whenComplete(
        BiConsumer<? super TierResult<V>, ? super Throwable> action) {
      CompletableFuture<TierResult<V>> after = super.whenComplete(action);
      complete(result);
      return after;
    }
  }

  HookedTier(SecondaryCache inner) {
    this.inner = inner;
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    beforeInsert.run();
    boolean accepted = inner.insert(keyHi, keyLo, value, type, force);
    afterInsert.run();
    return accepted;
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    beforeLookup.run();
    if (isHung) {
      return new CompletableFuture<>();
    }
    CompletableFuture<TierResult<V>> answer =
        isBusy
            ? CompletableFuture.completedFuture(TierResult.miss(TierOutcome.BUSY))
            : inner.lookup(request);
    return answersLater ? new Later<>(answer.join()) : answer;
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    beforeErase.run();
    inner.erase(keyHi, keyLo);
  }

  @Override
  public boolean erasesOnAdvice() {
    return inner.erasesOnAdvice();
  }

  @Override
  public boolean keepsRestartList() {
    return inner.keepsRestartList();
  }

  @Override
  public byte @Nullable [] restartList() {
    return inner.restartList();
  }

  @Override
  public void keepRestartList(byte[] list) {
    inner.keepRestartList(list);
  }

  @Override
  public boolean mayHold(long keyHi, long keyLo) {
    return inner.mayHold(keyHi, keyLo);
  }

  @Override
  public void setCapacity(long capacityBytes) {
    beforeSetCapacity.run();
    inner.setCapacity(capacityBytes);
  }

  @Override
  public TierState state() {
    beforeState.run();
    return inner.state();
  }

  @Override
  public List<TierMetric> metrics() {
    return inner.metrics();
  }

  @Override
  public TierStats stats() {
    return inner.stats();
  }

  @Override
  public void close() {
    beforeClose.run();
    inner.close();
  }
}
