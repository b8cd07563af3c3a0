/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edges [one-entry] and [sum]: a put against evictions, in strict capacity.
 *
 * <p><b>Hunted:</b> an older entry evicted while it is overwritten, and a charge or slot counted
 * twice or never.
 *
 * <p><b>Forbidden:</b> more than the capacity in use; anything left after all are erased; a value
 * of the cache not freed exactly once.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Exact.")
@Outcome(expect = FORBIDDEN, desc = "Over capacity, kept, or freed twice.")
@State
public class EvictPutStress {
  private final BlockCache<StressBlock> cache =
      StressBlock.builder(2).capacityMode(CapacityMode.STRICT).build();
  private final StressBlock older = new StressBlock(Keys.A);
  private final StressBlock one = new StressBlock(Keys.A);
  private final StressBlock two = new StressBlock(Keys.A);
  private final StressBlock other = new StressBlock(Keys.B);
  private final StressBlock another = new StressBlock(Keys.C);

  /** Starts a cache with one entry. */
  public EvictPutStress() {
    put(older);
  }

  private int put(StressBlock block) {
    if (StressBlock.put(cache, block, StressBlock.FREED).callerKeepsValue()) {
      // Still the caller's, who frees it.
      block.dispose(block.key);
    }
    return cache.monitor().usageBytes() > 2 * StressBlock.CHARGE_BYTES ? 1 : 0;
  }

  /**
   * Overwrites.
   *
   * @param result times that more than the capacity was in use
   */
  @Actor
  public void overwrite(II_Result result) {
    result.r1 = put(one) + put(two);
  }

  /** Evicts. */
  @Actor
  public void evict() {
    put(other);
    put(another);
  }

  /**
   * Counts.
   *
   * @param result what is wrong
   */
  @Arbiter
  public void count(II_Result result) {
    cache.eraseUnreferenced();
    result.r2 =
        StressBlock.left(cache)
            + StressBlock.wrongAfterClose(cache, older, one, two, other, another);
  }
}
