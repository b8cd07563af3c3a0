/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.ReadScope;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [scope], scopes: readers that open a scope, read a value freed explicitly and close, against
 * an erase of the value.
 *
 * <p><b>Hunted:</b> an erase that sees no open scope although one returns the value later; a value
 * freed while a scope that returned it is open; a disposer that has not seen a reader's last use; a
 * value that nobody frees after the last scope.
 *
 * <p><b>Forbidden:</b> a freed value in an open scope; a disposer that misses a reader's write; any
 * number of frees but one.
 *
 * <p><b>Planted faults:</b> {@code scope-retires-at-once}, {@code scope-freed-an-epoch-early}.
 */
public class ScopeRetireStress {
  private ScopeRetireStress() {}

  private static int read(BlockCache<StressBlock> cache, boolean first) {
    try (ReadScope<StressBlock> scope = cache.openScope()) {
      StressBlock block = scope.get(Keys.HI, Keys.A);
      if (block == null) {
        return 0;
      }
      int outcome = block.isWrongFor(Keys.A) ? 2 : 1;
      if (first) {
        block.usedByFirst = 1;
      } else {
        block.usedBySecond = 1;
      }
      return block.disposals() == 0 ? outcome : 2;
    }
  }

  private static int count(BlockCache<StressBlock> cache, StressBlock block, int hits) {
    int wrong =
        StressBlock.wrongAfterClose(cache, block)
            + (int) cache.monitor().scopeStats().retiredValues();
    return wrong == 0 && block.usesSeenByDisposer == hits ? 0 : wrong + 10;
  }

  /** One reader. */
  @JCStressTest
  @Outcome(id = "[01], 0, 0", expect = ACCEPTABLE, desc = "Read or erased first.")
  @Outcome(expect = FORBIDDEN, desc = "Freed too early, twice or never.")
  @State
  public static class OneReader {
    private final BlockCache<StressBlock> cache = StressBlock.cache(2);
    private final StressBlock block = new StressBlock(Keys.A);

    /** Starts a cache with one entry, in which a scope has been opened before. */
    public OneReader() {
      StressBlock.insert(cache, block, StressBlock.FREED);
      cache.openScope().close();
    }

    /**
     * Reads.
     *
     * @param result miss, hit or wrong
     */
    @Actor
    public void read(III_Result result) {
      result.r1 = ScopeRetireStress.read(cache, true);
    }

    /** Erases. */
    @Actor
    public void erase() {
      StressBlock.erase(cache, Keys.A);
    }

    /**
     * Counts.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = ScopeRetireStress.count(cache, block, result.r1);
    }
  }

  /** The eraser reads too; these are the first scopes of the cache. */
  @JCStressTest
  @Outcome(id = "[01], 1, 0", expect = ACCEPTABLE, desc = "Read or erased first.")
  @Outcome(expect = FORBIDDEN, desc = "Freed too early, twice or never.")
  @State
  public static class TwoReaders {
    private final BlockCache<StressBlock> cache = StressBlock.cache(2);
    private final StressBlock block = new StressBlock(Keys.A);

    /** Starts a cache with one entry. */
    public TwoReaders() {
      StressBlock.insert(cache, block, StressBlock.FREED);
    }

    /**
     * Reads.
     *
     * @param result miss, hit or wrong
     */
    @Actor
    public void read(III_Result result) {
      result.r1 = ScopeRetireStress.read(cache, true);
    }

    /**
     * Reads and erases.
     *
     * @param result hit or wrong
     */
    @Actor
    public void erase(III_Result result) {
      try (ReadScope<StressBlock> scope = cache.openScope()) {
        StressBlock read = scope.get(Keys.HI, Keys.A);
        StressBlock.erase(cache, Keys.A);
        if (read != null) {
          read.usedBySecond = 1;
          result.r2 = read.isWrongFor(Keys.A) || read.disposals() != 0 ? 2 : 1;
        }
      }
    }

    /**
     * Counts.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = ScopeRetireStress.count(cache, block, result.r1 + result.r2);
    }
  }
}
