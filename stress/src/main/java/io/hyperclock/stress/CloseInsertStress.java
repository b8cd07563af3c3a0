/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;

/**
 * Edges [reuse] free before reuse and [hide] hide: an insert against the close of the cache.
 *
 * <p><b>Hunted:</b> an entry that slips in behind the closing thread and is never freed, or that
 * both threads free; a refused insert whose value is freed all the same.
 *
 * <p><b>Forbidden:</b> a value taken over and not freed exactly once; a value that stayed the
 * caller's and was freed.
 *
 * <p><b>Planted faults:</b> {@code close-looked-at-once}.
 */
public class CloseInsertStress {
  private CloseInsertStress() {}

  /** Insert without a handle. */
  @JCStressTest
  @Outcome(id = "taken, 1, 1", expect = ACCEPTABLE, desc = "Inserted first, freed by close.")
  @Outcome(id = "refused, 1, 0", expect = ACCEPTABLE, desc = "Closed first.")
  @Outcome(expect = FORBIDDEN, desc = "Leak or second free.")
  @State
  public static class Unpinned {
    private final BlockCache<StressBlock> cache = StressBlock.cache(2);
    private final StressBlock present = new StressBlock(Keys.A);
    private final StressBlock block = new StressBlock(Keys.B);

    /** Starts a cache with one entry. */
    public Unpinned() {
      StressBlock.insert(cache, present, StressBlock.FREED);
    }

    /** Closes. */
    @Actor
    public void close() {
      cache.close();
    }

    /**
     * Inserts.
     *
     * @param result whether the value was taken over
     */
    @Actor
    public void insert(LII_Result result) {
      try {
        StressBlock.insert(cache, block, StressBlock.FREED);
        result.r1 = "taken";
      } catch (IllegalStateException e) {
        result.r1 = "refused";
      }
    }

    /**
     * Counts.
     *
     * @param result number of frees
     */
    @Arbiter
    public void count(LII_Result result) {
      result.r2 = present.disposals();
      result.r3 = block.disposals();
    }
  }

  /** Insert with a handle, which outlives the cache. */
  @JCStressTest
  @Outcome(id = "taken, 0, 1", expect = ACCEPTABLE, desc = "Inserted first, freed by its holder.")
  @Outcome(id = "refused, 0, 0", expect = ACCEPTABLE, desc = "Closed first.")
  @Outcome(expect = FORBIDDEN, desc = "Freed while held, leak or second free.")
  @State
  public static class Pinned {
    private final BlockCache<StressBlock> cache = StressBlock.cache(2);
    private final StressBlock block = new StressBlock(Keys.A);
    private @Nullable Handle<StressBlock> handle;

    /** Starts a cache. */
    public Pinned() {}

    /** Closes. */
    @Actor
    public void close() {
      cache.close();
    }

    /**
     * Inserts and holds.
     *
     * @param result whether the value was taken over
     */
    @Actor
    public void insert(LII_Result result) {
      try {
        handle = StressBlock.insertPinned(cache, block);
        result.r1 = "taken";
      } catch (IllegalStateException e) {
        result.r1 = "refused";
      }
    }

    /**
     * Counts.
     *
     * @param result number of frees before and after the handle is released
     */
    @Arbiter
    public void count(LII_Result result) {
      result.r2 = block.disposals();
      if (handle != null) {
        handle.close();
      }
      result.r3 = block.disposals();
    }
  }
}
