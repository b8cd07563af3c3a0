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

/**
 * The search for entries to evict under the {@link AdaptiveClock}: it looks at the front of its
 * ring and at what its stretch of the main hand meets, and decides between the two. It belongs to a
 * {@link EvictionRequest} and so to one thread at a time; what it has found and not used is there
 * for the next search.
 */
final class VictimSearch {
  /** Of candidates that would lose all the same one in so many is compared, a power of 2. */
  private static final int LOSERS_PER_COMPARISON = 32;

  /**
   * How many times as large as the others newcomers are that make idle entries leave where slots
   * are dear. Compared one by one they would stay: each is as good as one large entry, but a
   * thousand of them take its place.
   */
  private static final int AMPLY_LARGER = 4;

  /** Newcomers over which a search takes the mean of the differences that it has yet to tell. */
  private static final int UNTOLD_NEWCOMERS = 64;

  /** Share of the capacity by which main may seem too small while others exchange entries. */
  private static final int TRANSIT_SHARE = 256;

  /**
   * Mean differences in size by which the segments may be off their shares: an exchange of two
   * entries that differ moves the border, and to put it right takes an entry that is not compared.
   */
  private static final int SPREADS = 4;

  /** Probation grows to at most this part of the capacity for the sake of large newcomers. */
  private static final int MOST_FOR_LARGEST = 4;

  /**
   * Entries that one insert moves to main at most: there is room for all at once after a change.
   */
  private static final int MOST_PROMOTIONS = 64;

  /** In a table with one entry in more slots than this a search looks at more of them. */
  private static final int SLOTS_PER_ENTRY = 8;

  private static final int MOST_SLOTS_PER_LOOK = 16;

  private final AdaptiveEntries clock;
  private final SlotStore store;
  final EvictionRequest request;
  final ProbationQueue queue;
  private final SearchSteps steps;
  private final MainHand hand;
  private long weight;

  private long average;

  /** By how much entries that differ in size may move the border between the segments. */
  private long slack;

  /** By how much probation may be too large, and main too small, before it is put right. */
  private long tolerance;

  private long probationTarget;
  private int slotsPerLook;
  private int inserts;

  /** Sum of what those have differed from the average. */
  private long differences;

  private long largest;
  private int uncompared;
  private long candidate;
  private long candidateMeta;

  VictimSearch(AdaptiveEntries clock, EvictionRequest request) {
    this.clock = clock;
    this.store = clock.store;
    this.request = request;
    this.steps = new SearchSteps(clock, request);
    this.hand = new MainHand(clock, request, steps);
    this.queue = new ProbationQueue(clock, request.number());
    measure();
  }

  private int looks() {
    long needed = Math.max(request.bytes(), request.chargeBytes());
    return needed <= average ? AdaptiveEntries.LOOKS : looks(needed / average, store.slots());
  }

  /** More looks where few slots have entries, a round at most, unless there are as many anyway. */
  static int looksWhereThin(int looks, int slotsPerLook, int slots) {
    return Math.max(looks, Math.min(slots, slotsPerLook * AdaptiveEntries.LOOKS));
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
    long sparsity = store.slots() / (SLOTS_PER_ENTRY * entries);
    slotsPerLook = (int) Math.max(1, Math.min(MOST_SLOTS_PER_LOOK, sparsity));
    long share = clock.learned.probationHalves(entries) * average / 2;
    // A newcomer as large as the largest is not to empty it.
    long forLargest = 2 * clock.learned.largest() - average;
    long most = clock.budget.capacityOfEntries() / MOST_FOR_LARGEST;
    probationTarget = Math.max(share, Math.min(forLargest, most));
    slack = clock.learned.spreads(SPREADS);
    tolerance = Math.max(slack, clock.budget.capacityOfEntries() / TRANSIT_SHARE);
  }

