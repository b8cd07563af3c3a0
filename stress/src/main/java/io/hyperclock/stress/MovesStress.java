/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edges [start], [move], [forward] and [view]: all that may be done to a key while its entry goes
 * from table to table, because somebody writes other keys.
 *
 * <p><b>Hunted:</b> a miss of a key that stays; an erased key that comes back; two entries of a
 * key; a value freed while it is held, twice or never.
 *
 * <p><b>Forbidden:</b> each of these.
 *
 * <p><b>Planted faults:</b> {@code view-settled-early}, {@code forward-freed}, {@code
 * moved-unpinned}, {@code left-not-seen}.
 */
public class MovesStress {
  private MovesStress() {}

  /** One entry of the key, and others. */
  public static class Moving {
    private static final int WRITES = 8;

    final BlockCache<StressBlock> cache = StressBlock.movingCache();
    final StressBlock first = new StressBlock(Keys.A);
    final StressBlock second = new StressBlock(Keys.A);
    private final StressBlock[] others = new StressBlock[WRITES + 1];

    /** Starts with one entry, in a table that is being left. */
    Moving() {
      for (int i = 0; i < others.length; i++) {
        others[i] = new StressBlock(Keys.other(i));
      }
      StressBlock.insert(cache, first, StressBlock.FREED);
      StressBlock.insert(cache, others[WRITES], StressBlock.FREED);
    }

    final void write() {
      for (int i = 0; i < WRITES; i++) {
        StressBlock.insert(cache, others[i], StressBlock.FREED);
      }
    }

    final int wrong() {
      int wrong = StressBlock.wrongAfterClose(cache, others);
      return wrong + StressBlock.notFreedOnce(first);
    }
  }

  /** Pins and lets go. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Found and alive.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class Lookups extends Moving {
    /** Starts with one entry. */
    public Lookups() {}

    /** Writes others. */
    @Actor
    public void mover() {
      write();
    }

    /**
     * Pins, looks and lets go.
     *
     * @param result misses and freed values
     */
    @Actor
    public void lookup(II_Result result) {
      for (int i = 0; i < 6; i++) {
        try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
          result.r1 += handle == null ? 1 : handle.value().isWrongFor(Keys.A) ? 10 : 0;
          result.r1 += handle != null && handle.chargeBytes() != StressBlock.CHARGE_BYTES ? 100 : 0;
        }
      }
    }

    /**
     * Looks at what is left.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void end(II_Result result) {
      result.r2 = wrong();
    }
  }

  /** Holds the entry over many moves. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Held, then erased and freed once.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class Holds extends Moving {
    /** Starts with one entry. */
    public Holds() {}

    /** Writes others. */
    @Actor
    public void mover() {
      write();
    }

    /**
     * Pins, erases, looks and lets go.
     *
     * @param result what was wrong
     */
    @Actor
    public void hold(II_Result result) {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        if (handle == null) {
          result.r1 = 1;
          return;
        }
        result.r1 += cache.erase(Keys.HI, Keys.A) ? 0 : 2;
        result.r1 += StressBlock.lookup(cache, Keys.A) == null ? 0 : 4;
        result.r1 += handle.value().isWrongFor(Keys.A) ? 8 : 0;
      }
      // A thread that is about to move it may hold it for a moment, and then frees it.
      result.r1 += first.disposals() <= 1 ? 0 : 16;
    }

    /**
     * Looks at what is left.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void end(II_Result result) {
      result.r2 = wrong();
    }
  }

  /** Overwrites by a new entry, beside reads that pin. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Always one of the two.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class Puts extends Moving {
    /** Starts with one entry. */
    public Puts() {}

    /** Writes others. */
    @Actor
    public void mover() {
      write();
    }

    /**
     * Overwrites.
     *
     * @param result whether it was not an overwrite
     */
    @Actor
    public void put(III_Result result) {
      result.r1 =
          StressBlock.put(cache, second, StressBlock.FREED) == InsertResult.REPLACED ? 0 : 1;
    }

    /**
     * Pins and lets go.
     *
     * @param result misses, freed values, and reads that went back
     */
    @Actor
    public void lookup(III_Result result) {
      boolean wasSecond = false;
      for (int i = 0; i < 6; i++) {
        try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
          if (handle == null) {
            result.r2 += 1;
          } else {
            result.r2 += handle.value().isWrongFor(Keys.A) ? 10 : 0;
            result.r2 += wasSecond && handle.value() == first ? 100 : 0;
            wasSecond |= handle.value() == second;
          }
        }
      }
    }

    /**
     * Looks at what is left.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void end(III_Result result) {
      result.r3 = wrong() + StressBlock.notFreedOnce(second);
    }
  }

  /** Inserts and erases a key that was not there. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Comes and goes.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class Inserts extends Moving {
    /** Starts without the key. */
    public Inserts() {}

    /** Writes others. */
    @Actor
    public void mover() {
      write();
    }

    /**
     * Inserts, reads, erases and reads.
     *
     * @param result what was wrong
     */
    @Actor
    public void insert(II_Result result) {
      for (int i = 0; i < 3; i++) {
        StressBlock block = new StressBlock(Keys.B);
        result.r1 += StressBlock.isInserted(cache, block, StressBlock.COLLECTED) ? 0 : 1;
        result.r1 += StressBlock.get(cache, Keys.B) == block ? 0 : 10;
        result.r1 += cache.erase(Keys.HI, Keys.B) ? 0 : 100;
        result.r1 += StressBlock.get(cache, Keys.B) == null ? 0 : 1000;
      }
    }

    /**
     * Looks at what is left.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void end(II_Result result) {
      result.r2 = wrong();
    }
  }
}
