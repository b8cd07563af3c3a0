/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [exchange]: values exchanged in place, beside whatever else is done with the entry.
 *
 * <p><b>Hunted:</b> a value that is published although it was not the one to be replaced, two
 * conditional exchanges of one value, a held entry whose value changes, a value that reads find
 * after its key was erased.
 */
public class ExchangeStress {
  private ExchangeStress() {}

  private static int replaced(InsertResult result) {
    return result == InsertResult.REPLACED ? 1 : 0;
  }

  /**
   * A put in place and a compare-and-replace that needs a new entry.
   *
   * <p><b>Planted faults:</b> {@code exchange-of-held}, {@code exchange-not-awaited}.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Compared first, then put.")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "Put, then not what was expected.")
  @Outcome(expect = FORBIDDEN, desc = "The value put was lost.")
  @State
  public static class ComparedMove {
    private final BlockCache<StressBlock> cache = StressBlock.cache(6);
    private final StressBlock older = new StressBlock(Keys.A);
    private final StressBlock put = new StressBlock(Keys.A);
    private final StressBlock moved = new StressBlock(Keys.A);

    /** One entry. */
    public ComparedMove() {
      StressBlock.put(cache, older, StressBlock.COLLECTED);
    }

    /**
     * Puts.
     *
     * @param result whether it replaced
     */
    @Actor
    public void put(III_Result result) {
      result.r1 = replaced(StressBlock.put(cache, put, StressBlock.COLLECTED));
    }

    /**
     * Replaces what it expects.
     *
     * @param result whether it did
     */
    @Actor
    public void move(III_Result result) {
      result.r2 = replaced(StressBlock.compareAndMove(cache, older, moved));
    }