  /** An entry was published. */
  void admitted(int slot, long cold) {
    long newcomer = SegmentWeights.weightOf(cold);
    differences += Math.abs(newcomer - average);
    largest = Math.max(largest, newcomer);
    if (++inserts >= clock.duels.missesPerTurn()) {
      clock.learned.sizes(inserts, differences, largest);
      inserts = 0;
      differences = 0;
      largest = 0;
      clock.duels.turn();
      measure();
    }
    if (!ChargeWord.isMain(cold)) {
      queue.enqueue(slot, store.tailAcquire(slot));
      if (clock.budget.hasRoomFor(newcomer)) {
        promoteWhileFilling(newcomer);
      }
    }
  }

  /** While there is room, probation keeps its share and the rest goes to main unexamined. */
  private void promoteWhileFilling(long another) {
    long most = clock.budget.capacityOfEntries() - another;
    measure();
    for (int i = 0;
        i < MOST_PROMOTIONS
            && probation() + main() <= most
            && probation() > probationTarget
            && queue.ring.length > 0;
        i++) {
      queue.promoteOldest();
    }
  }

  void run(EvictableEntries all) {
    weight = SegmentWeights.weight(request.chargeBytes());
    int looks = looks();
    // Entries that are far apart are compared too.
    int most =
        request.hasTime()
            ? Math.max(looks, store.slots())
            : looksWhereThin(looks, slotsPerLook, store.slots());
    steps.begin(all, most);
    int purged = purge(looks - 1);
    search();
    request.looked(purged + most - steps.looks);
  }

  private void search() {
    if (weight / AMPLY_LARGER >= average && clock.areSlotsDear() && haveEntriesGrown()) {
      hand.evictIdle(weight);
    }
    while (!request.isFulfilled()) {
      if (steps.looks <= 0) {
        steps.evictLeastOfUsed();
        force();
        return;
      }
      if (!isProbationFull()) {
        if (!hand.evictVictim() && !request.isFulfilled() && findCandidate()) {
          evictOrEnqueue();
        }
      } else if (isMainTooSmall()) {
        if (findCandidate()) {
          clock.promote(slotOfCandidate(), request);
        } else {
          hand.evictVictim();
        }
      } else {
        compare();
      }
    }
  }

  /**
   * Whether newcomers are amply larger on average. Where sizes are only mixed, newcomers differ
   * from the average by less than two times. What is not told yet counts as if it were of many.
   */
  private boolean haveEntriesGrown() {
    long difference = Math.max(clock.learned.spreads(1), differences / UNTOLD_NEWCOMERS);
    return difference >= (AMPLY_LARGER - 1) * average;
  }

  /**
   * Dead entries leave first. The search for them does not use up the looks at others: files may be
   * dropped all the time.
   *
   * @param most slots to look at
   * @return slots looked at
   */
  private int purge(int most) {
    if (steps.deaths == 0) {
      return 0;
    }
    int looks = 0;
    for (; !request.isFulfilled() && looks < most; looks++) {
      int slot = clock.nextToPurge(steps.deaths);
      if (slot < 0) {
        break;
      }
      long meta = store.metaAcquire(slot);
      if (MetaWord.isShareable(meta)
          && MetaWord.refcount(meta) == 0
          && steps.isUseless(slot, meta)) {
        steps.evict(slot, meta);
      }
    }
    return looks;
  }

  private boolean isProbationFull() {
    return probation() + weight > probationTarget - slack || queue.ring.isFull();
  }

  /** Main is too small only if probation is too large: others may be about to insert. */
  private boolean isMainTooSmall() {
    return probation() > probationTarget + tolerance
        && main() < clock.budget.capacityOfEntries() - tolerance - probationTarget;
  }

  private int slotOfCandidate() {
    return ProbationRing.slot(candidate);
  }

  private void compare() {
    if (!findCandidate()) {
      if (!request.isFulfilled()) {
        hand.evictVictim();
      }
      return;
    }
    int slot = slotOfCandidate();
    if (!isWorthComparing(candidateMeta) || !hand.findVictim()) {
      if (request.isFulfilled()) {
        queue.enqueueAgain(candidate);
      } else {
        evictOrEnqueue();
      }
      return;
    }
    int victim = hand.victim;
    long victimTail = store.tailAcquire(victim);
    long candidateTail = store.tailAcquire(slot);
    int difference =
        LearnedParameters.clamped(
            steps.frequency(candidateMeta) - steps.frequency(hand.victimMeta));
    if (clock.learned.score(difference) > 0) {
      long absent = steps.evict(victim, hand.victimMeta);
      if (absent == AdaptiveEntries.GONE) {
        queue.enqueueAgain(candidate);
      } else {
        clock.promote(slot, request);
        clock.duels.start(absent, slot, candidateTail, difference, AdmissionDuels.Kind.ADMITTED);
      }
    } else {
      long absent = evictOrEnqueue();
      if (absent != AdaptiveEntries.GONE) {
        clock.duels.start(absent, victim, victimTail, difference, AdmissionDuels.Kind.REJECTED);
      }
    }
  }

