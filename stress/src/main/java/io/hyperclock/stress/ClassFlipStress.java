/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.adaptive.AdaptiveClock;
import io.hyperclock.internal.policy.adaptive.PolicyInvariants;
import io.hyperclock.internal.policy.adaptive.PolicyParts;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [sum], class usage: an entry moves to main while it is torn down, its charge is changed, or
 * the next tenant of its slot is published.
 *
 * <p><b>Hunted:</b> a weight that leaves the class it never came to, or with another charge.
 *
 * <p><b>Forbidden:</b> when all is quiet, weights other than those of the entries of each class.
 *
 * <p><b>Planted faults:</b> {@code promotion-without-cas}, {@code tear-down-keeps-cold-word}.
 */
public class ClassFlipStress {
  private static final int SLOT = 0;
  private static final int ROUNDS = 4;
  private static final long CHARGE = 100;

  private ClassFlipStress() {}

  /** One slot of a table with its replacement. */
  public static class Tenants {
    final RawEntries entries = new RawEntries();

    /** Starts with an entry on probation. */
    Tenants() {
      entries.insert(CHARGE);
    }

    final void compare(II_Result result) {
      result.r1 = PolicyInvariants.violations(entries.clock).size();
      entries.evict();
      result.r2 = PolicyInvariants.violations(entries.clock).size();
    }
  }

  /** Entries that come and go in one slot of a table. */
  static final class RawEntries extends SilentCallbacks {
    private static final long HASH_OF_A = Keys.hash(Keys.A);

    final SlotProtocol slots =
        new SlotProtocol(new HeapSlotStore(Keys.SLOTS), AdaptiveClock.MAX_COUNTDOWN);
    final SlotStore store = slots.store();
    final CapacityLedger ledger = new CapacityLedger(1000, false, 0);
    final AdaptiveClock clock = new AdaptiveClock(slots, ledger, Keys.SLOTS);
    final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
    final ValueRelease valueRelease = new ValueRelease(ledger, this, reclaimer);
    final ClockTable table =
        new ClockTable(Keys.BUCKETS, slots, valueRelease, clock, this, null, TableView.FIXED, null);

    void insert(long charge) {
      long meta = MetaWord.visible(1, false, true, 0);
      EvictionRequest request = new EvictionRequest(charge);
      table
          .insertion()
          .insert(Keys.HI, Keys.A, HASH_OF_A, "value", ChargeWord.of(0, charge), meta, 1, request);
    }

    void evict() {
      long meta = store.metaAcquire(SLOT);
      if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && slots.take(SLOT, meta)) {
        EvictionRequest request = new EvictionRequest(0);
        table.evict(SLOT, meta, request);
        clock.flush(request);
      }
    }

    /** As a handle does. */
    void recharge(long charge) {
      if (slots.pinAny(SLOT) != SlotProtocol.PINNED) {
        return;
      }
      long before;
      long after;
      do {
        before = store.coldAcquire(SLOT);
        after = ChargeWord.withCharge(before, charge);
      } while (!store.compareAndSetCold(SLOT, before, after));
      clock.recharged(before, after);
      table.release(SLOT, false);
    }

    @Override
    public boolean isHeard(long cold) {
      return true;
    }
  }

  /** Promotions and changes of tenant. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong weight of a class.")
  @State
  public static class NextTenant extends Tenants {
    /** Promotes whoever is there. */
    @Actor
    public void promote() {
      for (int i = 0; i < ROUNDS; i++) {
        PolicyParts.promote(entries.clock, SLOT);
      }
    }

    /** Evicts and inserts with other charges. */
    @Actor
    public void replace() {
      for (int i = 0; i < ROUNDS; i++) {
        entries.evict();
        entries.insert(CHARGE + 1 + i);
      }
    }

    /**
     * Compares.
     *
     * @param result violations, then violations without the entry
     */
    @Arbiter
    public void count(II_Result result) {
      compare(result);
    }
  }

  /** Promotions and changed charges, of an entry and of the next. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong weight of a class.")
  @State
  public static class ChangedCharge extends Tenants {
    /** Promotes whoever is there, and changes the tenant. */
    @Actor
    public void promoteAndReplace() {
      for (int i = 0; i < ROUNDS; i++) {
        PolicyParts.promote(entries.clock, SLOT);
        entries.evict();
        entries.insert(CHARGE + 1 + i);
      }
    }

    /** Changes the charge. */
    @Actor
    public void recharge() {
      for (int i = 0; i < ROUNDS; i++) {
        entries.recharge(3 * CHARGE + i);
      }
    }

    /**
     * Compares.
     *
     * @param result violations, then violations without the entry
     */
    @Arbiter
    public void count(II_Result result) {
      compare(result);
    }
  }
}
