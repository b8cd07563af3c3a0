/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;
import org.junit.jupiter.api.Test;

/**
 * [sum], [last-use] Entries that move to main, or are flagged for a duel, while they leave, are
 * held, are charged anew or have a next tenant in their slot: the weights of the classes stay those
 * of the entries, and no flag is left.
 */
@Woven({"table", "capacity", "slot", "policy"})
class ClassFlipInterleavingTest {
  private static final long HI = 1;
  private static final long LO = 2;
  private static final long CHARGE = 100;
  private static final Buckets BUCKETS = new Buckets(Buckets.LEAST, 7);
  private static final long HASH = BUCKETS.hash(HI, LO);

  /** A table of one key. */
  private static final class Tenants extends SilentCallbacks {
    final SlotProtocol slots =
        new SlotProtocol(new HeapSlotStore(8 * BUCKETS.count()), AdaptiveClock.MAX_COUNTDOWN);
    final CapacityLedger ledger = new CapacityLedger(1000, false, 0);
    final AdaptiveClock clock = new AdaptiveClock(slots, ledger, 8 * BUCKETS.count());
    final ClockTable table =
        new ClockTable(
            BUCKETS,
            slots,
            new ValueRelease(ledger, this, new Reclaimer(new ReadEpochs(1), () -> {})),
            clock,
            this,
            null,
            TableView.FIXED,
            null);
    final int slot;
    int scoreBefore;

    Tenants() {
      slot = insert(CHARGE);
    }

    int insert(long charge) {
      long meta = MetaWord.visible(1, false, true, 0);
      EvictionRequest request = new EvictionRequest(charge);
      return table
          .insertion()
          .insert(HI, LO, HASH, "value", ChargeWord.of(0, charge), meta, 1, request);
    }

    long meta() {
      return slots.store().metaAcquire(slot);
    }

    void evict() {
      long meta = meta();
      if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && slots.take(slot, meta)) {
        EvictionRequest request = new EvictionRequest(0);
        table.evict(slot, meta, request);
        clock.flush(request);
      }
    }

    void evictAndInsert(long charge) {
      evict();
      insert(charge);
    }

    /** As a visit of the hand does. */
    void promote() {
      clock.promote(slot, null);
    }

    /** As a visit of the hand in the course of making room. */
    void promoteForRoom() {
      EvictionRequest request = new EvictionRequest(0);
      clock.promote(slot, request);
      clock.flush(request);
    }

    /** As a handle does. */
    void recharge(long charge) {
      if (slots.pinAny(slot) == SlotProtocol.PINNED) {
        long before;
        long after;
        do {
          before = slots.store().coldAcquire(slot);
          after = ChargeWord.withCharge(before, charge);
        } while (!slots.store().compareAndSetCold(slot, before, after));
        clock.recharged(before, after);
        table.release(slot, false);
      }
    }

    void duel(int number) {
      long tail = slots.store().tailAcquire(slot);
      clock.duels.start(loser(number), slot, tail, 1, AdmissionDuels.Kind.ADMITTED);
    }

    /** Whoever was not admitted comes again: the duel is over. */
    void loserComes(int number) {
      clock.duels.missed(loser(number));
    }

    int score() {
      return clock.learned.score(1);
    }

    private static long loser(int number) {
      return (long) number << Integer.SIZE | number;
    }

    void check() {
      assertThat(PolicyInvariants.violations(clock)).isEmpty();
      assertThat(MetaWord.refcount(meta())).isZero();
      evict();
      assertThat(PolicyInvariants.violations(clock)).isEmpty();
      assertThat(clock.usage.probation() + clock.usage.main()).isZero();
    }

    @Override
    public boolean isHeard(long cold) {
      return true;
    }
  }

  @SafeVarargs
  private static void explore(Part<Tenants>... parts) {
    new Scenario<>("tenants", Tenants::new, Tenants::check, parts).explore(2);
  }

  @Test
  void promotions() {
    explore(Tenants::promote, Tenants::promote);
    explore(Tenants::promote, Tenants::promoteForRoom);
    explore(Tenants::promoteForRoom, Tenants::promoteForRoom);
  }

  @Test
  void promotionsAndTheNextTenant() {
    explore(Tenants::promote, tenants -> tenants.evictAndInsert(CHARGE + 1));
    explore(Tenants::promoteForRoom, tenants -> tenants.evictAndInsert(CHARGE + 1));
  }

  @Test
  void promotionsAndChanges() {
    explore(Tenants::promote, tenants -> tenants.recharge(3 * CHARGE));
    explore(Tenants::promoteForRoom, tenants -> tenants.recharge(3 * CHARGE));
    explore(tenants -> tenants.evictAndInsert(CHARGE + 1), tenants -> tenants.recharge(3 * CHARGE));
  }

  @Test
  void duelsAndPins() {
    Part<Tenants> pinTwice =
        tenants -> {
          for (int i = 0; i < 2; i++) {
            assertThat(tenants.slots.pinAny(tenants.slot)).isEqualTo(SlotProtocol.PINNED);
            tenants.table.release(tenants.slot, false);
          }
        };
    explore(tenants -> tenants.duel(1), pinTwice);
    explore(
        tenants -> {
          tenants.duel(1);
          tenants.loserComes(1);
        },
        pinTwice);
  }

  @Test
  void duelsAndTheNextTenant() {
    explore(tenants -> tenants.duel(1), tenants -> tenants.evictAndInsert(CHARGE));
    explore(
        tenants -> {
          tenants.duel(1);
          tenants.loserComes(1);
          tenants.duel(2);
        },
        tenants -> tenants.evictAndInsert(CHARGE));
  }

  @Test
  void duelsOfTheSameCell() {
    explore(tenants -> tenants.duel(1), tenants -> tenants.duel(5));
    explore(
        tenants -> {
          tenants.duel(1);
          tenants.loserComes(1);
        },
        tenants -> {
          tenants.duel(5);
          tenants.loserComes(5);
        });
  }

  @Test
  void loserThatComesTwiceVotesOnce() {
    new Scenario<Tenants>(
            "tenants of a duel",
            () -> {
              Tenants tenants = new Tenants();
              tenants.duel(1);
              tenants.scoreBefore = tenants.score();
              return tenants;
            },
            tenants -> {
              assertThat(tenants.scoreBefore - tenants.score()).isEqualTo(1);
              tenants.check();
            },
            tenants -> tenants.loserComes(1),
            tenants -> tenants.loserComes(1))
        .explore(2);
  }
}
