/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The search for entries to evict under the {@link AdaptiveClock}: it looks at the front of its
 * ring and at what its stretch of the main hand meets, and decides between the two. It belongs to a
 * {@link EvictionRequest} and so to one thread at a time; what it has found and not used is there
 * for the next search.
 */
final class VictimSearch {
  /** Where frequency counts, the least frequent of so many entries of main is a victim. */
  private static final int DRAWS = 3;

  /** Candidates that a victim is compared with beyond the first, if it stays. */
  private static final int MORE_COMPARISONS = 1;

  /** Of candidates that were never used, one in so many is compared when sparing, a power of 2. */
  private static final int UNKNOWN_PER_COMPARISON = 32;

  /** Share of the capacity by which main may seem too small while others exchange entries. */
  private static final int TRANSIT_SHARE = 256;

  /**
   * Entries that one insert moves to main at most: there is room for all at once after a change.
   */
  private static final int MOST_PROMOTIONS = 64;

  /** How many times as large as the others a newcomer is that makes idle entries leave. */
  private static final int AMPLY_LARGER = 4;

  /** Turns of the hand while newcomers of that kind fill the capacity once. */
  private static final double TURNS_PER_CAPACITY = 3;

  /** Slots that one of them visits at most. */
  private static final int MOST_IDLE_VISITS = 1 << 13;

  private final AdaptiveEntries clock;
  private final SlotStore store;
  private final EvictionRequest request;
  private final ProbationQueue queue;
  private final ClockStretch hand;

  /** Those of the table, from the first search on. */
  private @Nullable EvictableEntries residents;

  private long deaths;
  private long epoch;
  private long weight;

  /** Of what is held: an insert under way elsewhere must not make main look too small. */
  private long capacity;

  private long average;
  private long probationTarget;

  private int looks;

  private int inserts;

  private int uncompared;

  private long candidate;
  private long candidateMeta;
  private int victim;
  private long victimMeta;
  private int comparisons;
  private int least;
  private long leastMeta;

  VictimSearch(AdaptiveEntries clock, EvictionRequest request) {
    this.clock = clock;
    this.store = clock.store;
    this.request = request;
    this.hand = new ClockStretch(clock, request.number());
    this.queue = new ProbationQueue(clock, request.number());
    measure();
  }

  EvictionRequest request() {
    return request;
  }

  ProbationQueue queue() {
    return queue;
  }

  private EvictableEntries residents() {
    return Objects.requireNonNull(residents);
  }

  private int looks() {
    long needed = Math.max(request.bytes(), request.chargeBytes());
    return needed <= average ? AdaptiveEntries.LOOKS : looks(needed / average, store.slots());
  }

  /** Looks for the room of so many entries. */
  static int looks(long entries, int slots) {
    long looks = AdaptiveEntries.LOOKS * Math.max(1, Math.min(entries, slots));
    return (int) Math.min(Integer.MAX_VALUE, looks);
  }

  private long probation() {
    return clock.usage.probation() + request.probation();
  }

  private long main() {
    return clock.usage.main() + request.main();
  }

  /** Looks at how many entries there are, and of what weight. */
  private void measure() {
    long entries = Math.max(1, clock.budget.occupancy() + request.unknownEntries());
    average = Math.max(1, (probation() + main() + entries - 1) / entries);
    probationTarget = clock.learned.probationHalves(entries) * average / 2;
  }

  /** An entry was published. */
  void admitted(int slot, long cold) {
    if (++inserts >= clock.duels.missesPerTurn()) {
      inserts = 0;
      clock.duels.turn();
      measure();
    }
    if (!ChargeWord.isMain(cold)) {
      queue.enqueue(slot, store.tailAcquire(slot));
      promoteWhileFilling(SegmentWeights.weightOf(cold));
    }
  }

  /** While there is room, probation keeps its share and the rest goes to main unexamined. */
  private void promoteWhileFilling(long another) {
    long most = clock.budget.capacityOfEntries() - another;
    if (clock.budget.usageOfEntries() > most) {
      return;
    }
    measure();
    for (int i = 0;
        i < MOST_PROMOTIONS
            && probation() + main() <= most
            && probation() > probationTarget
            && main() < most - probationTarget
            && queue.length() > 0;
        i++) {
      queue.promoteOldest();
    }
  }

