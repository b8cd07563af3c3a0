/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.PaddedCounters;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import java.util.ArrayList;
import java.util.List;

/**
 * CLOCK with a probation, a memory of who left, and decisions learnt from duels.
 *
 * <p><b>Reads</b> do what they do under the classic clock, with one bit of countdown: the first use
 * after a visit writes, the others do not.
 *
 * <p><b>Inserts</b> start on probation, in a ring. When their turn comes to leave it, those held go
 * to main and those used meanwhile to its back; of the others each is compared with an unused entry
 * of main: which of the two stays depends on the difference of their frequencies and on how earlier
 * decisions of this kind turned out ({@link Duels}). Frequencies outlive the entries ({@link
 * Ghosts}).
 *
 * <p><b>Many threads</b>: classes change by a compare-and-set of the cold word, everything else of
 * an entry by one of the meta word; whoever loses such a race goes on to another entry. Nobody
 * waits, and an insert looks at no more than {@value #LOOKS} slots for each entry's worth of room
 * before it takes the first unpinned entry. An entry that the ring has lost, because its thread
 * died, is adopted by main when the main hand meets it for the second time.
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

  private static final int UNUSED = 1;

  /** Candidates whose slots are loaded at once, a power of two. */
  private static final int AHEAD = 8;

  private static final int SLOTS_PER_VICTIM = 1024;
  private static final int PURGE = 0;

  final Slots slots;
  final SlotStore store;
  final Budget budget;
  final Learned learned = new Learned();
  final ClassUsage usage = new ClassUsage();
  final Stripes stripes;
  final Hand hand;
  final ProbationRing ring;
  final Duels duels;
  private final Ghosts ghosts;

  /** Victims that the hand looks for at once. */
  final int victimsAhead;

  private volatile long deathsSeen;
  private volatile long purgeEnd;
  private final PaddedCounters counters = new PaddedCounters(1);

  /**
   * A replacement for an empty table.
   *
   * @param slots its slots, with {@link #MAX_COUNTDOWN}
   * @param entries entries the table is made for
   */
  public AdaptiveClock(Slots slots, Budget budget, int entries) {
    this.slots = slots;
    this.store = slots.store();
    this.budget = budget;
    this.stripes = new Stripes(store.slots());
    this.hand = new Hand(store.slots());
    this.ring = new ProbationRing(store.slots(), stripes);
    this.victimsAhead = Math.min(Stripes.MAX_VICTIMS, 1 + store.slots() / SLOTS_PER_VICTIM);
    this.ghosts = new Ghosts(Math.max(1, entries));
    this.duels = new Duels(slots, learned, budget, entries, MAX_COUNTDOWN);
  }

  @Override
  public int maxCountdown() {
    return MAX_COUNTDOWN;
  }

  @Override
  public int inherited(int policy) {
    return History.withoutDuel(policy);
  }

  @Override
  public int newcomer(long hash, Priority priority, long chargeBytes) {
    long mixed = mixed(hash);
    duels.missed(mixed);
    if ((mixed + ring.front() & duels.missesPerTurn() - 1) == 0) {
      // As good as a count of misses, and nothing shared is written for it.
      duels.turn();
    }
    promoteWhileFilling(ClassUsage.weight(chargeBytes));
    long epoch = learned.epoch();
    int frequency = ghosts.arrived(mixed, bonus(priority), epoch);
    return Newcomer.of(UNUSED, History.of(frequency, epoch), priority == Priority.HIGH);
  }

  private static int bonus(Priority priority) {
    return switch (priority) {
      case HIGH -> 2;
      case LOW -> 0;
      case BOTTOM -> -1;
    };
  }

  @Override
  public int countdown(Priority priority) {
    return UNUSED;
  }

  @Override
  public long touch(Residents residents, long hash) {
    long sum = ghosts.touch(mixed(hash));
    long front = ring.front();
    if ((front & AHEAD - 1) == 0) {
      for (long position = front; position < front + AHEAD; position++) {
        int token = ring.peek(position);
        if (token != ProbationRing.NONE) {
          int slot = ring.slot(token);
          sum += store.touch(slot);
        }
      }
    }
    return sum;
  }

  /** All bits of a hash in all bits; never {@link #GONE}. */
  private static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 32) * 0x9E3779B97F4A7C15L;
    mixed ^= mixed >>> 32;
    return mixed == GONE ? 1 : mixed;
  }

  /** While there is room, probation keeps its share and the rest goes to main unexamined. */
  private void promoteWhileFilling(long weight) {
    long capacity = budget.capacityOfEntries();
    while (Math.max(budget.usageOfEntries(), usage.probation() + usage.main()) + weight <= capacity
        && usage.probation() + weight > probationTarget()
        && usage.main() < capacity - probationTarget()) {
      int token = ring.pop();
      if (token == ProbationRing.NONE) {
        return;
      }
      promoteTenant(token);
    }
  }

  @Override
  public void admitted(int slot, long cold) {
    usage.add(cold);
    if (!Cold.isMain(cold)) {
      enqueue(ring.token(slot, store.tailAcquire(slot)));
    }
  }

  @Override
  public void admitted(int slot, long cold, RoomRequest room) {
    room.classChanged(Cold.isMain(cold), ClassUsage.weightOf(cold));
    usage.tell(room);
    if (!Cold.isMain(cold)) {
      enqueue(ring.token(slot, store.tailAcquire(slot)));
    }
  }

  @Override
  public void left(long cold) {
    usage.remove(cold);
  }

  @Override
  public void left(long cold, RoomRequest room) {
    room.classChanged(Cold.isMain(cold), -ClassUsage.weightOf(cold));
  }

  @Override
  public void tell(RoomRequest room) {
    usage.tell(room);
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
  public void makeRoom(Residents residents, RoomRequest room) {
    Hunt hunt = room.hunt();
    if (hunt == null) {
      hunt = new Hunt(this, residents, room);
      room.keep(hunt);
    }
    hunt.run();
  }

  /** Unused entries first, those on probation before those of main, then by frequency. */
  @Override
  public boolean makeRoomIn(Residents residents, int first, int second, RoomRequest room) {
    long epoch = learned.epoch();
    return LeastOfBuckets.evict(
        store,
        residents,
        first,
        second,
        (slot, meta) -> {
          int used = isUnused(meta) ? 0 : 2 * (History.MAX_FREQUENCY + 1);
          int main = Cold.isMain(store.coldAcquire(slot)) ? History.MAX_FREQUENCY + 1 : 0;
          return used + main + History.frequency(Meta.policy(meta), epoch);
        },
        (slot, meta) -> evict(slot, meta, residents, room) != GONE);
  }

  private long probationTarget() {
    long entries = Math.max(1, budget.occupancy());
    long average = (usage.probation() + usage.main() + entries - 1) / entries;
    return probationTarget(entries, average);
  }

  /**
   * Weight that the probation should have.
   *
   * @param entries entries in the table
   * @param average their average weight
   */
  long probationTarget(long entries, long average) {
    return learned.probationHalves(entries) * average / 2;
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
    // [S8] as above.
    return (int) Long.remainderUnsigned(counters.getAndAdd(PURGE, 1), store.slots());
  }

  @Override
  public long searchedForDead() {
    return counters.get(PURGE);
  }

  static boolean isUnused(long meta) {
    return Meta.releases(meta) <= UNUSED;
  }

  /**
   * Takes the use of an entry into its frequency.
   *
   * @return its new word, or 0 if it has changed
   */
  long creditUse(int slot, long meta) {
    return slots.age(slot, meta, UNUSED, History.used(Meta.policy(meta), learned.epoch()));
  }

  /** Puts an entry at the back of the probation; for that the oldest go to main if it is full. */
  void enqueue(int token) {
    while (ring.isFull()) {
      int oldest = ring.pop();
      if (oldest == ProbationRing.NONE) {
        break;
      }
      promoteTenant(oldest);
    }
    ring.push(token);
  }

  private void promoteTenant(int token) {
    int slot = ring.slot(token);
    if (ring.isTenant(token, store.tailAcquire(slot))) {
      promote(slot);
    }
  }

  /** Moves an entry to main, unless it is gone or there. */
  void promote(int slot) {
    for (; ; ) {
      long cold = store.coldAcquire(slot);
      if (Cold.isMain(cold)) {
        return;
      }
      if (store.compareAndSetCold(slot, cold, Cold.asMain(cold))) {
        usage.promote(cold);
        return;
      }
    }
  }

  /** The same in the course of making room. */
  void promote(int slot, RoomRequest room) {
    long cold = store.coldAcquire(slot);
    while (!Cold.isMain(cold)) {
      if (store.compareAndSetCold(slot, cold, Cold.asMain(cold))) {
        room.classChanged(false, -ClassUsage.weightOf(cold));
        room.classChanged(true, ClassUsage.weightOf(cold));
        return;
      }
      cold = store.coldAcquire(slot);
    }
  }

  /** The main hand has met an entry on probation. */
  void meetOnProbation(int slot, long meta, RoomRequest room) {
    int history = Meta.policy(meta);
    if (History.wasSeen(history)) {
      promote(slot, room);
    } else {
      slots.annotate(slot, meta, History.withSeen(history));
    }
  }

  /**
   * Evicts an entry that was found unreferenced.
   *
   * @return its mixed hash, or {@link #GONE}
   */
  long evict(int slot, long meta, Residents residents, RoomRequest room) {
    // Of another tenant if the word has changed: then it is not taken.
    long mixed = mixed(residents.hash(slot));
    if (!slots.take(slot, meta)) {
      return GONE;
    }
    room.freed(residents.evict(slot, meta, room));
    if (Meta.isVisible(meta) && Meta.wasHit(meta)) {
      // Of one that was not used its arrival has told as much.
      long epoch = learned.epoch();
      ghosts.left(mixed, History.frequency(Meta.policy(meta), epoch), epoch);
    }
    return mixed;
  }

  @Override
  public List<String> violations() {
    List<String> found = new ArrayList<>();
    long[] weights = new long[2];
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      if (Meta.isShareable(meta)) {
        long cold = store.coldAcquire(slot);
        weights[Cold.isMain(cold) ? 1 : 0] += ClassUsage.weight(Cold.chargeBytes(cold));
        if (History.isDuelling(Meta.policy(meta))
            && !duels.isAbout(slot, store.tailAcquire(slot))) {
          found.add("slot " + slot + " is flagged for a duel that is not fought");
        }
      }
    }
    if (weights[0] != usage.probation()) {
      found.add("weight on probation " + usage.probation() + " != " + weights[0]);
    }
    if (weights[1] != usage.main()) {
      found.add("weight in main " + usage.main() + " != " + weights[1]);
    }
    return found;
  }
}