    /**
     * Reads.
     *
     * @param result whether the value put is there
     */
    @Arbiter
    public void read(III_Result result) {
      boolean found = StressBlock.get(cache, Keys.A) == put;
      result.r3 = found && StressBlock.inconsistencies(cache) == 0 ? 1 : 0;
    }
  }

  /**
   * Two compare-and-replaces in place.
   *
   * <p><b>Planted faults:</b> {@code exchange-without-cas}.
   */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The first.")
  @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "The second.")
  @Outcome(expect = FORBIDDEN, desc = "Both, neither, or the wrong value.")
  @State
  public static class Compared {
    private final BlockCache<StressBlock> cache = StressBlock.cache(6);
    private final StressBlock older = new StressBlock(Keys.A);
    private final StressBlock one = new StressBlock(Keys.A);
    private final StressBlock two = new StressBlock(Keys.A);

    /** One entry. */
    public Compared() {
      StressBlock.put(cache, older, StressBlock.COLLECTED);
    }

    /**
     * Replaces what it expects.
     *
     * @param result whether it did
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = replaced(StressBlock.compareAndReplace(cache, older, one));
    }

    /**
     * Replaces what it expects.
     *
     * @param result whether it did
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = replaced(StressBlock.compareAndReplace(cache, older, two));
    }

    /**
     * Reads.
     *
     * @param result whose value is there, 9 if something is wrong
     */
    @Arbiter
    public void read(III_Result result) {
      StressBlock found = StressBlock.get(cache, Keys.A);
      boolean whole = StressBlock.inconsistencies(cache) == 0;
      result.r3 = whole && found == one ? 1 : whole && found == two ? 2 : 9;
    }
  }

  /** Puts in place and an erase. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Put, then erased.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Erased, then put.")
  @Outcome(expect = FORBIDDEN, desc = "Brought back, or not erased.")
  @State
  public static class Erased {
    private final BlockCache<StressBlock> cache = StressBlock.cache(6);
    private final StressBlock older = new StressBlock(Keys.A);
    private final StressBlock newer = new StressBlock(Keys.A);

    /** One entry. */
    public Erased() {
      StressBlock.put(cache, older, StressBlock.COLLECTED);
    }

    /**
     * Puts.
     *
     * @param result whether it replaced
     */
    @Actor
    public void put(III_Result result) {
      result.r1 = replaced(StressBlock.put(cache, newer, StressBlock.COLLECTED));
    }

    /**
     * Erases.
     *
     * @param result whether it did
     */
    @Actor
    public void erase(III_Result result) {
      result.r2 = StressBlock.erase(cache, Keys.A) ? 1 : 0;
    }

    /**
     * Reads.
     *
     * @param result whether the value put is there
     */
    @Arbiter
    public void read(III_Result result) {
      int wrong = StressBlock.inconsistencies(cache);
      result.r3 = wrong == 0 ? StressBlock.get(cache, Keys.A) == newer ? 1 : 0 : 9;
    }
  }

  /**
   * A put in place and a holder who changes the charge of what it holds.
   *
   * <p><b>Planted faults:</b> {@code exchange-under-a-handle}.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The older value was held.")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The newer value was held.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE_INTERESTING, desc = "Held while its put was stopped.")
  @Outcome(expect = FORBIDDEN, desc = "The charge of a value that was not held changed.")
  @State
  public static class Recharged {
    private final BlockCache<StressBlock> cache = StressBlock.cache(6);
    private final StressBlock newer = new StressBlock(Keys.A);

    /** One entry. */
    public Recharged() {
      StressBlock.put(cache, new StressBlock(Keys.A), StressBlock.COLLECTED);
    }

    /** Puts. */
    @Actor
    public void put() {
      StressBlock.put(cache, newer, StressBlock.COLLECTED);
    }

    /**
     * Changes the charge of what it finds.
     *
     * @param result whether that was the newer value
     */
    @Actor
    public void recharge(II_Result result) {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        if (handle == null || !handle.adjustCharge(StressBlock.CHARGE_BYTES - 1)) {
          result.r1 = 9;
        } else {
          result.r1 = handle.value() == newer ? 1 : 0;
        }
      }
    }

    /**
     * Looks at the charge.
     *
     * @param result whether it is another than that of the put, 9 if something is wrong
     */
    @Arbiter
    public void look(II_Result result) {
      boolean whole = StressBlock.inconsistencies(cache) == 0;
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        boolean found = handle != null && handle.value() == newer;
        result.r2 = !whole || !found ? 9 : handle.chargeBytes() == StressBlock.CHARGE_BYTES ? 0 : 1;
      }
    }
  }

  /** Puts in place and reads of what the values hold, and of their order. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Whole and in order.")
  @Outcome(expect = FORBIDDEN, desc = "Not whole, missed, or gone back.")
  @State
  public static class Read {
    private static final int ROUNDS = 3;

    private final BlockCache<StressBlock> cache = StressBlock.cache(6);

    /** One entry. */
    public Read() {
      StressBlock.put(cache, numbered(0), StressBlock.COLLECTED);
    }

    private static StressBlock numbered(int number) {
      StressBlock block = new StressBlock(Keys.A);
      block.usedByFirst = number;
      block.usedBySecond = number;
      return block;
    }

    /** Puts. */
    @Actor
    public void put() {
      for (int i = 1; i <= ROUNDS; i++) {
        StressBlock.put(cache, numbered(i), StressBlock.COLLECTED);
      }
    }

    /**
     * Reads with a pin and without, in turns.
     *
     * @param result what is wrong
     */
    @Actor
    public void read(II_Result result) {
      int last = 0;
      for (int i = 0; i < 2 * ROUNDS; i++) {
        StressBlock found = i % 2 == 0 ? StressBlock.get(cache, Keys.A) : held();
        result.r1 += wrong(found, last);
        last = found == null ? 0 : found.usedBySecond;
      }
    }

    private @Nullable StressBlock held() {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        return handle == null ? null : handle.value();
      }
    }

    private static int wrong(@Nullable StressBlock found, int last) {
      return found == null ? 1 : found.usedByFirst < last ? 10 : found.key != Keys.A ? 100 : 0;
    }

    /**
     * Looks whether all is whole.
     *
     * @param result entries too many and inconsistencies
     */
    @Arbiter
    public void count(II_Result result) {
      result.r2 = (int) cache.monitor().occupancy() - 1 + StressBlock.inconsistencies(cache);
    }
  }
}
