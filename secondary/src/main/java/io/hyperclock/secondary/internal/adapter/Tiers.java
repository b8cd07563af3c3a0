/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import io.hyperclock.secondary.internal.tier.TierIncidentLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tiers, nearest first, as they should be: what a broken one throws is counted and becomes a
 * miss or a declined insert. One that fails to erase is not used any more, because it may give an
 * outdated value.
 */
final class Tiers {
  private final List<SecondaryCache> tiers;
  private final Watch watch;
  private final List<String> names;
  private final List<Boolean> erasesOnAdvice;
  private final List<Boolean> shared;
  private final List<TierIncidentLog> failures;
  private final LongAdder[] hits;
  private final List<TierIncidentLog> timeouts;
  private final List<TierReports> reports;

  /** Null if nothing is measured. Set before the cache is used. */
  private volatile @Nullable Adaptation adaptation;

  /** When the insert under way began, 0 if none is. */
  private final AtomicLongArray inserting;

  private final List<TierClosing> closings;
  private final Duration limit;
  private final long limitNanos;

  /**
   * Open tiers.
   *
   * @param limit how long one may take for an answer, an insert or its close
   */
  Tiers(List<SecondaryCache> tiers, Watch watch, Duration limit) {
    this.tiers = List.copyOf(tiers);
    this.watch = watch;
    this.names = tiers.stream().map(SecondaryCache::name).toList();
    this.erasesOnAdvice = tiers.stream().map(SecondaryCache::erasesOnAdvice).toList();
    this.shared = tiers.stream().map(SecondaryCache::isShared).toList();
    this.failures = names.stream().map(watch::failures).toList();
    this.hits = Stream.generate(LongAdder::new).limit(tiers.size()).toArray(LongAdder[]::new);
    this.timeouts = names.stream().map(watch::timeouts).toList();
    this.inserting = new AtomicLongArray(tiers.size());
    this.closings =
        IntStream.range(0, tiers.size())
            .mapToObj(
                i -> new TierClosing(tiers.get(i), names.get(i), e -> countFailure(i, "close", e)))
            .toList();
    this.reports =
        IntStream.range(0, tiers.size())
            .mapToObj(i -> new TierReports(tiers.get(i), (call, e) -> countFailure(i, call, e)))
            .toList();
    this.limit = limit;
    this.limitNanos = Expiry.nanos(limit);
  }

  void adapt(Adaptation adapting) {
    adaptation = adapting;
  }

  /** Who learns what pays, and decides by it; null if nothing is measured. */
  @Nullable Adaptation adaptation() {
    return adaptation;
  }

  String name(int tier) {
    return names.get(tier);
  }

  TierStats stats(int tier) {
    return reports.get(tier).stats();
  }

  /** What a tier says of itself, and what is measured of it. */
  List<TierMetric> metrics(int tier) {
    List<TierMetric> own = reports.get(tier).metrics();
    Adaptation adapting = adaptation;
    return adapting == null
        ? own
        : Stream.concat(own.stream(), adapting.metrics(tier).stream()).toList();
  }

  /** Whether a tier is not worth asking; then it is not known what it holds. */
  boolean passesBy(int tier, EntryType<Object> type) {
    Adaptation adapting = adaptation;
    return adapting != null && adapting.costs.passesBy(tier, type);
  }

  /** Measures an answer that came to who asked for it alone. */
  void measure(int tier, EntryType<Object> type, TierResult<Object> result, long asked) {
    Adaptation adapting = adaptation;
    if (adapting != null && result.isHit()) {
      adapting.costs.hit(tier, type, asked);
    }
  }

  private void countFailure(int tier) {
    failures.get(tier).report("an answer against the contract", null);
  }

  private void countFailure(int tier, String call, Throwable e) {
    failures.get(tier).report("call=" + call, e);
  }

  List<SecondaryCache> list() {
    return tiers;
  }

  int count() {
    return tiers.size();
  }

