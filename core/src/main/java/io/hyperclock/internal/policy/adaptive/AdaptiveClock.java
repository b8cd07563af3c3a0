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
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

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
 * thread waits, and an insert looks at no more than {@value AdaptiveEntries#LOOKS} slots for each
 * entry's worth of room (in a thin table for 16 entries at least), and 31 more for blocks of
 * dropped files, before it takes the first unpinned entry. What an insert writes besides slots
 * belongs to its {@link EvictionRequest}, which one thread uses at a time: a ring, a stretch of the
 * main hand, a victim ({@link VictimSearch}). What all threads write is written once in many
 * inserts. An entry that no ring has, because its thread died, is adopted by main: the main hand
 * marks what it meets on probation, and finds it still marked later.
 *
 * <p>WART: entries that hold more than their share of pins cost looks; a table with nearly
 * everything pinned decays to a plain clock.
 */
public final class AdaptiveClock extends AdaptiveEntries implements Replacement {
  /** Memory of its own for each slot of the table, rounded up. */
  public static final int BYTES_PER_SLOT = 8;

  /** By the number of the request that keeps them. */
  private final AtomicReferenceArray<VictimSearch> searches;

  /**
   * A replacement for an empty table.
   *
   * @param slots its slots, with {@link #MAX_COUNTDOWN}
   * @param entries entries the table is made for
   */
  public AdaptiveClock(SlotProtocol slots, CapacityView budget, int entries) {
    this(slots, budget, entries, null);
  }

  private AdaptiveClock(
      SlotProtocol slots, CapacityView budget, int entries, @Nullable AdaptiveEntries before) {
    super(slots, budget, entries, before);
    this.searches = new AtomicReferenceArray<>(EvictionRequests.most(store.slots()));
  }

  @Override
  public Replacement resized(SlotProtocol others, int entries) {
    return new AdaptiveClock(others, budget, entries, this);
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
      if (known >= 0) {
        // One that has come back counts, whatever was expected of it.
        frequency = Math.min(PolicyBits.MAX_FREQUENCY, Math.max(FIRST, frequency) + known);
      }
      ghosts.remember(mixed, frequency, epoch);
    }
    return InitialState.of(UNUSED, PolicyBits.of(frequency, epoch), priority == Priority.HIGH);
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
  public long touch() {
    VictimSearch search = searches.getPlain(EvictionRequests.mine() & searches.length() - 1);
    return search == null ? 0 : store.touchWithTags(search.queue.next);
  }

  @Override
  public void prepare(EvictionRequest request) {
    if (request.number() >= 0) {
      search(request);
    }
  }

  @Override
  public void admitted(int slot, long cold, EvictionRequest request) {
    request.segmentChanged(ChargeWord.isMain(cold), SegmentWeights.weightOf(cold));
    usage.flush(request);
    if (request.search() != null) {
      search(request).admitted(slot, cold);
    }
  }

  @Override
  public void moved(int slot, long cold, EvictionRequest request) {
    if (!ChargeWord.isMain(cold) && request.search() != null) {
      search(request).queue.enqueue(slot, store.tailAcquire(slot));
    }
  }

  private VictimSearch search(EvictionRequest request) {
    VictimSearch search = (VictimSearch) request.search();
    if (search == null) {
      search = new VictimSearch(this, request);
      request.keep(search);
      if (request.number() >= 0) {
        // Release: publishes the search to threads that look for one that is free.
        searches.setRelease(request.number(), search);
      }
    }
    return search;
  }

  @Override
  long takeOlder(int number, long own) {
    // Acquire: the search of another thread is whole.
    VictimSearch other = searches.getAcquire(number & searches.length() - 1);
    if (other == null || !other.request.enter()) {
      return ProbationRing.NONE;
    }
    long front = other.queue.ring.front();
    boolean taken =
        front != ProbationRing.NONE
            && (own == ProbationRing.NONE || ProbationRing.isOlder(front, own));
    if (taken) {
      other.queue.ring.pop();
    }
    other.request.end();
    return taken ? front : ProbationRing.NONE;
  }

  @Override
  public void left(long cold, @Nullable EvictionRequest request) {
    if (request == null) {
      usage.remove(cold);
    } else {
      request.segmentChanged(ChargeWord.isMain(cold), -SegmentWeights.weightOf(cold));
    }
  }

  @Override
  public void flush(EvictionRequest request) {
    usage.flush(request);
  }

  @Override
  public void recharged(long coldBefore, long coldAfter) {
    usage.change(coldBefore, coldAfter);
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
    return LocalVictim.evict(
        store,
        residents,
        first,
        second,
        // By its worth, but of equals those of main are worth less: the lowest bit.
        (slot, meta) -> worth(meta, store.coldAcquire(slot)) ^ 1,
        (slot, meta) -> evict(slot, meta, residents, request) != GONE);
  }

  @Override
  public long searchedForDead() {
    return counters.get(PURGE);
  }
}
