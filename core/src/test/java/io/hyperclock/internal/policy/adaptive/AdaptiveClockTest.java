/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.EvictionRequests;
import io.hyperclock.internal.policy.InitialState;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much an insert has to look at, over a table that is nothing but slots. */
class AdaptiveClockTest {
  private static final int ENTRIES = 1000;
  private static final int SLOTS = 1432;

  /** Slots, entries of charge 1, and a count of unpinned entries that were looked at. */
  private static final class Table implements EvictableEntries, CapacityView {
    final SlotProtocol slots =
        new SlotProtocol(new HeapSlotStore(SLOTS), AdaptiveClock.MAX_COUNTDOWN);
    final SlotStore store = slots.store();
    final Map<Long, Integer> slotOf = new HashMap<>();
    final AdaptiveClock clock = new AdaptiveClock(slots, this, ENTRIES);
    final SplittableRandom random = new SplittableRandom(1);
    final EvictionRequests requests = new EvictionRequests(SLOTS);
    long looks;
    long evictions;

    long slotsSeen;
    long pinnedSeen;

    /** Inserts that were charged and are not there yet. */
    int underWay;

    @Override
    public long capacityOfEntries() {
      return ENTRIES;
    }

    @Override
    public long usageOfEntries() {
      return occupancy();
    }

    @Override
    public long occupancy() {
      return slotOf.size() + underWay;
    }

    @Override
    public long hash(int slot) {
      return hash(store.keyLoOpaque(slot));
    }

    private static long hash(long key) {
      return (key + 1) * 0x9E3779B97F4A7C15L;
    }

    @Override
    public boolean isDead(int slot) {
      looks++;
      return false;
    }

    @Override
    public long deaths() {
      return 1;
    }

    @Override
    public long evict(int slot, long meta, EvictionRequest request) {
      evictions++;
      slotOf.remove(store.keyLoOpaque(slot));
      slots.beginTearDown(slot);
      long cold = store.getAndSetCold(slot, ChargeWord.GONE);
      slots.finishTearDown(slot);
      clock.left(cold, request);
      return 1;
    }

    /** That of this thread. */
    ProbationRing ring() {
      EvictionRequest request = requests.begin(0);
      request.end();
      return ((VictimSearch) request.search()).queue().ring();
    }

    boolean use(long key) {
      Integer slot = slotOf.get(key);
      if (slot != null) {
        slots.tick(slot);
      }
      return slot != null;
    }

    void hold(long key) {
      assertThat(slots.pinAny(slotOf.get(key))).isEqualTo(SlotProtocol.PINNED);
    }

    void release(long key) {
      slots.release(slotOf.get(key), false, false);
    }

    /** Returns how many unpinned entries were looked at. */
    long insert(long key, Priority priority) {
      long before = looks;
      int newcomer = clock.newcomer(hash(key), priority, 1);
      long over = occupancy() + 1 - ENTRIES;
      EvictionRequest request = requests.begin(1);
      request.ask(Math.max(0, over), 0, EvictionRequest.NO_EFFORT_CAP);
      if (over > 0) {
        clock.makeRoom(this, request);
      }
      slotsSeen += request.looks();
      pinnedSeen += request.pinnedSeen();
      int slot = random.nextInt(SLOTS);
      while (!slots.claim(slot)) {
        slot = random.nextInt(SLOTS);
      }
      long cold =
          InitialState.isMain(newcomer)
              ? ChargeWord.asMain(ChargeWord.of(0, 1))
              : ChargeWord.of(0, 1);
      int countdown = InitialState.countdown(newcomer);
      long meta = MetaWord.visible(countdown, false, true, InitialState.policy(newcomer));
      slots.fill(slot, 0, key, "value", cold);
      slots.store().setMetaRelease(slot, meta);
      slotOf.put(key, slot);
      clock.admitted(slot, cold, request);
      request.end();
      return looks - before;
    }
  }

  private final Table table = new Table();

  private void assertWhole() {
    assertThat(PolicyInvariants.violations(table.clock)).isEmpty();
    assertThat(table.clock.usage.probation() + table.clock.usage.main())
        .isEqualTo(table.slotOf.size());
  }

  /** Hits of a workload where frequency is all that counts. */
  private static long hits(int underWay) {
    Table table = new Table();
    table.underWay = underWay;
    long hits = 0;
    for (int i = 0; i < 300_000; i++) {
      double u = table.random.nextDouble();
      long key = (long) (u * u * u * 10 * ENTRIES);
      if (table.use(key)) {
        hits++;
      } else {
        table.insert(key, Priority.LOW);
      }
    }
    return hits;
  }

  /** Threads that were stopped amid an insert cost the others their room, and not more. */
  @Test
  void insertsUnderWayDoNotOpenMain() {
    assertThat(hits(8)).isGreaterThan(hits(0) * 98 / 100);
  }

  @Test
  void insertsLookAtFewEntries() {
    long most = 0;
    long inserts = 0;
    for (int i = 0; i < 200_000; i++) {
      double u = table.random.nextDouble();
      long key = (long) (u * u * u * 10 * ENTRIES);
      if (!table.use(key)) {
        most = Math.max(most, table.insert(key, Priority.LOW));
        inserts++;
      }
    }
    assertThat(most).isLessThanOrEqualTo(AdaptiveClock.LOOKS + 1);
    assertThat(table.looks / (double) inserts).isLessThan(8);
    assertThat(table.occupancy()).isBetween(ENTRIES - 3L, (long) ENTRIES);
    assertWhole();
  }

