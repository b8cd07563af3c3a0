/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;

/**
 * One thread's search for entries to evict under the {@link AdaptiveClock}. It looks at the front
 * of the ring and at what the main hand meets, and decides between the two. Not shared; used again
 * with its request.
 */
final class Hunt {
  /** Where frequency counts, the least frequent of so many entries of main is a victim. */
  private static final int DRAWS = 3;

  /** Share of the capacity by which main may seem too small while others exchange entries. */
  private static final int TRANSIT_SHARE = 256;

  private final AdaptiveClock clock;
  private final SlotStore store;
  private final Residents residents;
  private final RoomRequest room;
  private long epoch;
  private long weight;

  /** Of what is held: an insert under way elsewhere must not make main look too small. */
  private long capacity;

  private long entries;
  private long average;

  private int looks;
  private int stripe;

  private int candidate;
  private long candidateMeta;
  private int victim;
  private long victimMeta;
  private int least;
  private long leastMeta;

  Hunt(AdaptiveClock clock, Residents residents, RoomRequest room) {
    this.clock = clock;
    this.store = clock.store;
    this.residents = residents;
    this.room = room;
  }

  private int looks() {
    long needed = Math.max(room.bytes(), room.chargeBytes());
    return needed <= average ? AdaptiveClock.LOOKS : looks(needed / average, store.slots());
  }

  /** Looks for the room of so many entries. */
  static int looks(long entries, int slots) {
    long looks = AdaptiveClock.LOOKS * Math.max(1, Math.min(entries, slots));
    return (int) Math.min(Integer.MAX_VALUE, looks);
  }

  private long probation() {
    return clock.usage.probation() + room.probation();
  }

  private long main() {
    return clock.usage.main() + room.main();
  }

  /** Looks at how many entries there are, and of what weight. */
  private void measure() {
    entries = Math.max(1, clock.budget.occupancy() + room.unknownEntries());
    average = Math.max(1, (probation() + main() + entries - 1) / entries);
  }

  private long probationTarget() {
    return clock.probationTarget(entries, average);
  }

  void run() {
    epoch = clock.learned.epoch();
    weight = ClassUsage.weight(room.chargeBytes());
    capacity = Math.min(probation() + main(), clock.budget.capacityOfEntries());
    measure();
    looks = looks();
    stripe = clock.stripes.mine();
    leastMeta = 0;
    int allowed = looks;
    hunt();
    room.looked(allowed - looks);
  }

