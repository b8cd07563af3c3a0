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
import org.openjdk.jcstress.infra.results.IIIII_Result;

/**
 * Edge [last-use], last use before free, outside the table: two holders of a standalone entry let
 * go.
 *
 * <p><b>Hunted:</b> a free by both or by neither, or one that has not seen the other's last use.
 *
 * <p><b>Forbidden:</b> any number of frees but one, a disposer that misses a write, both or neither
 * told that it freed, usage left.
 *
 * <p><b>Planted faults:</b> {@code standalone-read-after-step}.
 */
@JCStressTest
@Outcome(id = "1, 0, 1, 2, 0", expect = ACCEPTABLE, desc = "The first freed it.")
@Outcome(id = "0, 1, 1, 2, 0", expect = ACCEPTABLE, desc = "The second freed it.")
@Outcome(expect = FORBIDDEN, desc = "Freed too early, twice or never.")
@State
public class StandaloneStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(2);
  private final StressBlock block = new StressBlock(Keys.A);
  private final Handle<StressBlock> first = StressBlock.standalone(cache, block);
  private final Handle<StressBlock> second = first.ref();

  /** Starts a cache with a standalone entry that has two holders. */
  public StandaloneStress() {}

  /**
   * Uses the value and lets go.
   *
   * @param result whether it freed
   */
  @Actor
  public void first(IIIII_Result result) {
    first.value().usedByFirst = 1;
    result.r1 = first.discard() ? 1 : 0;
  }

  /**
   * Uses the value and lets go.
   *
   * @param result whether it freed
   */
  @Actor
  public void second(IIIII_Result result) {
    second.value().usedBySecond = 1;
    result.r2 = second.discard() ? 1 : 0;
  }

  /**
   * Counts.
   *
   * @param result number of frees, uses that the disposer had seen, bytes left
   */
  @Arbiter
  public void count(IIIII_Result result) {
    result.r3 = block.disposals();
    result.r4 = block.usesSeenByDisposer;
    result.r5 = (int) cache.monitor().usageBytes();
  }
}
