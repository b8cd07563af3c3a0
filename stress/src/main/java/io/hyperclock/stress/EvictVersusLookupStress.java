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
import org.openjdk.jcstress.infra.results.LII_Result;

/**
 * Edges [last-use] last use before free and [reuse] free before reuse: an eviction against a lookup
 * of the entry it wants.
 *
 * <p><b>Hunted:</b> a value that is freed while it is pinned; a disposer that has not seen what the
 * last holder wrote, because the eviction's takeover does not follow the release's step.
 *
 * <p><b>Forbidden:</b> a handle on a freed value; a disposer that misses a holder's write; a block
 * not freed exactly once after the cache is closed.
 *
 * <p><b>Planted faults:</b> {@code take-without-cas}.
 */
@JCStressTest
@Outcome(id = "miss, 0, 0", expect = ACCEPTABLE, desc = "Evicted first.")
@Outcome(id = "hit, 0, 1", expect = ACCEPTABLE, desc = "Pinned first; freed with the write seen.")
@Outcome(expect = FORBIDDEN, desc = "Freed while pinned, twice, never, or without having seen it.")
@State
public class EvictVersusLookupStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(1);
  private final StressBlock block = new StressBlock(Keys.A);
  private final StressBlock next = new StressBlock(Keys.B);

  /** Starts a cache whose one entry has key A. */
  public EvictVersusLookupStress() {
    StressBlock.insert(cache, block, StressBlock.FREED);
  }

  /** Needs the room: evicts until the entry is gone or given up. */
  @Actor
  public void evict() {
    StressBlock.insert(cache, next, StressBlock.FREED);
  }

  /**
   * Pins, uses and lets go.
   *
   * @param result hit or miss, whether the value was wrong
   */
  @Actor
  public void lookup(LII_Result result) {
    result.r1 = "miss";
    try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
      if (handle != null) {
        StressBlock held = handle.value();
        held.usedByFirst = 1;
        result.r1 = "hit";
        result.r2 = held.isWrongFor(Keys.A) ? 1 : 0;
      }
    }
  }

  /**
   * Closes the cache.
   *
   * @param result uses that the disposer had seen, or less than 0 for leaks, second frees and
   *     inconsistencies
   */
  @Arbiter
  public void count(LII_Result result) {
    int wrong = StressBlock.wrongAfterClose(cache, block, next);
    result.r3 = wrong == 0 ? block.usesSeenByDisposer : -wrong;
  }
}