  private void hunt() {
    purge();
    while (!room.isFulfilled()) {
      if (looks <= 0) {
        force();
        return;
      }
      measure();
      if (!isProbationFull()) {
        if (!evictVictim()) {
          evictCandidate();
        }
      } else if (isMainTooSmall()) {
        if (findCandidate()) {
          clock.promote(slotOfCandidate(), room);
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
    long deaths = residents.deaths();
    while (!room.isFulfilled() && looks > 1) {
      int slot = clock.nextToPurge(deaths);
      if (slot < 0) {
        return;
      }
      looks--;
      long meta = store.metaAcquire(slot);
      if (Meta.isShareable(meta) && Meta.refcount(meta) == 0 && isUseless(slot, meta)) {
        evict(slot, meta);
      }
    }
  }

  private boolean isProbationFull() {
    return probation() + weight > probationTarget() || clock.ring.isFull();
  }

  private boolean isMainTooSmall() {
    return main() < capacity - capacity / TRANSIT_SHARE - probationTarget();
  }

  private boolean evictVictim() {
    return findVictim() && evict(victim, victimMeta) != AdaptiveClock.GONE;
  }

  private void evictCandidate() {
    if (!room.isFulfilled()
        && findCandidate()
        && evict(slotOfCandidate(), candidateMeta) == AdaptiveClock.GONE) {
      clock.enqueue(candidate);
    }
  }

  private int slotOfCandidate() {
    return clock.ring.slot(candidate);
  }

  private void compare() {
    boolean hasVictim = findVictim();
    if (room.isFulfilled() || looks <= 0 && !hasVictim) {
      return;
    }
    if (!findCandidate()) {
      if (hasVictim && !room.isFulfilled()) {
        evict(victim, victimMeta);
      }
      return;
    }
    int slot = slotOfCandidate();
    if (!hasVictim) {
      evictOrEnqueue(slot);
      return;
    }
    long victimTail = store.tailAcquire(victim);
    long candidateTail = store.tailAcquire(slot);
    int difference =
        Learned.clamped(
            History.frequency(Meta.policy(candidateMeta), epoch)
                - History.frequency(Meta.policy(victimMeta), epoch));
    if (clock.learned.score(difference) > 0) {
      long absent = evict(victim, victimMeta);
      if (absent == AdaptiveClock.GONE) {
        clock.enqueue(candidate);
      } else {
        clock.promote(slot, room);
        clock.duels.start(absent, slot, candidateTail, difference, Duels.Kind.ADMITTED);
      }
    } else {
      long absent = evictOrEnqueue(slot);
      if (absent != AdaptiveClock.GONE) {
        clock.duels.start(absent, victim, victimTail, difference, Duels.Kind.REJECTED);
      }
    }
  }

  private long evictOrEnqueue(int slot) {
    long absent = evict(slot, candidateMeta);
    if (absent == AdaptiveClock.GONE) {
      clock.enqueue(candidate);
    }
    return absent;
  }

  private long evict(int slot, long meta) {
    return clock.evict(slot, meta, residents, room);
  }

  /**
   * Finds the next entry on probation that was not used, and takes it off the ring. What is held
   * goes to main: it is in use, and would only be met again here.
   */
  private boolean findCandidate() {
    while (looks > 0) {
      int token = clock.ring.pop();
      if (token == ProbationRing.NONE) {
        return false;
      }
      looks--;
      int slot = clock.ring.slot(token);
      boolean current = clock.ring.isTenant(token, store.tailAcquire(slot));
      long meta = store.metaAcquire(slot);
      if (!current || !Meta.isShareable(meta) || Cold.isMain(store.coldAcquire(slot))) {
        continue;
      }
      if (Meta.refcount(meta) != 0) {
        room.sawPinned();
        clock.promote(slot, room);
      } else if (isUseless(slot, meta)) {
        if (evict(slot, meta) == AdaptiveClock.GONE) {
          clock.enqueue(token);
        } else if (room.isFulfilled()) {
          return false;
        }
      } else if (AdaptiveClock.isUnused(meta)) {
        candidate = token;
        candidateMeta = meta;
        return true;
      } else {
        credit(slot, meta);
        clock.enqueue(token);
      }
    }
    return false;
  }

  private boolean isUseless(int slot, long meta) {
    return !Meta.isVisible(meta) || residents.deaths() != 0 && residents.isDead(slot);
  }

  /** Finds an unused entry of main to leave, of those the hand has met. */
  private boolean findVictim() {
    do {
      for (int slot = clock.stripes.takeVictim(stripe);
          slot >= 0;
          slot = clock.stripes.takeVictim(stripe)) {
        long meta = store.metaAcquire(slot);
        if (Meta.isShareable(meta) && isUnusedMain(slot, meta)) {
          victim = slot;
          victimMeta = meta;
          return true;
        }
        if (room.isFulfilled()) {
          return false;
        }
      }
    } while (looks > 0 && sweep());
    return false;
  }

  private int frequency(long meta) {
    return History.frequency(Meta.policy(meta), epoch);
  }

  /**
   * Lets the hand look for some victims at once.
   *
   * @return whether there are any
   */
  private boolean sweep() {
    int draws = clock.learned.score(-1) < 0 ? DRAWS : 1;
    int drawn = 0;
    int best = 0;
    int leastFrequency = 0;
    int found = 0;
    long place = clock.stripes.get(stripe, Stripes.HAND);
    while (looks > 0 && found < clock.victimsAhead && !room.isFulfilled()) {
      looks--;
      place = clock.hand.ready(place);
      int slot = Hand.slot(place);
      place = clock.hand.next(place);
      long meta = store.metaAcquire(slot);
      if (Meta.isShareable(meta) && isUnusedMain(slot, meta) && !isFirstSight(slot, meta)) {
        int frequency = frequency(meta);
        if (drawn == 0 || frequency < leastFrequency) {
          best = slot;
          leastFrequency = frequency;
        }
        if (++drawn == draws) {
          clock.stripes.setVictim(stripe, found++, best);
          drawn = 0;
        }
      }
    }
    if (drawn > 0) {
      clock.stripes.setVictim(stripe, found++, best);
    }
    clock.stripes.set(stripe, Stripes.HAND, place);
    return found > 0;
  }

  /** Whether an entry of main may leave; does what else the hand has to do with a slot. */
  private boolean isUnusedMain(int slot, long meta) {
    if (Meta.refcount(meta) != 0) {
      room.sawPinned();
    } else if (isUseless(slot, meta)) {
      evict(slot, meta);
    } else if (!Cold.isMain(store.coldAcquire(slot))) {
      clock.meetOnProbation(slot, meta, room);
    } else if (!History.isDuelling(Meta.policy(meta))) {
      if (AdaptiveClock.isUnused(meta)) {
        return true;
      }
      credit(slot, meta);
    }
    return false;
  }

  /** Where recency counts, an unused entry of main is left alone once. */
  private boolean isFirstSight(int slot, long meta) {
    int history = Meta.policy(meta);
    return clock.learned.score(0) > 0
        && !History.wasSeen(history)
        && clock.slots.annotate(slot, meta, History.withSeen(history));
  }

  private void credit(int slot, long meta) {
    long credited = clock.creditUse(slot, meta);
    if (credited != 0 && (leastMeta == 0 || frequency(credited) < frequency(leastMeta))) {
      least = slot;
      leastMeta = credited;
    }
  }

  /** All looks are used up: takes the least frequent entry seen, or else what is not pinned. */
  private void force() {
    if (leastMeta != 0) {
      evict(least, leastMeta);
    }
    for (long places = clock.ring.length(); places > 0 && mustGoOn(); places--) {
      int token = clock.ring.pop();
      if (token == ProbationRing.NONE) {
        break;
      }
      int slot = clock.ring.slot(token);
      boolean current = clock.ring.isTenant(token, store.tailAcquire(slot));
      if (!current || Cold.isMain(store.coldAcquire(slot))) {
        continue;
      }
      long pinned = room.pinnedSeen();
      if (!takeUnlessPinned(slot)) {
        if (room.pinnedSeen() == pinned) {
          clock.enqueue(token);
        } else {
          clock.promote(slot, room);
        }
      }
    }
    long count = store.slots();
    long place = clock.stripes.get(stripe, Stripes.HAND);
    for (long visit = 0; visit < 2 * count && mustGoOn(); visit++) {
      place = clock.hand.ready(place);
      int slot = Hand.slot(place);
      place = clock.hand.next(place);
      if (visit >= count || Cold.isMain(store.coldAcquire(slot))) {
        takeUnlessPinned(slot);
      }
    }
    clock.stripes.set(stripe, Stripes.HAND, place);
  }

  private boolean mustGoOn() {
    return !room.isFulfilled() && !room.exceedsEffort();
  }

  private boolean takeUnlessPinned(int slot) {
    room.looked(1);
    long meta = store.metaAcquire(slot);
    if (!Meta.isShareable(meta)) {
      return false;
    }
    if (Meta.refcount(meta) != 0) {
      room.sawPinned();
      return false;
    }
    return evict(slot, meta) != AdaptiveClock.GONE;
  }
}
