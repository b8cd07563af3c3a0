/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

/**
 * What the adaptive replacement keeps in the meta word of a slot: pure functions on nine bits.
 *
 * <pre>
 *    8     7    6     4 3         0
 * +------+----+--------+-----------+
 * | seen |duel|  epoch | frequency |
 * +------+----+--------+-----------+
 * </pre>
 *
 * <ul>
 *   <li><b>frequency</b>: times the hand or the ring found the entry used, and its past before the
 *       last eviction; halved for each epoch since it was written.
 *   <li><b>epoch</b>: when it was written, modulo 8. An entry that is not visited for eight epochs
 *       (80 capacities of inserts) is taken for fresh.
 *   <li><b>duel</b>: one side of a running {@linkplain AdmissionDuels duel}; the hand passes it.
 *   <li><b>seen</b>: the main hand has met it. If it finds the mark again the entry is taken for
 *       one that is on probation but in no ring; in main, where recency counts, its turn has come.
 * </ul>
 */
final class PolicyBits {
  private static final int FREQUENCY_BITS = 4;
  private static final int EPOCH_BITS = 3;
  private static final int EPOCH_SHIFT = FREQUENCY_BITS;
  private static final int EPOCH_MASK = (1 << EPOCH_BITS) - 1;
  private static final int DUEL = 1 << (EPOCH_SHIFT + EPOCH_BITS);
  private static final int SEEN = DUEL << 1;

  static final int MAX_FREQUENCY = (1 << FREQUENCY_BITS) - 1;

  private PolicyBits() {}

  static int of(int frequency, long epoch) {
    return Math.min(frequency, MAX_FREQUENCY) | (int) (epoch & EPOCH_MASK) << EPOCH_SHIFT;
  }

  /** Frequency as of an epoch. */
  static int frequency(int history, long epoch) {
    int written = history >>> EPOCH_SHIFT & EPOCH_MASK;
    return (history & MAX_FREQUENCY) >>> (epoch - written & EPOCH_MASK);
  }

  /** Found used by the hand or the ring. */
  static int used(int history, long epoch) {
    return of(frequency(history, epoch) + 1, epoch) | history & DUEL;
  }

  static boolean isDuelling(int history) {
    return (history & DUEL) != 0;
  }

  static int withDuel(int history) {
    return history | DUEL;
  }

  static int withoutDuel(int history) {
    return history & ~DUEL;
  }

  static boolean wasSeen(int history) {
    return (history & SEEN) != 0;
  }

  static int withSeen(int history) {
    return history | SEEN;
  }
}
