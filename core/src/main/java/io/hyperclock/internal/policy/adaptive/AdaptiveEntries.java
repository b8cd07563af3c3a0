/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import org.jspecify.annotations.Nullable;

/**
 * What the searches of an {@link AdaptiveClock} share: what is known of the entries, and the steps
 * by which one entry changes its segment or leaves.
 */
abstract class AdaptiveEntries {
  /** Countdown from which on further uses change nothing. */
  public static final int MAX_COUNTDOWN = 2;

  static final int LOOKS = 32;

  /** In a phase as many keys are inserted as half of the slots: more than are on probation. */
  private static final int SLOTS_PER_INSERT = 2;

  private static final int PHASES = 4;
  private static final int FIRST_TO_ADOPT = 2;

  /** Result of {@link #evict}: the entry was used or went another way. */
  static final long GONE = 0;

  /** Frequency of a key that is not remembered. */
  static final int FIRST = 1;

  static final int UNUSED = 1;

  /** Slots from which on a look at another entry waits for memory. */
  private static final int MANY_SLOTS = 1 << 11;

  /** Part of the capacity from which on slots are dear. */
  private static final int DEAR_SHARE = 128;

  private static final int PLACES_SHARE = 5;
  private static final int MIN_PLACES = 8;
  static final int PURGE = 0;
  private static final int HAND = 1;

  final SlotProtocol slots;
  final SlotStore store;
  final CapacityView budget;
  final LearnedParameters learned;
  final SegmentWeights usage;
  final AdmissionDuels duels;
  final GhostTable ghosts;
  private final int turnsPerPhase;

  private volatile long deathsSeen;
  private volatile long purgeEnd;
  final PaddedCounters counters = new PaddedCounters(2);

  /**
   * Of an empty table.
   *
   * @param entries entries the table is made for
   * @param before those of the table that it takes the place of, or null
   */
  AdaptiveEntries(
      SlotProtocol slots, CapacityView budget, int entries, @Nullable AdaptiveEntries before) {
    this.slots = slots;
    this.store = slots.store();
    this.budget = budget;
    this.learned = before == null ? new LearnedParameters() : before.learned;
    this.usage = before == null ? new SegmentWeights() : before.usage;
    int words = Math.max(1, entries);
    this.ghosts = before == null ? new GhostTable(words) : before.ghosts.resized(words);
    this.duels = new AdmissionDuels(slots, learned, budget, entries);
    this.turnsPerPhase = Math.max(1, store.slots() / SLOTS_PER_INSERT / duels.missesPerTurn());
  }

  /**
   * Takes the entry at the front of a ring, unless that is in use.
   *
   * @param number of the ring, among all numbers
   * @param own an entry that is to be newer, or {@link ProbationRing#NONE}
   * @return an older one, or {@link ProbationRing#NONE}
   */
  abstract long takeOlder(int number, long own);

  /** All bits of a hash in all bits; never {@link #GONE}. */
  static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L;
    mixed ^= mixed >>> 32;
    return mixed == GONE ? 1 : mixed;
  }

  /** Whether a key is looked up and remembered: where keys do not come again, one of the sample. */
  final boolean isRemembered(long mixed) {
    return duels.takesPart(mixed) || learned.doKeysReturn();
  }

  /** Whether lines of the table are far away, so that an entry is looked at only if it teaches. */
  final boolean isLarge() {
    return store.slots() >= MANY_SLOTS;
  }

  /** Whether slots take so much that entries cost their slot rather than their charge. */
  final boolean areSlotsDear() {
    return (long) store.slots() * SlotStore.SLOT_BYTES > budget.capacityOfEntries() / DEAR_SHARE;
  }

  /** Entries of each ring at most. */
  final int mostOnProbation() {
    return Math.max(MIN_PLACES, store.slots() / PLACES_SHARE);
  }

  /** The first slot of a stretch that the hand goes on by. */
  final int moveHand(int stretch) {
    // [pointer] different stretches for different threads.
    return (int) Long.remainderUnsigned(counters.getAndAdd(HAND, stretch), store.slots());
  }

  /**
   * The next slot to search for dead entries: for one full round after some have died.
   *
   * @return a slot, or -1 for none
   */
  final int nextToPurge(long deaths) {
    if (deaths != deathsSeen) {
      deathsSeen = deaths;
      purgeEnd = counters.get(PURGE) + store.slots();
    }
    if (counters.get(PURGE) >= purgeEnd) {
      return -1;
    }
    // [pointer] as above.
    return (int) Long.remainderUnsigned(counters.getAndAdd(PURGE, 1), store.slots());
  }

  static boolean isUnused(long meta) {
    return MetaWord.releases(meta) <= UNUSED;
  }

  /**
   * Takes the use of an entry into its frequency.
   *
   * @return its new word, or 0 if it has changed
   */
  final long creditUse(int slot, long meta) {
    return slots.age(slot, meta, UNUSED, PolicyBits.used(MetaWord.policy(meta), learned.epoch()));
  }

  /**
   * Moves an entry to main, unless it is gone or there.
   *
   * @param request of a search, which takes the change of the weights, or null
   */
  final void promote(int slot, @Nullable EvictionRequest request) {
    for (; ; ) {
      long cold = store.coldAcquire(slot);
      if (ChargeWord.isMain(cold)) {
        return;
      }
      if (store.compareAndSetCold(slot, cold, ChargeWord.asMain(cold))) {
        if (request == null) {
          usage.change(cold, ChargeWord.asMain(cold));
        } else {
          request.segmentChanged(false, -SegmentWeights.weightOf(cold));
          request.segmentChanged(true, SegmentWeights.weightOf(cold));
        }
        return;
      }
    }
  }

  /**
   * The main hand has met an entry on probation: it marks it, and adopts it if it finds the mark
   * again. In a large table it marks in the first of four phases and adopts in the last two: in the
   * second each ring comes to all of its entries, and what it keeps loses the mark. Else a hand
   * that finds little unused, and so goes round fast, would adopt what the rings have; probation
   * would never be full, and each insert would make the hand search again.
   */
  final void meetOnProbation(int slot, long meta, EvictionRequest request) {
    int history = MetaWord.policy(meta);
    if (PolicyBits.wasSeen(history)) {
      if (!isLarge() || phase() >= FIRST_TO_ADOPT) {
        promote(slot, request);
      }
    } else if (!isLarge() || phase() == 0) {
      slots.annotate(slot, meta, PolicyBits.withSeen(history));
    }
  }

  /** The phase of the search for entries that no ring has, by the number of inserts. */
  final int phase() {
    return (int) (learned.turns() / turnsPerPhase % PHASES);
  }

  /**
   * Evicts an entry that was found unreferenced.
   *
   * @return its mixed hash, or {@link #GONE}
   */
  final long evict(int slot, long meta, EvictableEntries residents, EvictionRequest request) {
    // Of another tenant if the word has changed: then it is not taken.
    long mixed = mixed(residents.hash(slot));
    if (!slots.take(slot, meta)) {
      return GONE;
    }
    request.freed(residents.evict(slot, meta, request));
    if (MetaWord.isVisible(meta) && MetaWord.wasHit(meta)) {
      // An entry that was not used has left its ghost at its insert.
      long epoch = learned.epoch();
      ghosts.remember(mixed, PolicyBits.frequency(MetaWord.policy(meta), epoch), epoch);
    }
    return mixed;
  }
}
