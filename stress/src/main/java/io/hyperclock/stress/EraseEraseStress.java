/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Edge [hide], hide: two erases of one key.
 *
 * <p><b>Hunted:</b> both take the entry for theirs and free it, or each leaves it to the other.
 *
 * <p><b>Forbidden:</b> both or neither removed it, any number of frees but one, an entry or a
 * charge left in the cache.
 *
 * <p><b>Planted faults:</b> {@code hide-without-cas}.
 */
@JCStressTest
@Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The first removed it.")
@Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The second removed it.")
@Outcome(expect = FORBIDDEN, desc = "Removed twice or never.")
@State
public class EraseEraseStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(2);
  private final StressBlock block = new StressBlock(Keys.A);

  /** Starts a cache with one entry. */
  public EraseEraseStress() {
    StressBlock.insert(cache, block, StressBlock.FREED);
  }

  /**
   * Erases.
   *
   * @param result whether there was an entry
   */
  @Actor
  public void first(IIII_Result result) {
    result.r1 = StressBlock.erase(cache, Keys.A) ? 1 : 0;
  }

  /**
   * Erases.
   *
   * @param result whether there was an entry
   */
  @Actor
  public void second(IIII_Result result) {
    result.r2 = StressBlock.erase(cache, Keys.A) ? 1 : 0;
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
