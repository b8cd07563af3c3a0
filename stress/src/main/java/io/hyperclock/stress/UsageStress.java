/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [sum], usage: charges and slots are counted by steps that nothing else orders, so each step
 * must be right by itself.
 *
 * <p><b>Hunted:</b> a charge or a slot that is counted twice or never given back: by an insert
 * rolled back because its key is present, by an erase, by an eviction, by a handle that changes its
 * charge.
 *
 * <p><b>Forbidden:</b> when all is quiet, a usage other than the sum of the charges of all entries,
 * an occupancy other than their number, anything left after all are erased.
 *
 * <p><b>Planted faults:</b> {@code usage-kept}, {@code occupancy-kept}, {@code
 * tag-kept-by-given-up}.
 */
public class UsageStress {
  private static final int ROUNDS = 4;

  private UsageStress() {}

  /** A cache and what must be true of it when nobody uses it. */
  public static class Quiet {
    final BlockCache<StressBlock> cache;

    /** Starts a cache with room for some entries. */
    Quiet(int entries) {
      cache = StressBlock.cache(entries);
    }

    final void insert(long key) {
      StressBlock.insert(cache, new StressBlock(key), StressBlock.FREED);
    }

    final void compare(III_Result result) {
      long[] sums = new long[2];
      cache
          .monitor()
          .forEachEntry(
              (hi, lo, block, type, chargeBytes) -> {
                sums[0] += chargeBytes;
                sums[1]++;
              });
      result.r1 = (int) (cache.monitor().usageBytes() - sums[0]);
      result.r2 = (int) (cache.monitor().occupancy() - sums[1]);
      result.r3 = StressBlock.inconsistencies(cache);
      cache.eraseUnreferenced();
      result.r3 += StressBlock.left(cache) + (int) cache.monitor().pinnedUsageBytes();
    }
  }

  /** Both insert and erase one key: one insert in two is rolled back. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong usage or occupancy.")
  @State
  public static class SameKey extends Quiet {
    /** Starts a cache. */
    public SameKey() {
      super(4);
    }

    /** Inserts and erases A. */
    @Actor
    public void first() {
      for (int i = 0; i < ROUNDS; i++) {
        insert(Keys.A);
        insert(Keys.A);
        StressBlock.erase(cache, Keys.A);
      }
    }

    /** Inserts and erases A. */
    @Actor
    public void second() {
      for (int i = 0; i < ROUNDS; i++) {
        insert(Keys.A);
        StressBlock.erase(cache, Keys.A);
        insert(Keys.A);
      }
    }

    /**
     * Compares.
     *
     * @param result usage and occupancy too much, then inconsistencies and what is left after all
     *     are erased
     */
    @Arbiter
    public void count(III_Result result) {
      compare(result);
    }
  }

  /** Both insert into a full cache: each insert evicts. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong usage or occupancy.")
  @State
  public static class Full extends Quiet {
    /** Starts a cache. */
    public Full() {
      super(1);
    }

    /** Inserts A and B. */
    @Actor
    public void first() {
      for (int i = 0; i < ROUNDS; i++) {
        insert(Keys.A);
        insert(Keys.B);
      }
    }

    /** Inserts C and D. */
    @Actor
    public void second() {
      for (int i = 0; i < ROUNDS; i++) {
        insert(Keys.C);
        insert(Keys.D);
      }
    }

    /**
     * Compares.
     *
     * @param result usage and occupancy too much, then inconsistencies and what is left after all
     *     are erased
     */
    @Arbiter
    public void count(III_Result result) {
      compare(result);
    }
  }

  /** A held entry changes its charge while it is erased and another is inserted. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong usage or occupancy.")
  @State
  public static class ChargeChanges extends Quiet {
    private final Handle<StressBlock> handle;

    /** Starts a cache with a held entry. */
    public ChargeChanges() {
      super(2);
      handle = StressBlock.insertPinned(cache, new StressBlock(Keys.A));
    }

    /** Grows and shrinks the entry, then lets go. */
    @Actor
    public void adjust() {
      for (int i = 0; i < ROUNDS; i++) {
        handle.adjustCharge(StressBlock.CHARGE_BYTES + i);
      }
      handle.close();
    }

    /** Erases it and inserts others. */
    @Actor
    public void eraseAndInsert() {
      insert(Keys.B);
      StressBlock.erase(cache, Keys.A);
      insert(Keys.C);
      insert(Keys.A);
    }

    /**
     * Compares.
     *
     * @param result usage and occupancy too much, then inconsistencies and what is left after all
     *     are erased
     */
    @Arbiter
    public void count(III_Result result) {
      compare(result);
    }
  }
}