  void run(EvictableEntries all) {
    residents = all;
    deaths = all.deaths();
    epoch = clock.learned.epoch();
    weight = SegmentWeights.weight(request.chargeBytes());
    capacity = Math.min(probation() + main(), clock.budget.capacityOfEntries());
    looks = looks();
    leastMeta = 0;
    int allowed = looks;
    search();
    request.looked(allowed - looks);
  }

  private void search() {
    purge();
    evictIdle();
    while (!request.isFulfilled()) {
      if (looks <= 0) {
        if (leastMeta != 0) {
          evict(least, leastMeta);
        }
        new ForcedEviction(clock, residents(), queue, hand, request).run();
        return;
      }
      if (!isProbationFull()) {
        if (!evictVictim()) {
          evictCandidate();
        }
      } else if (isMainTooSmall()) {
        if (findCandidate()) {
          clock.promote(slotOfCandidate(), request);
        } else {
          evictVictim();
        }
      } else {
        compare();
      }
    }
  }

  /** Dead entries leave first. */
  private void purge() {
    if (deaths == 0) {
      return;
    }
    while (!request.isFulfilled() && looks > 1) {
      int slot = clock.nextToPurge(deaths);
      if (slot < 0) {
        return;
      }
      looks--;
      long meta = store.metaAcquire(slot);
      if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && isUseless(slot, meta)) {
        evict(slot, meta);
      }
    }
  }

  /**
   * Where slots are dear and what comes is much larger than what is there, entries leave that were
   * not used while most of the capacity was written. Compared one by one they would stay: each is
   * as good as one large entry, but a thousand of them take its place.
   */
  private void evictIdle() {
    if (weight / AMPLY_LARGER < average || !clock.areSlotsDear()) {
      return;
    }
    double share = (double) weight / Math.max(1, clock.budget.capacityOfEntries());
    long visits = (long) (TURNS_PER_CAPACITY * share * store.slots());
    for (long i = Math.min(MOST_IDLE_VISITS, visits); i > 0; i--) {
      int slot = hand.next();
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isVisible(meta) || MetaWord.refcount(meta) != 0) {
        continue;
      }
      int history = MetaWord.policy(meta);
      if (!AdaptiveEntries.isUnused(meta)) {
        clock.creditUse(slot, meta);
      } else if (PolicyBits.wasSeen(history)) {
        evict(slot, meta);
      } else {
        clock.slots.annotate(slot, meta, PolicyBits.withSeen(history));
      }
    }
  }

  private boolean isProbationFull() {
    return probation() + weight > probationTarget || queue.isFull();
  }

  private boolean isMainTooSmall() {
    return main() < capacity - capacity / TRANSIT_SHARE - probationTarget;
  }

  private boolean evictVictim() {
    return findVictim() && evict(victim, victimMeta) != AdaptiveEntries.GONE;
  }

  private void evictCandidate() {
    if (!request.isFulfilled()
        && findCandidate()
        && evict(slotOfCandidate(), candidateMeta) == AdaptiveEntries.GONE) {
      queue.enqueueAgain(candidate);
    }
  }

  private int slotOfCandidate() {
    return ProbationRing.slot(candidate);
  }

  private void compare() {
    if (!findCandidate()) {
      if (!request.isFulfilled() && findVictim()) {
        evict(victim, victimMeta);
      }
      return;
    }
    int slot = slotOfCandidate();
    if (!isWorthComparing(candidateMeta) || !findVictim()) {
      if (request.isFulfilled()) {
        queue.enqueueAgain(candidate);
      } else {
        evictOrEnqueue(slot);
      }
      return;
    }
    long victimTail = store.tailAcquire(victim);
    long candidateTail = store.tailAcquire(slot);
    int difference =
        LearnedParameters.clamped(
            PolicyBits.frequency(MetaWord.policy(candidateMeta), epoch)
                - PolicyBits.frequency(MetaWord.policy(victimMeta), epoch));
    if (clock.learned.score(difference) > 0) {
      long absent = evict(victim, victimMeta);
      if (absent == AdaptiveEntries.GONE) {
        queue.enqueueAgain(candidate);
      } else {
        clock.promote(slot, request);
        clock.duels.start(absent, slot, candidateTail, difference, AdmissionDuels.Kind.ADMITTED);
      }
    } else {
      long absent = evictOrEnqueue(slot);
      if (absent != AdaptiveEntries.GONE) {
        clock.duels.start(absent, victim, victimTail, difference, AdmissionDuels.Kind.REJECTED);
      }
    }
  }

  /** When sparing, most entries that were never used leave without a search. */
  private boolean isWorthComparing(long meta) {
    return frequency(meta) > AdaptiveEntries.FIRST
        || !clock.isSparing()
        || (++uncompared & UNKNOWN_PER_COMPARISON - 1) == 0;
  }

  private long evictOrEnqueue(int slot) {
    long absent = evict(slot, candidateMeta);
    if (absent == AdaptiveEntries.GONE) {
      queue.enqueueAgain(candidate);
    }
    return absent;
  }

  /** Takes an entry and frees it. */
  private long evict(int slot, long meta) {
    return clock.evict(slot, meta, residents(), request);
  }

  /**
   * Finds the next entry on probation that was not used, and takes it off the ring. What is held
   * goes to main: it is in use, and would only be met again here.
   */
  private boolean findCandidate() {
    while (looks > 0) {
      long token = queue.takeOldest();
      if (token == ProbationRing.NONE) {
        return false;
      }
      looks--;
      int slot = ProbationRing.slot(token);
      boolean current = ProbationRing.isTenant(token, store.tailAcquire(slot));
      long meta = store.metaAcquire(slot);
      if (!current || !MetaWord.isShareable(meta) || ChargeWord.isMain(store.coldAcquire(slot))) {
        continue;
      }
      if (MetaWord.refcount(meta) != 0) {
        request.sawPinned();
        clock.promote(slot, request);
      } else if (isUseless(slot, meta)) {
        if (evict(slot, meta) == AdaptiveEntries.GONE) {
          queue.enqueueAgain(token);
        } else if (request.isFulfilled()) {
          return false;
        }
      } else if (AdaptiveEntries.isUnused(meta)) {
        candidate = token;
        candidateMeta = meta;
        return true;
      } else {
        credit(slot, meta);
        queue.enqueueAgain(token);
      }
    }
    return false;
  }

  private boolean isUseless(int slot, long meta) {
    return !MetaWord.isVisible(meta) || deaths != 0 && residents().isDead(slot);
  }

  /** Finds an entry of main to leave; the least frequent of three where frequency counts. */
  private boolean findVictim() {
    if (comparisons > 0) {
      comparisons--;
      long meta = store.metaAcquire(victim);
      if (isUnusedMain(victim, meta)) {
        victimMeta = meta;
        return true;
      }
    }
    if (!findUnusedMain()) {
      return false;
    }
    comparisons = MORE_COMPARISONS;
    if (clock.learned.score(-1) < 0) {
      for (int draw = 1; draw < DRAWS; draw++) {
        int slot = victim;
        long meta = victimMeta;
        if (!findUnusedMain() || frequency(meta) <= frequency(victimMeta)) {
          victim = slot;
          victimMeta = meta;
        }
      }
    }
    return true;
  }

  /** Whether an entry is one that {@link #findUnusedMain} would find. */
  private boolean isUnusedMain(int slot, long meta) {
    return MetaWord.isVisible(meta)
        && MetaWord.refcount(meta) == 0
        && AdaptiveEntries.isUnused(meta)
        && !PolicyBits.isDuelling(MetaWord.policy(meta))
        && ChargeWord.isMain(store.coldAcquire(slot));
  }

  private int frequency(long meta) {
    return PolicyBits.frequency(MetaWord.policy(meta), epoch);
  }

  private boolean findUnusedMain() {
    while (looks > 0) {
      looks--;
      int slot = hand.next();
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isShareable(meta)) {
        continue;
      }
      if (MetaWord.refcount(meta) != 0) {
        request.sawPinned();
      } else if (isUseless(slot, meta)) {
        if (evict(slot, meta) != AdaptiveEntries.GONE && request.isFulfilled()) {
          return false;
        }
      } else if (!ChargeWord.isMain(store.coldAcquire(slot))) {
        clock.meetOnProbation(slot, meta, request);
      } else if (!PolicyBits.isDuelling(MetaWord.policy(meta))) {
        if (!AdaptiveEntries.isUnused(meta)) {
          credit(slot, meta);
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

  private void credit(int slot, long meta) {
    long credited = clock.creditUse(slot, meta);
    if (credited != 0 && (leastMeta == 0 || frequency(credited) < frequency(leastMeta))) {
      least = slot;
      leastMeta = credited;
    }
  }
}
