/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.internal.budget.SharedBudget;
import io.hyperclock.secondary.internal.costs.Costs;
import io.hyperclock.secondary.internal.costs.Mean;
import io.hyperclock.secondary.internal.costs.Returns;
import io.hyperclock.secondary.internal.costs.ShareChoice;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets the adapter do what pays: passes samples on to {@link Costs} and {@link Returns}, and now
 * and then looks whether the share of the nearest tier in the budget should move.
 *
 * <p>Nothing here decides what is true, only what is worth the time: a value that does not move
 * down is gone as one that a tier declines, and a tier that is passed by answers as one that is
 * unavailable, so that the next write of the key erases it there. So no order between threads is
 * needed, and none is kept.
 */
final class Adaptation {
  /** Sampled evictions after which to look again. */
  private static final int EVICTIONS_PER_LOOK = 128;

  /** Inserts of which one is weighed. */
  private static final int INSERTS_PER_WEIGHING = 16;

  private static final String BEFORE = "compression.before";
  private static final String AFTER = "compression.after";

  final Costs costs;
  private final Returns returns;
  private final BlockCache<?> primary;
  private final List<SecondaryCache> tiers;
  private final @Nullable SharedBudget budget;
  private final Executor executor;
  private final Consumer<Runnable> runner;
  private final AtomicInteger evictions = new AtomicInteger();
  private final AtomicInteger inserts = new AtomicInteger();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final boolean movesShare;

  /**
   * Knows nothing yet.
   *
   * @param runner runs what evicts
   */
  Adaptation(
      BlockCache<?> primary,
      List<SecondaryCache> tiers,
      @Nullable SharedBudget budget,
      TieredConfig<?> config,
      Executor executor,
      Consumer<Runnable> runner) {
    this.primary = primary;
    this.tiers = tiers;
    this.budget = budget;
    this.movesShare = config.findsRatio() && budget != null;
    this.executor = executor;
    this.runner = runner;
    this.costs = new Costs(tiers.size(), budget != null, config.clock(), config.random());
    this.returns = new Returns(bytes(), config.random().nextLong());
  }

  private long bytes() {
    return budget == null
        ? primary.monitor().capacityBytes()
        : budget.split().primaryBytes() + budget.split().belowBytes();
  }

  /** A caller was given nothing and may load the value by itself; says nothing again. */
  <R> @Nullable R missedBelow(long hi, long lo) {
    costs.missed(hi, lo);
    return null;
  }

  /** Index of the tier that is to be offered a value that leaves, {@code end} for none. */
  int destination(long hi, long lo, EntryType<?> type, long chargeBytes, int end) {
    if (returns.evicted(hi, lo, chargeBytes)) {
      costs.evicted(type);
      if (evictions.incrementAndGet() % EVICTIONS_PER_LOOK == 0) {
        look();
      }
    }
    return costs.destination(type, end);
  }

  /** A lookup did not find a key in the primary. */
  void missed(long hi, long lo, EntryType<?> type) {
    long distance = returns.returned(hi, lo);
    if (distance >= 0) {
      costs.returned(type, distance);
    }
  }

  private void look() {
    if (looking.compareAndSet(false, true)) {
      try {
        executor.execute(this::adapt);
      } catch (Throwable refused) {
        looking.set(false);
      }
    }
  }

  private void adapt() {
    try {
      SharedBudget shared = budget;
      if (shared != null && movesShare && !shared.isRatioSet()) {
        moveShare(shared);
      }
      if (shared != null) {
        runner.accept(shared::retry);
      }
      if (tiers.size() == 1) {
        long below = tiers.get(0).stats().capacityBytes();
        costs.setReach(ShareChoice.reachBytes(below, costs));
      }
      returns.age(bytes());
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError closedOrBroken) {
      // A cache that is closed has nothing to adapt, and a tier that throws nothing to tell. What
      // finds no stack or memory is tried again by the next look.
    } finally {
      looking.set(false);
    }
  }

  private void moveShare(SharedBudget shared) {
    if (hasRoom(shared)) {
      double next = ShareChoice.next(bytes(), shared.ratio(), returns, costs);
      if (next != shared.ratio()) {
        runner.accept(() -> shared.suggestRatio(next));
      }
    }
    if (shared.ratio() == 0) {
      costs.fade(0);
    }
  }

  /** What is pinned or reserved beyond the budget says nothing of what pays. */
  private boolean hasRoom(SharedBudget shared) {
    return shared.overdraftBytes() == 0
        && primary.monitor().usageBytes() <= primary.monitor().capacityBytes();
  }

  /** Offers a value to a tier, and measures that. */
  boolean insert(int tier, EntryType<?> type, BooleanSupplier insert) {
    boolean weighs = tier == 0 && inserts.incrementAndGet() % INSERTS_PER_WEIGHING == 0;
    long before = weighs ? metric(BEFORE) : 0;
    long after = weighs ? metric(AFTER) : 0;
    long begun = costs.now();
    boolean accepted = insert.getAsBoolean();
    if (accepted) {
      costs.inserted(tier, type, begun);
      if (weighs && metric(BEFORE) > before) {
        costs.sizes(type, metric(BEFORE) - before, metric(AFTER) - after);
      }
    }
    return accepted;
  }

  /** What is known of a tier, for people: averages over all types. */
  List<TierMetric> metrics(int tier) {
    Mean mean = costs.mean(tier);
    return List.of(
        TierMetric.level("cost.load", "nanoseconds", Math.round(mean.loadNanos())),
        TierMetric.level("cost.hit", "nanoseconds", Math.round(mean.hitNanos())),
        TierMetric.level("cost.encoding", "nanoseconds", Math.round(mean.encodeNanos())),
        TierMetric.level("cost.returns", "per mille", Math.round(1000 * mean.chanceOfReturn())));
  }

  /** What a tier says that it compressed; 0 if it does not say so. */
  private long metric(String name) {
    try {
      for (TierMetric metric : tiers.get(0).metrics()) {
        if (metric.name().equals(name)) {
          return metric.value();
        }
      }
    } catch (RuntimeException broken) {
      return 0; // What it takes and gives is counted elsewhere.
    }
    return 0;
  }
}
