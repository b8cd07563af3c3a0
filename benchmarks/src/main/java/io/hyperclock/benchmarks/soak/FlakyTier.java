/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A tier in front of another that throws, declines, is busy and answers late. */
final class FlakyTier implements SecondaryCache {
  private final SecondaryCache under;
  private final Executor executor;
  private final Mishaps mishaps;

  FlakyTier(SecondaryCache under, Executor executor, Mishaps mishaps) {
    this.under = under;
    this.executor = executor;
    this.mishaps = mishaps;
  }

  @Override
  public String name() {
    return under.name();
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    SplittableRandom random = mishaps.random();
    mishaps.delayOneIn(200, random);
    mishaps.throwOneIn(300, random, "insert of a tier");
    if (mishaps.strikes(random, 100)) {
      under.erase(keyHi, keyLo);
      return false;
    }
    return under.insert(keyHi, keyLo, value, type, force);
  }

  private <V> CompletableFuture<TierResult<V>> answer(
      Supplier<CompletableFuture<TierResult<V>>> lookup) {
    SplittableRandom random = mishaps.random();
    mishaps.throwOneIn(300, random, "lookup in a tier");
    if (mishaps.strikes(random, 100)) {
      return CompletableFuture.completedFuture(TierResult.miss(TierOutcome.BUSY));
    }
    if (mishaps.strikes(random, 300)) {
      return CompletableFuture.failedFuture(new Mishaps.Mishap("answer of a tier"));
    }
    CompletableFuture<TierResult<V>> result = lookup.get();
    if (mishaps.strikes(random, 100)) {
      return result.thenApplyAsync(
          found -> found,
          CompletableFuture.delayedExecutor(random.nextInt(20), TimeUnit.MILLISECONDS, executor));
    }
    return result;
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    return answer(() -> under.lookup(request));
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookupAndWait(TierRequest<V> request) {
    return answer(() -> under.lookupAndWait(request));
  }

  @Override
  public <V> List<CompletableFuture<TierResult<V>>> lookupAll(List<TierRequest<V>> requests) {
    mishaps.throwOneIn(300, mishaps.random(), "lookups in a tier");
    return under.lookupAll(requests).stream().map(each -> this.<V>answerLate(each)).toList();
  }

  private <V> CompletableFuture<TierResult<V>> answerLate(CompletableFuture<TierResult<V>> result) {
    SplittableRandom random = mishaps.random();
    return mishaps.strikes(random, 100)
        ? result.thenApplyAsync(
            found -> found,
            CompletableFuture.delayedExecutor(random.nextInt(20), TimeUnit.MILLISECONDS, executor))
        : result;
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    under.erase(keyHi, keyLo);
    mishaps.throwOneIn(50_000, mishaps.random(), "erase of a tier");
  }

  @Override
  public boolean erasesOnAdvice() {
    return under.erasesOnAdvice();
  }

  @Override
  public boolean isShared() {
    return under.isShared();
  }

  @Override
  public void setCapacity(long capacityBytes) {
    under.setCapacity(capacityBytes);
  }

  @Override
  public void deflate(long bytes) {
    under.deflate(bytes);
  }

  @Override
  public void inflate(long bytes) {
    under.inflate(bytes);
  }

  @Override
  public void onDrop(DropListener listener) {
    under.onDrop(listener);
  }

  @Override
  public TierState state() {
    return under.state();
  }

  @Override
  public TierStats stats() {
    return under.stats();
  }

  @Override
  public List<TierMetric> metrics() {
    return under.metrics();
  }

  @Override
  public void close() {
    under.close();
    mishaps.throwOneIn(20, mishaps.random(), "close of a tier");
  }
}
