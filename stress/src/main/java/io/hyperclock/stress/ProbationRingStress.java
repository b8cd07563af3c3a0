/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.internal.policy.adaptive.PolicyParts;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [pointer], request for room: what is kept with it is one thread's alone.
 *
 * <p><b>Hunted:</b> two threads at one ring at a time; one that does not see what the last has
 * written.
 *
 * <p><b>Forbidden:</b> an entry that was pushed and is lost, or is taken twice.
 *
 * <p><b>Planted faults:</b> {@code request-entered-by-store}.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Each taken once.")
@Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
@State
public class ProbationRingStress {
  private static final int ENTRIES = 12;

  private final PolicyParts.Ring ring = new PolicyParts.Ring(ENTRIES);
  private final AtomicIntegerArray taken = new AtomicIntegerArray(ENTRIES);
  private final AtomicIntegerArray pushed = new AtomicIntegerArray(ENTRIES);

  private void work(int first) {
    for (int entry = first; entry < first + ENTRIES / 2; entry++) {
      if (ring.enter()) {
        ring.push(entry);
        pushed.set(entry, 1);
        if (entry % 2 == 1) {
          count(ring.pop());
        }
        ring.leave();
      }
    }
  }

  private void count(int entry) {
    if (entry >= 0) {
      taken.incrementAndGet(entry);
    }
  }

  /** Pushes and takes. */
  @Actor
  public void first() {
    work(0);
  }

  /** Pushes and takes. */
  @Actor
  public void second() {
    work(ENTRIES / 2);
  }

  /**
   * Empties the ring.
   *
   * @param result entries lost, entries doubled
   */
  @Arbiter
  public void count(II_Result result) {
    for (int entry = ring.pop(); entry >= 0; entry = ring.pop()) {
      count(entry);
    }
    for (int entry = 0; entry < ENTRIES; entry++) {
      result.r1 += taken.get(entry) < pushed.get(entry) ? 1 : 0;
      result.r2 += taken.get(entry) > pushed.get(entry) ? 1 : 0;
    }
  }
}
