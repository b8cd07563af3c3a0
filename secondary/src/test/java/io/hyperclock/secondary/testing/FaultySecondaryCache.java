/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tier that misbehaves as real ones do, but keeps the contract: it fails, stalls, declines,
 * corrupts, lies and forgets, yet never blocks, throws or gives a wrong value.
 *
 * <p>What strikes follows from the seed and the number of the decision, so one thread sees the same
 * faults at every run. A stalled lookup has read, decoded and, if advised, erased when it stalls,
 * and answers with what it found then, however old that is meanwhile.
 */
public final class FaultySecondaryCache implements SecondaryCache {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final SecondaryCache inner;
  private final long seed;
  private final Executor executor;
  private final AtomicLong decisions = new AtomicLong();
  private final TierCounters counters = new TierCounters();
  private final Map<String, AtomicLong> struck = new ConcurrentHashMap<>();
  private final Set<Stalled<?>> stalled = ConcurrentHashMap.newKeySet();
  private volatile Faults faults = Faults.NONE;
  private volatile boolean closed;

  /** Answers on the calling thread unless stalled. */
  public FaultySecondaryCache(SecondaryCache inner, long seed) {
    this(inner, seed, Runnable::run);
  }

  /** Completes every lookup through {@code executor}. */
  public FaultySecondaryCache(SecondaryCache inner, long seed, Executor executor) {
    this.inner = inner;
    this.seed = seed;
    this.executor = executor;
  }

  /** Changes what happens from now on; lookups that are stalled stay so. */
  public void setFaults(Faults faults) {
    this.faults = faults;
  }

  /** Lookups that are stalled now. */
  public int stalled() {
    return stalled.size();
  }

  /** Lets all stalled lookups answer; returns how many. */
  public int releaseStalled() {
    List<Stalled<?>> all = new ArrayList<>(stalled);
    all.forEach(Stalled::answer);
    return all.size();
  }

  /** How often a fault struck, by the name of the component of {@link Faults}. */
  public long struck(String fault) {
    AtomicLong count = struck.get(fault);
    return count == null ? 0 : count.get();
  }

  private boolean strikes(String fault, double share) {
    if (share <= 0) {
      return false;
    }
    long decision = decisions.getAndIncrement();
    boolean strikes = new SplittableRandom(seed + STEP * decision).nextDouble() < share;
    if (strikes) {
      struck.computeIfAbsent(fault, name -> new AtomicLong()).incrementAndGet();
    }
    return strikes;
  }

  @Override
  public String name() {
    return "faulty " + inner.name();
  }

  @Override
  public <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force) {
    Faults now = faults;
    boolean accepted = inner.insert(keyHi, keyLo, value, type, force);
    if (strikes("decline", now.decline())) {
      inner.erase(keyHi, keyLo);
      accepted = false;
    } else if (strikes("forget", now.forget())) {
      inner.erase(keyHi, keyLo);
    }
    return counters.inserted(type.role(), accepted);
  }

  @Override
  public <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request) {
    Faults now = faults;
    if (!closed && strikes("fail", now.fail())) {
      return answer(request, CompletableFuture.completedFuture(missed(TierOutcome.UNAVAILABLE)));
    }
    if (!closed && strikes("corrupt", now.corrupt())) {
      inner.erase(request.keyHi(), request.keyLo());
      return answer(request, CompletableFuture.completedFuture(missed(TierOutcome.CORRUPT)));
    }
    TierRequest<V> asked = request;
    if (request.adviseErase() && strikes("ignoreAdvice", now.ignoreAdvice())) {
      asked =
          new TierRequest<>(
              request.keyHi(), request.keyLo(), request.type(), request.context(), false);
    }
    boolean lie = strikes("lie", now.lie());
    CompletableFuture<TierResult<V>> found =
        inner
            .lookup(asked)
            .thenApply(
                result ->
                    lie && result.isHit()
                        ? TierResult.hit(result.value(), result.chargeBytes(), !result.kept())
                        : result);
    if (!closed && strikes("stall", now.stall())) {
      Stalled<V> waiting = new Stalled<>(request, found, new CompletableFuture<>());
      stalled.add(waiting);
      Duration time = now.stallFor();
      if (time != null) {
        CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS)
            .execute(waiting::answer);
      }
      if (closed) {
        waiting.answer();
      }
      return waiting.future();
    }
    return answer(request, found);
  }

  private static <V> TierResult<V> missed(TierOutcome outcome) {
    return TierResult.miss(outcome);
  }

  private <V> CompletableFuture<TierResult<V>> answer(
      TierRequest<V> request, CompletableFuture<TierResult<V>> found) {
    CompletableFuture<TierResult<V>> future = new CompletableFuture<>();
    executor.execute(() -> found.thenAccept(result -> complete(request, future, result)));
    return future;
  }

  /** A value that nobody will get is freed here. */
  private <V> void complete(
      TierRequest<V> request, CompletableFuture<TierResult<V>> future, TierResult<V> result) {
    counters.lookedUp(request.type().role(), result.outcome());
    V value = result.value();
    if (!future.complete(result) && value != null) {
      dispose(request, value);
    }
  }

  @SuppressWarnings("unchecked")
  private static <V> void dispose(TierRequest<V> request, V value) {
    Disposer<? super V> disposer = ((EntryType<V>) request.type()).disposer();
    if (disposer != null) {
      disposer.dispose(request.keyHi(), request.keyLo(), value);
    }
  }

  @Override
  public void erase(long keyHi, long keyLo) {
    inner.erase(keyHi, keyLo);
  }

  @Override
  public boolean erasesOnAdvice() {
    return inner.erasesOnAdvice();
  }

  @Override
  public boolean isShared() {
    return inner.isShared();
  }

  @Override
  public void setCapacity(long capacityBytes) {
    inner.setCapacity(capacityBytes);
  }

  @Override
  public void deflate(long bytes) {
    inner.deflate(bytes);
  }

  @Override
  public void inflate(long bytes) {
    inner.inflate(bytes);
  }

  @Override
  public void onDrop(DropListener listener) {
    inner.onDrop(listener);
  }

  @Override
  public TierState state() {
    return inner.state();
  }

  @Override
  public List<TierMetric> metrics() {
    return inner.metrics();
  }

  @Override
  public TierStats stats() {
    TierStats stats = inner.stats();
    return counters.toStats(
        stats.capacityBytes(), stats.usageBytes(), stats.entries(), stats.dropped());
  }

  @Override
  public void close() {
    inner.close();
    closed = true;
    releaseStalled();
  }

  /** A lookup that has its answer but keeps it. */
  private final class Stalled<V> {
    private final TierRequest<V> request;
    private final CompletableFuture<TierResult<V>> found;
    private final CompletableFuture<TierResult<V>> future;

    Stalled(
        TierRequest<V> request,
        CompletableFuture<TierResult<V>> found,
        CompletableFuture<TierResult<V>> future) {
      this.request = request;
      this.found = found;
      this.future = future;
    }

    CompletableFuture<TierResult<V>> future() {
      return future;
    }

    void answer() {
      if (stalled.remove(this)) {
        executor.execute(() -> found.thenAccept(result -> complete(request, future, result)));
      }
    }
  }
}
