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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Edge [reuse], free before reuse: a slot changes its tenant again and again while another thread
 * pins one of the keys.
 *
 * <p><b>Hunted:</b> a pin that lands on the next tenant and is taken for the key looked up; a value
 * freed while pinned; a tear-down that is not finished when the next tenant moves in, so that the
 * next value is nulled or freed with it.
 *
 * <p><b>Forbidden:</b> a handle on a value of another key or on a freed value; at the end, after
 * the cache is closed, a block that was not freed exactly once.
 *
 * <p><b>Planted faults:</b> {@code key-not-rechecked}, {@code wrong-pin-kept}, {@code
 * empty-pin-taken-back}, {@code empty-before-null}.
 */
public class FreeBeforeReuseStress {
  private FreeBeforeReuseStress() {}

  /** Through the cache: inserts evict. */
  @JCStressTest
  @Outcome(id = "[01], 0, 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong or freed value, leak or second free.")
  @State
  public static class InCache {
    private static final int ROUNDS = 8;

    private final BlockCache<StressBlock> cache = StressBlock.cache(1);
    private final StressBlock[] blocks = new StressBlock[ROUNDS + 1];

    /** Starts a cache whose one entry has key A. */
    public InCache() {
      for (int i = 0; i <= ROUNDS; i++) {
        blocks[i] = new StressBlock((i & 1) == 0 ? Keys.A : Keys.B);
      }
      StressBlock.insert(cache, blocks[0], StressBlock.FREED);
    }

    /** Inserts B, A, B and so on, each evicting the one before. */
    @Actor
    public void insert() {
      for (int i = 1; i <= ROUNDS; i++) {
        StressBlock.insert(cache, blocks[i], StressBlock.FREED);
      }
    }

    /**
     * Pins A.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void lookup(III_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
          if (handle != null) {
            StressBlock held = handle.value();
            result.r1 = 1;
            if (held == null || held.isWrongFor(Keys.A) || handle.keyLo() != Keys.A) {
              result.r2 = 1;
            }
          }
        }
      }
    }

    /**
     * Closes the cache.
     *
     * @param result blocks not freed exactly once, inconsistencies
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = StressBlock.wrongAfterClose(cache, blocks);
    }
  }

  /** In one slot of a bare table, for many more changes of tenant. */
  @JCStressTest
  @Outcome(id = "[01], 0, 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong or freed value, leak or second free.")
  @State
  public static class InSlot {
    private static final int ROUNDS = 32;

    private final StressBlock[] blocks = new StressBlock[ROUNDS + 1];
    private final RawTable table;
    private int inserted = 1;

    /** Starts a table whose one entry has key A. */
    public InSlot() {
      for (int i = 0; i <= ROUNDS; i++) {
        blocks[i] = new StressBlock((i & 1) == 0 ? Keys.A : Keys.B);
      }
      table = new RawTable(false, blocks[0]);
    }

    /** Puts B, A, B and so on into the slot, as far as it is not pinned. */
    @Actor
    public void replace() {
      for (int i = 0; i < 2 * ROUNDS && inserted <= ROUNDS; i++) {
        if (table.replace(blocks[inserted])) {
          inserted++;
        }
      }
    }

    /**
     * Pins A.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void lookup(III_Result result) {
      for (int i = 0; i < 2 * ROUNDS; i++) {
        int outcome = table.lookupA();
        if (outcome > 0) {
          result.r1 = 1;
        }
        if (outcome > 1) {
          result.r2 = 1;
        }
      }
    }

    /**
     * Evicts what is left.
     *
     * @param result blocks not freed exactly once
     */
    @Arbiter
    public void count(III_Result result) {
      table.evict();
      for (int i = 0; i < inserted; i++) {
        if (blocks[i].disposals() != 1) {
          result.r3++;
        }
      }
    }
  }

  /** Two threads that evict from and insert into one slot of a bare table. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Each freed once.")
  @Outcome(expect = FORBIDDEN, desc = "Value lost, leak or second free.")
  @State
  public static class TwoWriters {
    private static final int ROUNDS = 16;

    private final StressBlock[] first = blocks(Keys.A);
    private final StressBlock[] second = blocks(Keys.B);
    private final RawTable table = new RawTable(false, first[0]);
    private int insertedByFirst = 1;
    private int insertedBySecond;

    /** Starts a table whose one entry has key A. */
    public TwoWriters() {}

    private static StressBlock[] blocks(long key) {
      StressBlock[] blocks = new StressBlock[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        blocks[i] = new StressBlock(key);
      }
      return blocks;
    }

    /** Puts A into the slot. */
    @Actor
    public void first() {
      for (int i = 0; i < 2 * ROUNDS && insertedByFirst < ROUNDS; i++) {
        if (table.replace(first[insertedByFirst])) {
          insertedByFirst++;
        }
      }
    }

    /** Puts B into the slot. */
    @Actor
    public void second() {
      for (int i = 0; i < 2 * ROUNDS && insertedBySecond < ROUNDS; i++) {
        if (table.replace(second[insertedBySecond])) {
          insertedBySecond++;
        }
      }
    }

    /**
     * Evicts what is left.
     *
     * @param result blocks not freed exactly once
     */
    @Arbiter
    public void count(I_Result result) {
      table.evict();
      for (int i = 0; i < ROUNDS; i++) {
        result.r1 += first[i].disposals() == (i < insertedByFirst ? 1 : 0) ? 0 : 1;
        result.r1 += second[i].disposals() == (i < insertedBySecond ? 1 : 0) ? 0 : 1;
      }
    }
  }
}
