/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [validate], validated read, in the real table: a slot changes its tenant again and again
 * while another thread reads one of the keys without a pin.
 *
 * <p><b>Hunted:</b> a read that compares the key of one tenancy and returns the value of another.
 *
 * <p><b>Forbidden:</b> a value that was never stored under the key.
 *
 * <p><b>Planted faults:</b> {@code no-generation-bump}, {@code no-second-look}, {@code
 * key-before-meta}. The faults {@code no-fence-…} are hidden by x86: {@code OrderOfAccessesTest} in
 * {@code core} notices them, and {@code ValidatedReadModelTest} shows what they would break.
 */
public class ValidatedGetReuseStress {
  private static final int ROUNDS = 16;

  private ValidatedGetReuseStress() {}

  /** A cache with room for one entry and a reader of key A. */
  public static class Reader {
    final BlockCache<StressBlock> cache = StressBlock.cache(1);
    final StressBlock[] blocks = {new StressBlock(Keys.B), new StressBlock(Keys.A)};

    /** Starts a cache whose one entry has key A. */
    public Reader() {
      StressBlock.insert(cache, blocks[1], StressBlock.COLLECTED);
    }

    final void getAll(II_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        StressBlock block = StressBlock.get(cache, Keys.A);
        if (block != null) {
          result.r1 = 1;
          if (block.key != Keys.A) {
            result.r2 = 1;
          }
        }
      }
    }
  }

  /** The next tenant's insert evicts. */
  @JCStressTest
  @Outcome(id = "[01], 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
  @Outcome(expect = FORBIDDEN, desc = "Value of another key.")
  @State
  public static class ByEviction extends Reader {
    /** Starts a cache. */
    public ByEviction() {}

    /**
     * Reads A.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void get(II_Result result) {
      getAll(result);
    }

    /** Inserts B, A, B and so on, each evicting the one before. */
    @Actor
    public void insert() {
      for (int i = 0; i < ROUNDS; i++) {
        StressBlock.insert(cache, blocks[i & 1], StressBlock.COLLECTED);
      }
    }
  }

  /** The tenant is erased before the next one is inserted. */
  @JCStressTest
  @Outcome(id = "[01], 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
  @Outcome(expect = FORBIDDEN, desc = "Value of another key.")
  @State
  public static class ByErase extends Reader {
    /** Starts a cache. */
    public ByErase() {}

    /**
     * Reads A.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void get(II_Result result) {
      getAll(result);
    }

    /** Erases A, inserts B, erases B and so on. */
    @Actor
    public void eraseAndInsert() {
      for (int i = 0; i < ROUNDS; i++) {
        StressBlock.erase(cache, blocks[(i + 1) & 1].key);
        StressBlock.insert(cache, blocks[i & 1], StressBlock.COLLECTED);
      }
    }
  }

  /** In one slot of a bare table, for many more changes of tenant. */
  @JCStressTest
  @Outcome(id = "[01], 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
  @Outcome(expect = FORBIDDEN, desc = "Value of another key.")
  @State
  public static class InSlot {
    private static final int SWAPS = 64;

    private final StressBlock[] blocks = {new StressBlock(Keys.B), new StressBlock(Keys.A)};
    private final RawTable table = new RawTable(true, blocks[1]);

    /** Starts a table whose one entry has key A. */
    public InSlot() {}

    /** Puts B, A, B and so on into the slot. */
    @Actor
    public void replace() {
      for (int i = 0; i < SWAPS; i++) {
        table.replace(blocks[i & 1]);
      }
    }

    /**
     * Reads A.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void get(II_Result result) {
      for (int i = 0; i < 2 * SWAPS; i++) {
        Object found = table.getA();
        if (found == blocks[1]) {
          result.r1 = 1;
        } else if (found != null) {
          result.r2 = 1;
        }
      }
    }
  }
}
