/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.internal.policy.PolicyParts;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [S8], probation ring: places are handed over by exchanges.
 *
 * <p><b>Hunted:</b> an entry taken while its thread is still storing it, or pushed onto a full ring
 * while another takes it: given to two threads, or to none.
 *
 * <p><b>Forbidden:</b> an entry that was not handed out exactly once when later pushes have gone
 * round the ring.
 *
 * <p><b>Planted faults:</b> {@code ring-pop-without-exchange}, {@code ring-push-without-exchange},
 * {@code ring-pop-by-load-and-store}.
 */
public class ProbationRingStress {
  private static final int PLACES = 2;
  private static final int ENTRIES = 8;

  private ProbationRingStress() {}

  /** A ring and how often each entry came out of it. */
  public static class Counted {
    private final PolicyParts.Ring ring = new PolicyParts.Ring(PLACES);
    private final AtomicIntegerArray handedOut = new AtomicIntegerArray(ENTRIES + 2 * PLACES);
    private int pushed;

    Counted(int filled) {
      for (int entry = 0; entry < filled; entry++) {
        push(entry);
      }
      pushed = filled;
    }

    private void count(int entry) {
      if (entry >= 0) {
        handedOut.incrementAndGet(entry);
      }
    }

    final void push(int entry) {
      count(ring.push(entry));
    }

    final void pop() {
      count(ring.pop());
    }

    /** Goes round the ring; r1 tells how many entries are missing, r2 how many came out twice. */
    final void compare(int pushedByActors, II_Result result) {
      for (int i = 0; i < 2 * PLACES; i++) {
        push(ENTRIES + i);
      }
      for (int entry = 0; entry < pushed + pushedByActors; entry++) {
        result.r1 += handedOut.get(entry) == 0 ? 1 : 0;
        result.r2 += handedOut.get(entry) > 1 ? 1 : 0;
      }
    }
  }

  /** One fills an empty ring beyond its places, the other empties it. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Each handed out once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class PushPop extends Counted {
    /** Starts an empty ring. */
    public PushPop() {
      super(0);
    }

    /** Adds three, one more than there is room for. */
    @Actor
    public void pushes() {
      push(0);
      push(1);
      push(2);
    }

    /** Takes four. */
    @Actor
    public void pops() {
      pop();
      pop();
      pop();
      pop();
    }

    /**
     * Counts.
     *
     * @param result entries lost, entries doubled
     */
    @Arbiter
    public void count(II_Result result) {
      compare(3, result);
    }
  }

  /** One pushes onto a full ring while the other takes from it. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Each handed out once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class FullPushPop extends Counted {
    /** Starts a full ring. */
    public FullPushPop() {
      super(PLACES);
    }

    /** Adds three. */
    @Actor
    public void pushes() {
      push(2);
      push(3);
      push(4);
    }

    /** Takes three. */
    @Actor
    public void pops() {
      pop();
      pop();
      pop();
    }

    /**
     * Counts.
     *
     * @param result entries lost, entries doubled
     */
    @Arbiter
    public void count(II_Result result) {
      compare(3, result);
    }
  }

  /** Both push onto a full ring and take from it. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Each handed out once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class FullBoth extends Counted {
    /** Starts a full ring. */
    public FullBoth() {
      super(PLACES);
    }

    /** Adds two and takes one. */
    @Actor
    public void first() {
      push(2);
      pop();
      push(3);
    }

    /** Takes two and adds two. */
    @Actor
    public void second() {
      pop();
      push(4);
      pop();
      push(5);
    }

    /**
     * Counts.
     *
     * @param result entries lost, entries doubled
     */
    @Arbiter
    public void count(II_Result result) {
      compare(4, result);
    }
  }

  /** Two take the same entries. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Each handed out once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class PopPop extends Counted {
    /** Starts a full ring. */
    public PopPop() {
      super(PLACES);
    }

    /** Takes two. */
    @Actor
    public void first() {
      pop();
      pop();
    }

    /** Takes two. */
    @Actor
    public void second() {
      pop();
      pop();
    }

    /**
     * Counts.
     *
     * @param result entries lost, entries doubled
     */
    @Arbiter
    public void count(II_Result result) {
      compare(0, result);
    }
  }
}
