/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What must hold of the state that a replacement keeps for a quiet table. */
public final class PolicyInvariants {
  private PolicyInvariants() {}

  /**
   * What does not hold.
   *
   * @param replacement that of a table which no thread uses at the moment
   * @return one sentence per violation
   */
  public static List<String> violations(Replacement replacement) {
    if (!(Objects.requireNonNull(replacement) instanceof AdaptiveClock clock)) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    long[] weights = new long[2];
    for (int slot = 0; slot < clock.store.slots(); slot++) {
      long meta = clock.store.metaAcquire(slot);
      if (MetaWord.isShareable(meta)) {
        long cold = clock.store.coldAcquire(slot);
        weights[ChargeWord.isMain(cold) ? 1 : 0] +=
            SegmentWeights.weight(ChargeWord.chargeBytes(cold));
        if (PolicyBits.isDuelling(MetaWord.policy(meta))
            && !isAbout(clock.duels, slot, clock.store.tailAcquire(slot))) {
          found.add("slot " + slot + " is flagged for a duel that is not fought");
        }
      }
    }
    if (weights[0] != clock.usage.probation()) {
      found.add("weight on probation " + clock.usage.probation() + " != " + weights[0]);
    }
    if (weights[1] != clock.usage.main()) {
      found.add("weight in main " + clock.usage.main() + " != " + weights[1]);
    }
    return found;
  }

  /** Whether a duel is fought about the entry in a slot. */
  static boolean isAbout(AdmissionDuels duels, int slot, long tail) {
    for (int cell = 0; cell < duels.cells.length; cell += AdmissionDuels.WORDS) {
      if (duels.cells[cell + AdmissionDuels.SLOT] == slot + 1 && duels.isPresent(cell, tail)) {
        return true;
      }
    }
    return false;
  }
}
