/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.Replacement;
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
    return violations(replacement, List.of());
  }

  /**
   * The same of the table of a shard and those that were left for it.
   *
   * @param older those of the tables that were left
   */
  public static List<String> violations(Replacement replacement, List<Replacement> older) {
    if (!(Objects.requireNonNull(replacement) instanceof AdaptiveClock clock)) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    long[] weights = new long[2];
    older.forEach(old -> weigh((AdaptiveClock) old, weights, found));
    weigh(clock, weights, found);
    if (weights[0] != clock.usage.probation()) {
      found.add("weight on probation " + clock.usage.probation() + " != " + weights[0]);
    }
    if (weights[1] != clock.usage.main()) {
      found.add("weight in main " + clock.usage.main() + " != " + weights[1]);
    }
    return found;
  }

  private static void weigh(AdaptiveClock clock, long[] weights, List<String> found) {
    for (int slot = 0; slot < clock.store.slots(); slot++) {
      long meta = clock.store.metaAcquire(slot);
      long cold = clock.store.coldAcquire(slot);
      if (MetaWord.isShareable(meta) && !ChargeWord.isForwarded(cold)) {
        weights[ChargeWord.isMain(cold) ? 1 : 0] +=
            SegmentWeights.weight(ChargeWord.chargeBytes(cold));
        if (PolicyBits.isDuelling(MetaWord.policy(meta))
            && !isAbout(clock.duels, slot, clock.store.tailAcquire(slot))) {
          found.add("slot " + slot + " is flagged for a duel that is not fought");
        }
      }
    }
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
