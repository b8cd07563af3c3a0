/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;

/**
 * What a {@link VictimSearch} finds in main: the hand visits slot by slot and credits the entries
 * that were used. Those that were not are victims.
 *
 * <p>It goes over a stretch of slots that no other thread visits meanwhile, and then takes the
 * next, so that the position all threads share is moved once in {@value #STRETCH} visits.
 */
final class MainHand {
  static final int STRETCH = 64;

  /** Part of a small table that is a stretch: threads are to visit different slots. */
  private static final int TABLE_SHARE = 4;

  /** Where frequency counts, the least frequent of so many entries of main is a victim. */
  private static final int DRAWS = 3;

  /** Candidates that a victim is compared with beyond the first, if it stays. */
  private static final int MORE_COMPARISONS = 1;

  /** Turns of the hand while newcomers that make idle entries leave fill the capacity once. */
  private static final double TURNS_PER_CAPACITY = 3;

  /** Slots that one of them visits at most. */
  private static final int MOST_IDLE_VISITS = 1 << 13;

  private final AdaptiveEntries clock;
  private final SlotStore store;
  private final EvictionRequest request;
  private final SearchSteps steps;
  private final int stretch;

  private int next;
  private int leftOfStretch;

  /** The slot found by {@link #findVictim}. */
  int victim;

  /** The word that the victim had. */
  long victimMeta;

  private int comparisons;

  MainHand(AdaptiveEntries clock, EvictionRequest request, SearchSteps steps) {
    this.clock = clock;
    this.store = clock.store;
    this.request = request;
    this.steps = steps;
    int most = Math.max(1, store.slots() / TABLE_SHARE);
    this.stretch = request.number() == EvictionRequest.NOT_KEPT ? 1 : Math.min(STRETCH, most);
  }

  /** The next slot that it visits. */
  int nextSlot() {
    if (leftOfStretch == 0) {
      leftOfStretch = stretch;
      next = clock.moveHand(stretch);
    }
    leftOfStretch--;
    int slot = next;
    next = slot + 1 == store.slots() ? 0 : slot + 1;
    return slot;
  }

  /**
   * Evicts what was not used since the last visit.
   *
   * @param weight of the newcomer that is much larger than what is there
   */
  void evictIdle(long weight) {
    double share = (double) weight / Math.max(1, clock.budget.capacityOfEntries());
    long visits = (long) (TURNS_PER_CAPACITY * share * store.slots());
    for (long i = Math.min(MOST_IDLE_VISITS, visits); i > 0; i--) {
      int slot = nextSlot();
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isVisible(meta) || MetaWord.refcount(meta) != 0) {
        continue;
      }
      int history = MetaWord.policy(meta);
      if (!AdaptiveEntries.isUnused(meta)) {
        clock.creditUse(slot, meta);
      } else if (PolicyBits.wasSeen(history)) {
        steps.evict(slot, meta);
      } else {
        clock.slots.annotate(slot, meta, PolicyBits.withSeen(history));
      }
    }
  }

  /** Evicts the victim that is found next; whether it did. */
  boolean evictVictim() {
    return findVictim() && steps.evict(victim, victimMeta) != AdaptiveEntries.GONE;
  }

  /** Finds an entry of main to leave; the least frequent of three where frequency counts. */
  boolean findVictim() {
    if (comparisons > 0) {
      comparisons--;
      long meta = store.metaAcquire(victim);
      if (isUnusedMain(victim, meta)) {
        victimMeta = meta;
        return true;
      }
    }
    if (!findUnused()) {
      return false;
    }
    comparisons = MORE_COMPARISONS;
    if (clock.learned.score(-1) < 0) {
      for (int draw = 1; draw < DRAWS; draw++) {
        int slot = victim;
        long meta = victimMeta;
        if (!findUnused() || steps.frequency(meta) <= steps.frequency(victimMeta)) {
          victim = slot;
          victimMeta = meta;
        }
      }
    }
    return true;
  }

  /** Whether an entry is one that {@link #findUnused} would find. */
  private boolean isUnusedMain(int slot, long meta) {
    return MetaWord.isVisible(meta)
        && MetaWord.refcount(meta) == 0
        && AdaptiveEntries.isUnused(meta)
        && !PolicyBits.isDuelling(MetaWord.policy(meta))
        && ChargeWord.isMain(store.coldAcquire(slot));
  }

  private boolean findUnused() {
    while (steps.looks > 0) {
      steps.looks--;
      int slot = nextSlot();
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isShareable(meta)) {
        continue;
      }
      if (MetaWord.refcount(meta) != 0) {
        request.sawPinned();
      } else if (steps.isUseless(slot, meta)) {
        if (steps.evict(slot, meta) != AdaptiveEntries.GONE && request.isFulfilled()) {
          return false;
        }
      } else if (!ChargeWord.isMain(store.coldAcquire(slot))) {
        clock.meetOnProbation(slot, meta, request);
      } else if (!PolicyBits.isDuelling(MetaWord.policy(meta))) {
        if (!AdaptiveEntries.isUnused(meta)) {
          steps.credit(slot, meta);
        } else if (!isFirstSight(slot, meta)) {
          victim = slot;
          victimMeta = meta;
          return true;
        }
      }
    }
    return false;
  }

  /** Where recency counts, an unused entry of main is left alone once. */
  private boolean isFirstSight(int slot, long meta) {
    int history = MetaWord.policy(meta);
    return clock.learned.score(0) > 0
        && !PolicyBits.wasSeen(history)
        && clock.slots.annotate(slot, meta, PolicyBits.withSeen(history));
  }
}