  boolean erasesOnAdvice(int tier) {
    return erasesOnAdvice.get(tier);
  }

  /** Whether this tier does not hold the key, nor will until something is offered from here. */
  boolean staysAbsent(int tier, TierResult<Object> result) {
    return result.outcome() == TierOutcome.ABSENT && !shared.get(tier);
  }

  long failures(int tier) {
    return failures.get(tier).count();
  }

  /** Reads that this tier answered with a value. */
  long hits(int tier) {
    return hits[tier].sum();
  }

  /** Waits that ended by the limit. */
  long timeouts(int tier) {
    return timeouts.get(tier).count();
  }

  /** A wait for an answer or for the end of a move has ended by the limit. Throws nothing. */
  void timedOut(int tier, long asked) {
    watch.timedOut(timeouts.get(tier), names.get(tier), limit, asked);
  }

  boolean isBanned(int tier) {
    return reports.get(tier).isBanned();
  }

  /**
   * Asks one tier.
   *
   * @param waits whether the caller does nothing before the answer is there
   */
  CompletableFuture<TierResult<Object>> lookup(
      int tier, TierRequest<Object> request, boolean waits) {
    if (isBanned(tier)) {
      return unavailable();
    }
    try {
      SecondaryCache asked = tiers.get(tier);
      CompletableFuture<TierResult<Object>> answer =
          waits ? asked.lookupAndWait(request) : asked.lookup(request);
      if (answer != null) {
        return answer;
      }
    } catch (Throwable e) {
      countFailure(tier, "lookup", e);
      return unavailable();
    }
    return failed(tier);
  }

  /** Asks one tier for many keys at once. */
  List<CompletableFuture<TierResult<Object>>> lookupAll(
      int tier, List<TierRequest<Object>> requests) {
    if (!isBanned(tier)) {
      List<CompletableFuture<TierResult<Object>>> answers = List.of();
      Throwable thrown = null;
      try {
        answers = tiers.get(tier).lookupAll(requests);
        if (answers.size() == requests.size()) {
          return answers.stream().map(answer -> answer == null ? failed(tier) : answer).toList();
        }
      } catch (Throwable e) {
        thrown = e;
      }
      LookupDisposal.disposeAll(answers, requests, 0); // First: what follows may find no memory.
      String what = thrown == null ? "an answer against the contract" : "call=lookupAll";
      failures.get(tier).report(what, thrown);
    }
    return requests.stream().map(any -> unavailable()).toList();
  }

  private CompletableFuture<TierResult<Object>> failed(int tier) {
    countFailure(tier);
    return unavailable();
  }

  private static CompletableFuture<TierResult<Object>> unavailable() {
    return CompletableFuture.completedFuture(TierResult.miss(TierOutcome.UNAVAILABLE));
  }

  /** Time of a question, for {@link #result}. */
  long asked() {
    Adaptation adapting = adaptation;
    return adapting == null ? watch.asked() : adapting.costs.now();
  }

  /** What a completed future holds. */
  TierResult<Object> result(int tier, CompletableFuture<TierResult<Object>> answer, long asked) {
    TierResult<Object> result = result(tier, answer);
    watch.answered(names.get(tier), result.outcome(), asked);
    return result;
  }

  private TierResult<Object> result(int tier, CompletableFuture<TierResult<Object>> answer) {
    try {
      TierResult<Object> result = answer.join();
      if (result != null) {
        if (result.isHit()) {
          hits[tier].increment();
        }
        return result;
      }
    } catch (CompletionException | CancellationException e) {
      countFailure(tier, "lookup", e);
      return TierResult.miss(TierOutcome.UNAVAILABLE);
    }
    countFailure(tier);
    return TierResult.miss(TierOutcome.UNAVAILABLE);
  }