  /** In a large table most candidates that would lose all the same leave without a search. */
  private boolean isWorthComparing(long meta) {
    return !clock.isLarge() || mayStay(meta) || (++uncompared & LOSERS_PER_COMPARISON - 1) == 0;
  }

  private boolean mayStay(long meta) {
    return clock.learned.mayCandidatesStay()
        && (steps.frequency(meta) > AdaptiveEntries.FIRST || clock.learned.doKeysReturn());
  }

  private long evictOrEnqueue() {
    long absent = steps.evict(slotOfCandidate(), candidateMeta);
    if (absent == AdaptiveEntries.GONE) {
      queue.enqueueAgain(candidate);
    }
    return absent;
  }

  /**
   * Finds the next entry on probation that was not used, and takes it off the ring. What is held
   * goes to main: it is in use, and would only be met again here.
   */
  private boolean findCandidate() {
    while (steps.looks > 0) {
      long token = queue.takeOldest();
      if (token == ProbationRing.NONE) {
        return false;
      }
      steps.looks--;
      int slot = ProbationRing.slot(token);
      boolean current = ProbationRing.isTenant(token, store.tailAcquire(slot));
      long meta = store.metaAcquire(slot);
      if (!current || !MetaWord.isShareable(meta) || ChargeWord.isMain(store.coldAcquire(slot))) {
        continue;
      }
      if (MetaWord.refcount(meta) != 0) {
        request.sawPinned();
        clock.promote(slot, request);
      } else if (steps.isUseless(slot, meta)) {
        if (steps.evict(slot, meta) == AdaptiveEntries.GONE) {
          queue.enqueueAgain(token);
        } else if (request.isFulfilled()) {
          return false;
        }
      } else if (AdaptiveEntries.isUnused(meta)) {
        candidate = token;
        candidateMeta = meta;
        return true;
      } else {
        steps.credit(slot, meta);
        queue.enqueueAgain(token);
      }
    }
    return false;
  }

  /**
   * The end of a search that has used up its looks: what is not pinned leaves, used or not, of the
   * ring first, then of main, then of all, as far as the effort cap allows.
   */
  void force() {
    for (long places = queue.ring.length; places > 0 && mustGoOn(); places--) {
      long token = queue.takeOwn();
      int slot = ProbationRing.slot(token);
      boolean current = ProbationRing.isTenant(token, store.tailAcquire(slot));
      if (!current || ChargeWord.isMain(store.coldAcquire(slot))) {
        continue;
      }
      long pinned = request.pinnedSeen();
      if (!evictUnlessPinned(slot)) {
        if (request.pinnedSeen() == pinned) {
          queue.enqueueAgain(token);
        } else {
          clock.promote(slot, request);
        }
      }
    }
    long count = store.slots();
    for (long visit = 0; visit < 2 * count && mustGoOn(); visit++) {
      int slot = hand.nextSlot();
      if (visit >= count || ChargeWord.isMain(store.coldAcquire(slot))) {
        evictUnlessPinned(slot);
      }
    }
  }

  private boolean mustGoOn() {
    return !request.isFulfilled() && !request.exceedsEffort();
  }

  private boolean evictUnlessPinned(int slot) {
    request.looked(1);
    long meta = store.metaAcquire(slot);
    if (!MetaWord.isShareable(meta)) {
      return false;
    }
    if (MetaWord.refcount(meta) != 0) {
      request.sawPinned();
      return false;
    }
    return steps.evict(slot, meta) != AdaptiveEntries.GONE;
  }
}
