/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.internal.slot.SlotStore;

/**
 * When a table that sizes itself gets another size, and which: pure functions.
 *
 * <p>A table grows when its load is above the target by a part, and shrinks when it is below the
 * half of it; in between nothing happens, so that entries whose sizes vary do not make it go back
 * and forth.
 *
 * @param entries in the table
 * @param usage of the entries, bytes
 * @param capacity for entries, bytes
 * @param recentCharge average of late inserts, or 0 if nothing is known
 * @param slots of the table
 * @param slotCharge bytes charged for a slot, possibly 0
 * @param least slots of any table
 * @param most slots that the capacity pays for
 */
public record SizingRule(
    long entries,
    long usage,
    long capacity,
    long recentCharge,
    int slots,
    int slotCharge,
    int least,
    int most) {
  /** Emptier tables were no faster: they have more lines to load. */
  static final double TARGET_LOAD = 0.70;

  private static final double GROWS_ABOVE = 1.08;

  /**
   * Where the step is large: there is time then to make the table before the present one is full.
   */
  private static final double FILLS_ABOVE = 0.95;

  private static final double LARGE_STEP = 2;
  private static final double GROWN_TO = 0.92;
  private static final double SHRINKS_BELOW = 0.55;
  private static final double SHRUNK_TO = 0.9;
  private static final double LEAST_GROWTH = 1.25;
  private static final int MOST_GROWTH = 4;

  /**
   * Part of the most slots from which on the rest comes with them, where slots are not charged: no
   * second step for so few.
   */
  private static final double NEARLY_MOST = 0.8;

  /** Late inserts that are smaller by less than this may be so by chance. */
  private static final double BY_CHANCE = 1.2;

  /** Most that smaller entries make of their number at a time: the average may be of a few. */
  private static final int MOST_EXPECTED = 2;

  private static final int MOST_SHRINKING = 16;

  /** Of the slots that a capacity pays for, the part that is too much when it was lowered. */
  private static final int DEAR_PART = 4;

  private double averageCharge() {
    return Math.max(1.0, (double) usage / Math.max(1, entries));
  }

  /**
   * Slots of such a load for a full cache, whose capacity they share with the entries that will be
   * there.
   */
  private double fullAt(double load) {
    double charge = averageCharge() / factorBySize();
    double shared = (double) capacity + (double) slots * slotCharge;
    return shared / (slotCharge + load * charge);
  }

  private double factorBySize() {
    double bySize = recentCharge == 0 ? 1 : averageCharge() / recentCharge;
    return bySize < BY_CHANCE ? 1 : Math.min(MOST_EXPECTED, bySize);
  }

  /** The wanted slots after the capacity was lowered: there may be too many for the rest of it. */
  public int wantedAfterShrinking() {
    int wanted = wanted();
    return wanted == 0 && slots > most / DEAR_PART ? shrunk() : wanted;
  }

  /** The slots that the table should have, or 0 to leave it as it is. */
  public int wanted() {
    double step = entries > FILLS_ABOVE * TARGET_LOAD * slots ? grown() : 0;
    if (step >= LARGE_STEP * slots || entries > GROWS_ABOVE * TARGET_LOAD * slots) {
      int whole = wholeBuckets(Math.max(LEAST_GROWTH * slots, step), least, most);
      return whole >= LEAST_GROWTH * slots ? whole : 0;
    }
    return 2 * usage >= capacity ? shrunk() : 0;
  }

  /**
   * The size for a full cache, or a step to it: sizes are equal steps down from that of a full one,
   * so that the last step, which moves the most entries, is as large as any.
   */
  private double grown() {
    double goal = GROWN_TO * TARGET_LOAD;
    double step = Math.max(entries / goal, fullAt(goal));
    if (slotCharge == 0 && step > NEARLY_MOST * most) {
      step = most;
    }
    while (step > (double) MOST_GROWTH * slots) {
      step /= MOST_GROWTH;
    }
    return step;
  }

  private int shrunk() {
    double goal = SHRUNK_TO * TARGET_LOAD;
    double expected = goal * fullAt(goal);
    expected = Math.max(entries, Math.min(MOST_EXPECTED * (double) entries, expected));
    if (slots <= least || expected >= SHRINKS_BELOW * TARGET_LOAD * slots) {
      return 0;
    }
    return wholeBuckets(Math.max(slots / MOST_SHRINKING, expected / goal), least, most);
  }

  /** Slots in whole buckets, within bounds that are. */
  public static int wholeBuckets(double wanted, int least, int most) {
    double buckets = Math.ceil(wanted / SlotStore.BUCKET_SLOTS);
    return (int) Math.max(least, Math.min(most, buckets * SlotStore.BUCKET_SLOTS));
  }
}
