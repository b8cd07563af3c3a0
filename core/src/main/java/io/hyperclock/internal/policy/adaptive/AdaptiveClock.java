/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.EvictionRequests;
import io.hyperclock.internal.policy.InitialState;
import io.hyperclock.internal.policy.LocalVictim;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * CLOCK with a probation, a memory of who left, and decisions learnt from duels.
 *
 * <p><b>Reads</b> do what they do under the classic clock, with one bit of countdown: the first use
 * after a visit writes, the others do not.
 *
 * <p><b>Inserts</b> start on probation, in a ring. When their turn comes to leave it, those held go
 * to main and those used meanwhile to its back; of the others each is compared with an unused entry
 * of main: which of the two stays depends on the difference of their frequencies and on how earlier
 * decisions of this kind turned out ({@link AdmissionDuels}). Frequencies outlive the entries
 * ({@link GhostTable}).
 *
 * <p><b>Many threads</b>: classes change by a compare-and-set of the cold word, everything else of
 * an entry by one of the meta word; a thread that loses such a race goes on to another entry. No
 * thread waits, and an insert looks at no more than {@value #LOOKS} slots for each entry's worth of
 * room before it takes the first unpinned entry. What an insert writes besides slots belongs to its
 * {@link EvictionRequest}, which one thread uses at a time: a ring, a stretch of the main hand, a
 * victim ({@link VictimSearch}). What all threads write is written once in many inserts. An entry
 * that the rings have lost, because its thread died, is adopted by main when the main hand meets it
 * for the second time.
 *
 * <p>WART: entries that hold more than their share of pins cost looks; a table with nearly
 * everything pinned decays to a plain clock.
 */
public final class AdaptiveClock implements Replacement {
  /** Countdown from which on further uses change nothing. */
  public static final int MAX_COUNTDOWN = 2;

  /** Fewest entries of a table for which it is of use. */
  public static final int MIN_ENTRIES = 32;

  /** Memory of its own for each slot of the table, rounded up. */
  public static final int BYTES_PER_SLOT = 8;

  static final int LOOKS = 32;

  /** Result of {@link #evict}: the entry was used or went another way. */
  static final long GONE = 0;

  /** Frequency of a key that is not remembered. */
  static final int FIRST = 1;

  private static final int UNUSED = 1;

  /** Slots from which on a look at another entry or a ghost waits for memory. */
  private static final int MANY_SLOTS = 1 << 11;

  /** Part of the capacity from which on slots are dear. */
  private static final int DEAR_SHARE = 128;

  private static final int PLACES_SHARE = 5;
  private static final int MIN_PLACES = 8;
  private static final int PURGE = 0;
  private static final int HAND = 1;

  final SlotProtocol slots;
  final SlotStore store;
  final CapacityView budget;
  final LearnedParameters learned;
  final SegmentWeights usage;
  final AdmissionDuels duels;
  private final GhostTable ghosts;

  /** By the number of the request that keeps them. */
  private final AtomicReferenceArray<VictimSearch> searches;

  private volatile long deathsSeen;
  private volatile long purgeEnd;
  private final PaddedCounters counters = new PaddedCounters(2);

  /**
   * A replacement for an empty table.
   *
   * @param slots its slots, with {@link #MAX_COUNTDOWN}
   * @param entries entries the table is made for
   */
  public AdaptiveClock(SlotProtocol slots, CapacityView budget, int entries) {
    this(
        slots,
        budget,
        entries,
        new LearnedParameters(),
        new SegmentWeights(),
        new GhostTable(Math.max(1, entries)));
  }

  private AdaptiveClock(
      SlotProtocol slots,
      CapacityView budget,
      int entries,
      LearnedParameters learned,
      SegmentWeights usage,
      GhostTable ghosts) {
    this.slots = slots;
    this.store = slots.store();
    this.budget = budget;
    this.learned = learned;
    this.usage = usage;
    this.searches = new AtomicReferenceArray<>(EvictionRequests.most(store.slots()));
    this.ghosts = ghosts;
    this.duels = new AdmissionDuels(slots, learned, budget, entries, MAX_COUNTDOWN);
  }

  @Override
  public Replacement resized(SlotProtocol others, int entries) {
    GhostTable known = ghosts.resized(Math.max(1, entries));
    return new AdaptiveClock(others, budget, entries, learned, usage, known);
  }

  @Override
  public int maxCountdown() {
    return MAX_COUNTDOWN;
  }

  @Override
  public int inherited(int policy) {
    return PolicyBits.withoutDuel(policy);
  }

  @Override
  public int newcomer(long hash, Priority priority, long chargeBytes) {
    long mixed = mixed(hash);
    long epoch = learned.epoch();
    int frequency = FIRST + bonus(priority);
    if (isRemembered(mixed)) {
      boolean isSample = duels.takesPart(mixed);
      if (isSample) {
        duels.missed(mixed);
      }
      int known = ghosts.frequency(mixed, epoch);
      if (isSample) {
        learned.came(known >= 0);
      }
      frequency = Math.min(PolicyBits.MAX_FREQUENCY, frequency + Math.max(0, known));
      ghosts.remember(mixed, frequency, epoch);
    }
    return InitialState.of(UNUSED, PolicyBits.of(frequency, epoch), priority == Priority.HIGH);
  }

  private boolean isRemembered(long mixed) {
    return !isSparing() || duels.takesPart(mixed);
  }

  /**
   * Whether few candidates are compared, and only keys of the sample looked up and remembered:
   * where keys do not come again, in a table whose lines are far away.
   */
  boolean isSparing() {
    return store.slots() >= MANY_SLOTS && !learned.doKeysReturn();
  }

  /** Whether slots take so much that entries cost their slot rather than their charge. */
  boolean areSlotsDear() {
    return (long) store.slots() * SlotStore.SLOT_BYTES > budget.capacityOfEntries() / DEAR_SHARE;
  }

  private static int bonus(Priority priority) {
    return switch (priority) {
      case HIGH -> 2;
      case LOW -> 0;
      case BOTTOM -> -1;
    };
  }

  /** Whether it was used since the hand met it, then its frequency, then its segment. */
  @Override
  public int worth(long meta, long cold) {
    int used = isUnused(meta) ? 0 : 2 * (PolicyBits.MAX_FREQUENCY + 1);
    int main = ChargeWord.isMain(cold) ? 1 : 0;
    return used + 2 * PolicyBits.frequency(MetaWord.policy(meta), learned.epoch()) + main;
  }

  @Override
  public int countdown(Priority priority) {
    return UNUSED;
  }

  @Override
  public long touch(EvictableEntries residents, long hash) {
    VictimSearch search = searches.getPlain(EvictionRequests.mine() & searches.length() - 1);
    long mixed = mixed(hash);
    long sum = isRemembered(mixed) ? ghosts.touch(mixed) : 0;
    return search == null ? sum : sum + store.touch(search.queue().next());
  }

  /** All bits of a hash in all bits; never {@link #GONE}. */
  private static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L;
    mixed ^= mixed >>> 32;
    return mixed == GONE ? 1 : mixed;
  }

  @Override
  public void admitted(int slot, long cold) {
    usage.add(cold);
    int mine = EvictionRequests.mine();
    for (int i = 0; i < searches.length(); i++) {
      VictimSearch search = searches.getAcquire(mine + i & searches.length() - 1);
      if (search != null && search.request().enter()) {
        search.admitted(slot, cold);
        search.request().end();
        return;
      }
    }
  }

  @Override
  public void admitted(int slot, long cold, EvictionRequest request) {
    request.segmentChanged(ChargeWord.isMain(cold), SegmentWeights.weightOf(cold));
    usage.flush(request);
    if (request.search() != null || request.number() >= 0) {
      search(request).admitted(slot, cold);
    }
  }

  @Override
  public void moved(int slot, long cold, EvictionRequest request) {
    if (!ChargeWord.isMain(cold) && (request.search() != null || request.number() >= 0)) {
      search(request).queue().enqueue(slot, store.tailAcquire(slot));
    }
  }

  private VictimSearch search(EvictionRequest request) {
    VictimSearch search = (VictimSearch) request.search();
    if (search == null) {
      search = new VictimSearch(this, request);
      request.keep(search);
      if (request.number() >= 0) {
        searches.setRelease(request.number(), search);
      }
    }
    return search;
  }

  /**
   * Takes the entry at the front of a ring, unless that is in use.
   *
   * @param number of the ring, among all numbers
   * @param own an entry that is to be newer, or {@link ProbationRing#NONE}
   * @return an older one, or {@link ProbationRing#NONE}
   */
  long takeOlder(int number, long own) {
    VictimSearch other = searches.getAcquire(number & searches.length() - 1);
    if (other == null || !other.request().enter()) {
      return ProbationRing.NONE;
    }
    long front = other.queue().ring().front();
    boolean taken =
        front != ProbationRing.NONE
            && (own == ProbationRing.NONE || ProbationRing.isOlder(front, own));
    if (taken) {
      other.queue().ring().pop();
    }
    other.request().end();
    return taken ? front : ProbationRing.NONE;
  }

  /** Entries of each ring at most. */
  int mostOnProbation() {
    return Math.max(MIN_PLACES, store.slots() / PLACES_SHARE);
  }

  /** The first slot of a stretch that the hand goes on by. */
  int moveHand(int stretch) {
    // [pointer] different stretches for different threads.
    return (int) Long.remainderUnsigned(counters.getAndAdd(HAND, stretch), store.slots());
  }

  @Override
  public void left(long cold) {
    usage.remove(cold);
  }

  @Override
  public void left(long cold, EvictionRequest request) {
    request.segmentChanged(ChargeWord.isMain(cold), -SegmentWeights.weightOf(cold));
  }

  @Override
  public void flush(EvictionRequest request) {
    usage.flush(request);
    if (request.number() >= 0) {
      search(request);
    }
  }

  @Override
  public void withdrawn(long cold, long last) {
    if (cold != last) {
      usage.add(cold);
      usage.remove(last);
    }
  }

  @Override
  public void recharged(long coldBefore, long coldAfter) {
    usage.recharge(coldBefore, coldAfter);
  }

  @Override
  public void makeRoom(EvictableEntries residents, EvictionRequest request) {
    search(request).run(residents);
  }

  /**
   * Unused entries first, then by frequency, then those of main: they have had their time. Were
   * those on probation first, two keys could evict each other for ever.
   */
  @Override
  public boolean makeRoomIn(
      EvictableEntries residents, int first, int second, EvictionRequest request) {
    long epoch = learned.epoch();
    return LocalVictim.evict(
        store,
        residents,
        first,
        second,
        (slot, meta) -> {
          int used = isUnused(meta) ? 0 : 2 * (PolicyBits.MAX_FREQUENCY + 1);
          int probation = ChargeWord.isMain(store.coldAcquire(slot)) ? 0 : 1;
          return used + 2 * PolicyBits.frequency(MetaWord.policy(meta), epoch) + probation;
        },
        (slot, meta) -> evict(slot, meta, residents, request) != GONE);
  }

  /**
   * The next slot to search for dead entries: for one full turn after some have died.
   *
   * @return a slot, or -1 for none
   */
  int nextToPurge(long deaths) {
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

  @Override
  public long searchedForDead() {
    return counters.get(PURGE);
  }

  static boolean isUnused(long meta) {
    return MetaWord.releases(meta) <= UNUSED;
  }

  /**
   * Takes the use of an entry into its frequency.
   *
   * @return its new word, or 0 if it has changed
   */
  long creditUse(int slot, long meta) {
    return slots.age(slot, meta, UNUSED, PolicyBits.used(MetaWord.policy(meta), learned.epoch()));
  }

  /** Moves an entry to main, unless it is gone or there. */
  void promote(int slot) {
    for (; ; ) {
      long cold = store.coldAcquire(slot);
      if (ChargeWord.isMain(cold)) {
        return;
      }
      if (store.compareAndSetCold(slot, cold, ChargeWord.asMain(cold))) {
        usage.promote(cold);
        return;
      }
    }
  }

  /** Moves an entry to main during a search; the request takes the change of the weights. */
  void promote(int slot, EvictionRequest request) {
    long cold = store.coldAcquire(slot);
    while (!ChargeWord.isMain(cold)) {
      if (store.compareAndSetCold(slot, cold, ChargeWord.asMain(cold))) {
        request.segmentChanged(false, -SegmentWeights.weightOf(cold));
        request.segmentChanged(true, SegmentWeights.weightOf(cold));
        return;
      }
      cold = store.coldAcquire(slot);
    }
  }

  /** The main hand has met an entry on probation. */
  void meetOnProbation(int slot, long meta, EvictionRequest request) {
    int history = MetaWord.policy(meta);
    if (PolicyBits.wasSeen(history)) {
      promote(slot, request);
    } else {
      slots.annotate(slot, meta, PolicyBits.withSeen(history));
    }
  }

  /**
   * Evicts an entry that was found unreferenced.
   *
   * @return its mixed hash, or {@link #GONE}
   */
  long evict(int slot, long meta, EvictableEntries residents, EvictionRequest request) {
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
