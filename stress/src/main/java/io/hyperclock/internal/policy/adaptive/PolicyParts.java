/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.CapacityView;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;

/** The parts of the adaptive replacement that stress tests need one by one. */
public final class PolicyParts {
  private static final int ENTRIES = 64;

  private PolicyParts() {}

  /** A request, and a ring that goes with it as in the adaptive replacement. */
  public static final class Ring {
    private final EvictionRequest request = new EvictionRequest(0);
    private final ProbationRing ring;

    /**
     * An empty ring.
     *
     * @param most entries there is room for
     */
    public Ring(int most) {
      ring = new ProbationRing(most);
      request.end();
    }

    /**
     * Makes the ring the caller's own.
     *
     * @return false if it is another thread's
     */
    public boolean enter() {
      return request.enter();
    }

    /** Gives it back. */
    public void leave() {
      request.end();
    }

    /**
     * Adds an entry at the back.
     *
     * @param slot a slot
     */
    public void push(int slot) {
      ring.push(ProbationRing.token(slot, 0, 0));
    }

    /**
     * Takes the entry at the front.
     *
     * @return its slot, or -1
     */
    public int pop() {
      return ProbationRing.slot(ring.pop());
    }
  }

  /** Duels about the entries in some slots. */
  public static final class Fights {
    private final SlotProtocol slots;
    private final AdmissionDuels duels;

    /**
     * No duels yet.
     *
     * @param slots where the entries are
     */
    public Fights(SlotProtocol slots) {
      this.slots = slots;
      CapacityView budget =
          new CapacityView() {
            @Override
            public long usageOfEntries() {
              return 0;
            }

            @Override
            public long capacityOfEntries() {
              return ENTRIES;
            }

            @Override
            public long occupancy() {
              return ENTRIES;
            }
          };
      duels = new AdmissionDuels(slots, new LearnedParameters(), budget, ENTRIES);
    }

    /**
     * Starts a duel.
     *
     * @param absent hash of the key that left
     * @param slot slot of the entry that stayed
     */
    public void start(long absent, int slot) {
      duels.start(absent, slot, slots.store().tailAcquire(slot), 1, AdmissionDuels.Kind.ADMITTED);
    }

    /**
     * Ends the duel of a key.
     *
     * @param absent its hash
     */
    public void returned(long absent) {
      duels.missed(absent);
    }

    /**
     * Whether an entry is flagged without a duel, while all is quiet.
     *
     * @param slot its slot
     * @return whether nobody will take the flag off
     */
    public boolean hasLostFlag(int slot) {
      return PolicyBits.isDuelling(MetaWord.policy(slots.store().metaAcquire(slot)))
          && !PolicyInvariants.isAbout(duels, slot, slots.store().tailAcquire(slot));
    }
  }

  /**
   * Moves an entry to main as a visit of the hand does.
   *
   * @param clock the replacement
   * @param slot its slot
   */
  public static void promote(AdaptiveClock clock, int slot) {
    clock.promote(slot, null);
  }
}
