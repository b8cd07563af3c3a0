/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.PaddedCounters;

/**
 * Weight of the entries on probation and in main. A weight is the charge, and 1 where there is no
 * charge. Exact once every change has been flushed, because each is flushed by the one thread whose
 * compare-and-set of the cold word made it ([sum]).
 */
final class SegmentWeights {
  private static final int PROBATION = 0;
  private static final int MAIN = 1;

  private final PaddedCounters counters = new PaddedCounters(2);

  static long weight(long chargeBytes) {
    return Math.max(1, chargeBytes);
  }

  static long weightOf(long cold) {
    return weight(ChargeWord.chargeBytes(cold));
  }

  private static int classOf(long cold) {
    return ChargeWord.isMain(cold) ? MAIN : PROBATION;
  }

  long probation() {
    return counters.get(PROBATION);
  }

  long main() {
    return counters.get(MAIN);
  }

  void add(long cold) {
    // [sum] an exact sum, no order.
    counters.getAndAdd(classOf(cold), weightOf(cold));
  }

  void remove(long cold) {
    // [sum] as above.
    counters.getAndAdd(classOf(cold), -weightOf(cold));
  }

  /** Adds what one insert has changed; mostly nothing, as an entry comes and another leaves. */
  void flush(EvictionRequest request) {
    if (request.probation() != 0) {
      // [sum] as above.
      counters.getAndAdd(PROBATION, request.probation());
    }
    if (request.main() != 0) {
      // [sum] as above.
      counters.getAndAdd(MAIN, request.main());
    }
    request.segmentsFlushed();
  }

  /** An entry has another class or charge than before. */
  void change(long before, long after) {
    if (before != after) {
      remove(before);
      add(after);
    }
  }
}
