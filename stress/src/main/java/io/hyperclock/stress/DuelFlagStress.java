/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.internal.policy.adaptive.PolicyParts;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [last-use], flags of duels: they are in the word that counts references.
 *
 * <p><b>Hunted:</b> a flag that is left on an entry without a duel, so that the hand passes it for
 * ever; a flag set or taken off that undoes a pin.
 *
 * <p><b>Forbidden:</b> when all is quiet, a flag without a duel; a count of references that is not
 * the number of pins held.
 *
 * <p><b>Planted faults:</b> {@code flag-for-next-tenant}, {@code flag-kept}, {@code
 * unflag-without-cas}.
 */
public class DuelFlagStress {
  private static final int SLOT = 0;
  private static final int ROUNDS = 6;
  private static final int MAX_COUNTDOWN = 2;

  private DuelFlagStress() {}

  /** An entry and duels about it. */
  public static class Fight {
    final SlotProtocol slots = new SlotProtocol(new HeapSlotStore(Keys.SLOTS), MAX_COUNTDOWN);
    final PolicyParts.Fights duels = new PolicyParts.Fights(slots);

    /** Starts with an unused entry. */
    Fight() {
      insert();
    }

    final void insert() {
      if (slots.claim(SLOT)) {
        slots.fill(SLOT, Keys.HI, Keys.A, this, 0);
        slots.store().setMetaRelease(SLOT, MetaWord.visible(1, false, true, 0));
      }
    }

    final void evict() {
      long meta = slots.store().metaAcquire(SLOT);
      if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && slots.take(SLOT, meta)) {
        slots.beginTearDown(SLOT);
        slots.finishTearDown(SLOT);
      }
    }

    final int lostFlags() {
      return duels.hasLostFlag(SLOT) ? 1 : 0;
    }

    final int references() {
      return MetaWord.refcount(slots.store().metaAcquire(SLOT));
    }
  }

  /** Duels start and end while readers come and go; one pin stays. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "No flag lost, no pin lost.")
  @Outcome(expect = FORBIDDEN, desc = "Flag or pin lost.")
  @State
  public static class Pins extends Fight {
    /** Starts and ends duels. */
    @Actor
    public void fight() {
      for (int i = 1; i <= ROUNDS; i++) {
        duels.start((long) i << Integer.SIZE, SLOT);
        duels.returned((long) i << Integer.SIZE);
      }
    }

    /** Pins, and lets go of all but one. */
    @Actor
    public void read() {
      for (int i = 0; i < ROUNDS; i++) {
        slots.pinAny(SLOT);
        slots.release(SLOT, false, false);
      }
      slots.pinAny(SLOT);
    }

    /**
     * Counts.
     *
     * @param result flags lost, references
     */
    @Arbiter
    public void count(II_Result result) {
      result.r1 = lostFlags();
      result.r2 = references();
    }
  }

  /**
   * A duel starts while the entry leaves and the next one, whose word looks the same, takes its
   * slot.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "No flag lost.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong count.")
  @State
  public static class NextTenant extends Fight {
    /** Starts duels about whoever is there, and ends some. */
    @Actor
    public void fight() {
      for (int i = 1; i <= ROUNDS; i++) {
        duels.start((long) i << Integer.SIZE | i, SLOT);
        duels.returned((long) i - 1 << Integer.SIZE | i - 1);
      }
    }

    /** Changes the tenant. */
    @Actor
    public void replace() {
      for (int i = 0; i < ROUNDS; i++) {
        evict();
        insert();
      }
    }

    /**
     * Counts.
     *
     * @param result flags lost, references
     */
    @Arbiter
    public void count(II_Result result) {
      result.r1 = lostFlags();
      result.r2 = references();
    }
  }
}
