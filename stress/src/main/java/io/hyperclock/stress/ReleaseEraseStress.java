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
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/**
 * Edges [last-use] last use before free and [reuse] free before reuse, for releases that erase the
 * entry if they are the last.
 *
 * <p><b>Hunted:</b> in {@link TwoHolders}, two holders that both or neither think they are the
 * last. In {@link AgainstReuse}, a holder that has let go, then decides to erase, and hits the next
 * tenant of the slot.
 *
 * <p><b>Forbidden:</b> any number of frees but one; an entry left that nobody holds; a next tenant
 * that is gone.
 *
 * <p><b>Planted faults:</b> {@code erase-after-letting-go}, {@code last-release-without-cas}.
 */
public class ReleaseEraseStress {
  private ReleaseEraseStress() {}

  /** Both holders let go with the wish to erase. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The first freed it.")
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The second freed it.")
  @Outcome(expect = FORBIDDEN, desc = "Freed twice or never.")
  @State
  public static class TwoHolders {
    private final BlockCache<StressBlock> cache = StressBlock.cache(2);
    private final StressBlock block = new StressBlock(Keys.A);
    private final Handle<StressBlock> first = StressBlock.insertPinned(cache, block);
    private final Handle<StressBlock> second = first.ref();

    /** Starts a cache whose one entry has two holders. */
    public TwoHolders() {}

    /**
     * Lets go.
     *
     * @param result whether it freed
     */
    @Actor
    public void first(IIII_Result result) {
      result.r1 = first.eraseIfLast() ? 1 : 0;
    }

    /**
     * Lets go.
     *
     * @param result whether it freed
     */
    @Actor
    public void second(IIII_Result result) {
      result.r2 = second.eraseIfLast() ? 1 : 0;
    }

    /**
     * Counts.
     *
     * @param result number of frees, slots and bytes left, inconsistencies
     */
    @Arbiter
    public void count(IIII_Result result) {
      result.r3 = block.disposals();
      result.r4 = StressBlock.left(cache);
    }
  }

  /**
   * The holder of a visible entry against an insert that needs its room: if the holder let go
   * before it takes over, the insert could evict the entry in between and move into the slot.
   */
  @JCStressTest
  @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "Freed once, the next tenant stays.")
  @Outcome(id = "false, 1, 0", expect = FORBIDDEN, desc = "Freed by nobody who could.")
  @Outcome(expect = FORBIDDEN, desc = "Freed twice or never, or the next tenant is gone.")
  @State
  public static class AgainstReuse {
    private final BlockCache<StressBlock> cache = StressBlock.cache(1);
    private final StressBlock block = new StressBlock(Keys.A);
    private final StressBlock next = new StressBlock(Keys.B);
    private final Handle<StressBlock> handle = StressBlock.insertPinned(cache, block);

    /** Starts a cache whose one entry has a holder. */
    public AgainstReuse() {}

    /**
     * Lets go.
     *
     * @param result whether it freed
     */
    @Actor
    public void release(ZII_Result result) {
      result.r1 = handle.eraseIfLast();
    }

    /** Inserts another key. */
    @Actor
    public void insert() {
      StressBlock.insert(cache, next, StressBlock.FREED);
    }

    /**
     * Counts.
     *
     * @param result number of frees, then of frees of the other block or 1 if it cannot be found
     */
    @Arbiter
    public void count(ZII_Result result) {
      result.r2 = block.disposals();
      try (Handle<StressBlock> found = StressBlock.lookup(cache, Keys.B)) {
        result.r3 = found == null ? 1 : next.disposals();
      }
    }
  }
}
