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
  private static final int MORE_DRAWS = 2;

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

  private int looks;
  private int hand;
  private long handFrom;
  private long handTo;

  private long candidate;
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

  private int looks(long held) {
    long average = Math.max(1, held / Math.max(1, occupancy()));
    return looks(Math.max(room.bytes(), room.chargeBytes()) / average, store.slots());
  }

  /** Looks for the room of so many entries. */
  static int looks(long entries, int slots) {
    long looks = AdaptiveClock.LOOKS * Math.max(1, Math.min(entries, slots));
    return (int) Math.min(Integer.MAX_VALUE, looks);
  }

  private long occupancy() {
    return clock.budget.occupancy() + room.unknownEntries();
  }

  private long probation() {
    return clock.usage.probation() + room.probation();
  }

  private long main() {
    return clock.usage.main() + room.main();
  }

  private long probationTarget(long probation, long main) {
    return clock.probationTarget(occupancy(), probation + main);
  }

  void run() {
    epoch = clock.learned.epoch();
    weight = ClassUsage.weight(room.chargeBytes());
    long held = probation() + main();
    capacity = Math.min(held, clock.budget.capacityOfEntries());
    looks = looks(held);
    hand = clock.hands.mine();
    leastMeta = 0;
    int allowed = looks;
    handFrom = clock.hands.position(hand);
    handTo = handFrom;
    hunt();
    moveHand();
    room.looked(allowed - looks);
  }

  /** The hand is moved once for all that was looked at. */
  private void moveHand() {
    if (handTo != handFrom) {
      handTo = clock.hands.move(hand, handFrom, handTo);
      handFrom = handTo;
    }
  }

  private int nextSlot() {
    return clock.hands.slot(handTo++);
  }

  private void hunt() {
    purge();
    while (!room.isFulfilled()) {
      if (looks <= 0) {
        force();
        return;
      }
      if (!isProbationFull()) {
        if (!evictVictim()) {
          evictCandidate();
        }
      } else if (isMainTooSmall()) {
        if (findCandidate()) {
          clock.promote(ProbationRing.slot(candidate), room);
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
    long probation = probation();
    return probation + weight > probationTarget(probation, main()) || clock.ring.isFull();
  }

  private boolean isMainTooSmall() {
    long main = main();
    return main < capacity - capacity / TRANSIT_SHARE - probationTarget(probation(), main);
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
    return ProbationRing.slot(candidate);
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
    moveHand();
    return clock.evict(slot, meta, residents, room);
  }

  /**
   * Finds the next entry on probation that was not used, and takes it off the ring. What is held
   * goes to main: it is in use, and would only be met again here.
   */
  private boolean findCandidate() {
    while (looks > 0) {
      long entry = clock.ring.pop();
      if (entry == ProbationRing.NONE) {
        return false;
      }
      looks--;
      int slot = ProbationRing.slot(entry);
      boolean current = ProbationRing.isTenant(entry, store.tailAcquire(slot));
      long meta = store.metaAcquire(slot);
      if (!current || !Meta.isShareable(meta) || Cold.isMain(store.coldAcquire(slot))) {
        continue;
      }
      if (Meta.refcount(meta) != 0) {
        room.sawPinned();
        clock.promote(slot, room);
      } else if (isUseless(slot, meta)) {
        if (evict(slot, meta) == AdaptiveClock.GONE) {
          clock.enqueue(entry);
        } else if (room.isFulfilled()) {
          return false;
        }
      } else if (AdaptiveClock.isUnused(meta)) {
        candidate = entry;
        candidateMeta = meta;
        return true;
      } else {
        credit(slot, meta);
        clock.enqueue(entry);
      }
    }
    return false;
  }

  private boolean isUseless(int slot, long meta) {
    return !Meta.isVisible(meta) || residents.isDead(slot);
  }

  /** Finds an entry of main to leave; the least frequent of three where frequency counts. */
  private boolean findVictim() {
    if (!findUnusedMain()) {
      return false;
    }
    if (clock.learned.score(-1) < 0) {
      for (int draw = 0; draw < MORE_DRAWS; draw++) {
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

  private int frequency(long meta) {
    return History.frequency(Meta.policy(meta), epoch);
  }

  private boolean findUnusedMain() {
    while (looks > 0) {
      looks--;
      int slot = nextSlot();
      long meta = store.metaAcquire(slot);
      if (!Meta.isShareable(meta)) {
        continue;
      }
      if (Meta.refcount(meta) != 0) {
        room.sawPinned();
      } else if (isUseless(slot, meta)) {
        if (evict(slot, meta) != AdaptiveClock.GONE && room.isFulfilled()) {
          return false;
        }
      } else if (!Cold.isMain(store.coldAcquire(slot))) {
        clock.meetOnProbation(slot, meta, room);
      } else if (!History.isDuelling(Meta.policy(meta))) {
        if (!AdaptiveClock.isUnused(meta)) {
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
      long entry = clock.ring.pop();
      if (entry == ProbationRing.NONE) {
        break;
      }
      int slot = ProbationRing.slot(entry);
      boolean current = ProbationRing.isTenant(entry, store.tailAcquire(slot));
      if (!current || Cold.isMain(store.coldAcquire(slot))) {
        continue;
      }
      long pinned = room.pinnedSeen();
      if (!takeUnlessPinned(slot)) {
        if (room.pinnedSeen() == pinned) {
          clock.enqueue(entry);
        } else {
          clock.promote(slot, room);
        }
      }
    }
    long count = store.slots();
    for (long visit = 0; visit < 2 * count && mustGoOn(); visit++) {
      int slot = nextSlot();
      if (visit >= count || Cold.isMain(store.coldAcquire(slot))) {
        takeUnlessPinned(slot);
      }
    }
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