  /** The worst there is: everything was used since the last insert. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void insertsLookAtFewEntriesEvenIfAllAreHot(int every) {
    for (int key = 0; key < ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    long most = 0;
    for (int i = 0; i < 3000; i++) {
      if (i % every == 0) {
        table.slotOf.keySet().forEach(table::use);
      }
      most = Math.max(most, table.insert(ENTRIES + i, Priority.LOW));
      assertThat(table.occupancy()).isLessThanOrEqualTo(ENTRIES);
    }
    assertThat(most).isLessThanOrEqualTo(AdaptiveClock.LOOKS + 1);
    assertWhole();
  }

  /** A quarter is held, always the latest, so that every newcomer is when its turn comes. */
  @Test
  void insertsPassWhatIsHeldOnce() {
    int held = ENTRIES / 4;
    for (int key = 0; key < 20 * ENTRIES; key++) {
      table.insert(key, Priority.LOW);
      table.hold(key);
      if (key >= held) {
        table.release(key - held);
      }
    }
    assertThat(table.pinnedSeen / (20.0 * ENTRIES)).isLessThan(2);
    assertThat(table.slotsSeen / (20.0 * ENTRIES)).isLessThan(10);
    assertWhole();
  }

  /** All but some are held for good: main has nothing to give, what came since must make room. */
  @ParameterizedTest
  @ValueSource(ints = {10, 50, 200, 1000})
  void insertsFindTheFewThatAreNotHeld(int oneOf) {
    for (int key = 0; key < ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    int seen = 0;
    for (long key : List.copyOf(table.slotOf.keySet())) {
      if (seen++ % oneOf != 0) {
        table.hold(key);
      }
    }
    table.slotsSeen = 0;
    for (int key = ENTRIES; key < 20 * ENTRIES; key++) {
      table.insert(key, Priority.LOW);
      assertThat(table.occupancy()).isLessThanOrEqualTo(ENTRIES);
    }
    assertThat(table.slotsSeen / (19.0 * ENTRIES)).isLessThan(AdaptiveClock.LOOKS + 2);
    assertWhole();
  }

  @Test
  void highPriorityNeedsNoProbation() {
    for (int key = 0; key < 100; key++) {
      table.insert(key, Priority.HIGH);
    }
    assertThat(table.clock.usage.main()).isEqualTo(100);
    assertThat(table.ring().length()).isZero();
    table.insert(100, Priority.BOTTOM);
    assertThat(table.clock.usage.probation()).isEqualTo(1);
  }

  @Test
  void fillingUpKeepsProbationAtItsShare() {
    for (int key = 0; key < ENTRIES - 10; key++) {
      table.insert(key, Priority.LOW);
    }
    assertThat(table.evictions).isZero();
    assertThat(table.clock.usage.probation()).isBetween(10L, 40L);
    assertWhole();
  }

  /** What the ring has lost is adopted by main at the hand's second visit. */
  @Test
  void entriesThatTheRingHasLostAreNotLost() {
    for (int key = 0; key < ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    while (table.ring().pop() != ProbationRing.NONE) {}
    for (int key = ENTRIES; key < 30 * ENTRIES; key++) {
      table.insert(key, Priority.LOW);
    }
    assertThat(table.slotOf.keySet().stream().filter(key -> key < ENTRIES).count()).isLessThan(60);
    for (int i = 0; i < 60; i++) {
      for (int key = 0; key < ENTRIES; key++) {
        long other = 1_000_000 + key;
        if (!table.use(other)) {
          table.insert(other, Priority.LOW);
        }
      }
    }
    assertThat(table.slotOf.keySet().stream().filter(key -> key < ENTRIES)).isEmpty();
    assertWhole();
  }

  @Test
  void everyEntryLeavesIfItMust() {
    insertsLookAtFewEntries();
    EvictionRequest all = new EvictionRequest(0);
    all.ask(ENTRIES, 0, EvictionRequest.NO_EFFORT_CAP);
    long held = table.occupancy();
    table.clock.makeRoom(table, all);
    table.clock.flush(all);
    assertThat(all.freedEntries()).isEqualTo(held);
    assertThat(table.occupancy()).isZero();
    assertWhole();
  }

  @Test
  void looksStayPositiveInTheLargestTables() {
    assertThat(VictimSearch.looks(0, 100)).isEqualTo(AdaptiveClock.LOOKS);
    assertThat(VictimSearch.looks(3, 100)).isEqualTo(3 * AdaptiveClock.LOOKS);
    assertThat(VictimSearch.looks(1000, 100)).isEqualTo(100 * AdaptiveClock.LOOKS);
    assertThat(VictimSearch.looks(Long.MAX_VALUE, 1 << 26)).isEqualTo(Integer.MAX_VALUE);
    assertThat(VictimSearch.looks(Long.MAX_VALUE, 1 << 30)).isEqualTo(Integer.MAX_VALUE);
  }
}
