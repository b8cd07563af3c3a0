/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.internal.adapter.Counters.Event;
import io.hyperclock.secondary.internal.tier.LookupDisposal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides what is offered to which tier. */
final class DemotionFilter<V> implements EvictionListener<V> {
  private final AdmissionPolicy policy;
  private final @Nullable EvictionListener<? super V> usersListener;
  private final Tiers tiers;
  private final RetainedCopyTypes kept;
  private final EvictionTimestamps bounds;
  private final InFlightTable registry;
  private final Counters counters;
  private final Demotion demotion;
  private volatile @Nullable FileKeys files;

  DemotionFilter(
      TieredConfig<V> config,
      Tiers tiers,
      RetainedCopyTypes kept,
      EvictionTimestamps bounds,
      InFlightTable registry,
      Counters counters,
      Demotion demotion) {
    this.policy = config.admission();
    this.usersListener = config.evictionListener();
    this.tiers = tiers;
    this.kept = kept;
    this.bounds = bounds;
    this.registry = registry;
    this.counters = counters;
    this.demotion = demotion;
  }

  void begin(FileKeys files) {
    this.files = files;
    for (int tier = 0; tier < tiers.count() - 1; tier++) {
      tiers.list().get(tier).onDrop(new NextTier(tier + 1));
    }
  }

  @Override
  public boolean onEviction(
      long hi, long lo, V value, EntryType<?> type, long chargeBytes, boolean wasHit) {
    if (FoundBelowMarks.isMark(type)) {
      return false;
    }
    bounds.report();
    try {
      return isTaken(hi, lo, value, type, chargeBytes, wasHit);
    } finally {
      bounds.reported();
    }
  }

  /** Whether the user's listener or the hand-off takes the value over. */
  private boolean isTaken(
      long hi, long lo, V value, EntryType<?> type, long chargeBytes, boolean wasHit) {
    EntryType<?> original = kept.original(type);
    if (usersListener != null
        && usersListener.onEviction(hi, lo, value, original, chargeBytes, wasHit)) {
      return true;
    }
    if (original.codec() == null || policy == AdmissionPolicy.THREE_QUEUES || isDropped(hi)) {
      return false;
    }
    int below = keptBy(type, hi, lo);
    if (below == 0) {
      if (tiers.count() > 0) {
        counters.count(original.role(), Event.KEPT_BELOW);
      }
      return false;
    }
    Adaptation adapting = tiers.adaptation();
    int first = adapting == null ? 0 : adapting.destination(hi, lo, original, chargeBytes, below);
    if (first >= below) {
      return false;
    }
    boolean force = forcesAll() || policy == AdmissionPolicy.HITS_ONLY && wasHit;
    return demotion.offer(
        new DemotionTask(
            hi,
            lo,
            TieredCache.untyped(original),
            () -> value,
            chargeBytes,
            first,
            below,
            force,
            DemotionTask.Source.EVICTED,
            () -> LookupDisposal.dispose(original, hi, lo, value)),
        bounds.moment());
  }

  /**
   * The first tier that need not be offered a value: one that is used, and has not forgotten it
   * meanwhile.
   */
  private int keptBy(EntryType<?> type, long hi, long lo) {
    int none = tiers.count();
    int tier = kept.keptBy(type, none);
    boolean isThere = tier < none && !tiers.isBanned(tier) && tiers.mayHold(tier, hi, lo);
    return isThere ? tier : none;
  }

  private boolean forcesAll() {
    return policy == AdmissionPolicy.ALL || policy == AdmissionPolicy.ADAPTIVE;
  }

  boolean isDropped(long hi) {
    FileKeys present = files;
    return present != null && present.isDropped(hi);
  }

  /** Writes an inserted value through to the lowest tier, if the policy says so. */
  void inserted(Handle<?> handle, long stamp) {
    offerHeld(handle, tiers.count() - 1, stamp);
  }

  boolean writesThrough(EntryType<?> type) {
    return policy == AdmissionPolicy.THREE_QUEUES && type.codec() != null && tiers.count() > 0;
  }

  /** Offers a value found in one tier to the one above it, if the policy says so. */
  void found(TierRead flight, Handle<?> handle, int tier) {
    if (policy != AdmissionPolicy.THREE_QUEUES || tier == 0) {
      return;
    }
    long bound = registry.now();
    if (registry.isFresh(flight)) {
      offerHeld(handle, tier - 1, bound);
    }
  }

  /**
   * Offers what the primary has to one tier. Throws nothing: callers have handles that they must
   * not lose.
   */
  void offerHeld(Handle<?> handle, int tier, long bound) {
    Handle<?> held;
    try {
      held = handle.ref();
    } catch (Throwable noPinOrNoMemory) {
      return;
    }
    boolean taken = false;
    try {
      DemotionTask offer =
          new DemotionTask(
              held.keyHi(),
              held.keyLo(),
              TieredCache.untyped(kept.original(held.type())),
              held::value,
              held.chargeBytes(),
              tier,
              tier + 1,
              false,
              DemotionTask.Source.HELD,
              () -> held.discard());
      taken = demotion.offer(offer, bound);
    } catch (Throwable noMemory) {
      // The tier goes without; the caller has what it asked for.
    } finally {
      if (!taken) {
        held.discard();
      }
    }
  }

  /**
   * Offers what one tier drops to the next. A tier that is not used any more may drop what has been
   * overwritten or erased since.
   */
  private final class NextTier implements DropListener {
    private final int tier;

    NextTier(int tier) {
      this.tier = tier;
    }

    @Override
    public <T> void onDrop(
        long hi, long lo, EntryType<T> type, long heldBytes, Supplier<@Nullable T> value) {
      if (policy == AdmissionPolicy.THREE_QUEUES || isDropped(hi) || tiers.isBanned(tier - 1)) {
        return;
      }
      bounds.report();
      try {
        demotion.offer(
            new DemotionTask(
                hi,
                lo,
                TieredCache.untyped(type),
                TieredCache.untyped(value),
                heldBytes,
                tier,
                tiers.count(),
                forcesAll(),
                DemotionTask.Source.DROPPED,
                () -> {}),
            bounds.moment());
      } finally {
        bounds.reported();
      }
    }
  }
}