  boolean insert(int tier, Key128 key, Object value, EntryType<Object> type, boolean force) {
    if (isBanned(tier) || !inserting.compareAndSet(tier, 0, begin())) {
      return false;
    }
    try {
      Adaptation adapting = adaptation;
      SecondaryCache into = tiers.get(tier);
      return adapting == null
          ? into.insert(key.hi(), key.lo(), value, type, force)
          : adapting.insert(tier, type, () -> into.insert(key.hi(), key.lo(), value, type, force));
    } catch (Throwable e) {
      countFailure(tier, "insert", e);
      erase(tier, key);
      return false;
    } finally {
      inserting.set(tier, 0);
    }
  }

  /** The time, but never 0. */
  static long begin() {
    return System.nanoTime() | 1;
  }

  /** Whether what began then, if it was not 0, has taken too long. */
  boolean isOverdue(long begun) {
    return begun != 0 && System.nanoTime() - begun > limitNanos;
  }

  /** What the tier says of itself, or what it keeps the cache waiting for. */
  TierState state(int tier) {
    if (closings.get(tier).isLate()) {
      return new TierState(TierState.Mode.CLOSED, "close has not returned: tierTimeout=" + limit);
    }
    if (!isBanned(tier) && isOverdue(inserting.get(tier))) {
      return new TierState(
          TierState.Mode.READ_ONLY, "an insert has not returned: tierTimeout=" + limit);
    }
    return reports.get(tier).state();
  }

  List<TierState> states() {
    return IntStream.range(0, tiers.size()).mapToObj(this::state).toList();
  }

  /** False if the tier throws; then it keeps what it had. */
  boolean setCapacity(int tier, long bytes) {
    try {
      tiers.get(tier).setCapacity(bytes);
      return true;
    } catch (Throwable e) {
      countFailure(tier, "setCapacity", e);
      return false;
    }
  }

  /** The list of the close before; null if there is none. */
  byte @Nullable [] restartList(int tier) {
    try {
      return tiers.get(tier).restartList();
    } catch (Throwable e) {
      countFailure(tier, "restartList", e);
      return null;
    }
  }

  /** Whether the tier may have the key; true if it does not say. */
  boolean mayHold(int tier, long hi, long lo) {
    try {
      return tiers.get(tier).mayHold(hi, lo);
    } catch (Throwable e) {
      countFailure(tier, "mayHold", e);
      return true;
    }
  }

  /** Hands a list over, to be kept by the close. */
  void keepRestartList(int tier, byte[] list) {
    try {
      tiers.get(tier).keepRestartList(list);
    } catch (Throwable e) {
      countFailure(tier, "keepRestartList", e);
    }
  }

  /** Erases a key from every tier. */
  void erase(Key128 key) {
    for (int tier = 0; tier < tiers.size(); tier++) {
      erase(tier, key);
    }
  }

  /** Throws nothing: the next tier is to be rid of the key too. */
  private void erase(int tier, Key128 key) {
    try {
      tiers.get(tier).erase(key.hi(), key.lo());
    } catch (Throwable e) {
      if (reports.get(tier).ban(e)) {
        watch.banned(names.get(tier));
      }
      failures.get(tier).report("call=erase", e);
    }
  }

  /**
   * One after another; takes the limit for each tier at most.
   *
   * @param left what must not be found again in a tier that is opened later
   */
  void close(Leftovers left) {
    for (int i = 0; i < tiers.size(); i++) {
      int tier = i;
      if (closings.get(tier).close(limit, () -> erase(tier, left))) {
        watch.closesLate(names.get(tier), limit);
      }
    }
  }

  /** Erases it; where an insert or an earlier erase may undo that, the tier is emptied. */
  private void erase(int tier, Leftovers left) {
    left.written().forEach(key -> erase(tier, key));
    boolean isDoubtful = false;
    for (DemotionTask offer : left.late()) {
      erase(tier, offer.key);
      isDoubtful |= offer.tier == tier;
    }
    if (isDoubtful || isBanned(tier)) {
      watch.closesEmpty(names.get(tier));
      setCapacity(tier, 0);
    }
  }
}
