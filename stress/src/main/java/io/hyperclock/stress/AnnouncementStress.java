/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Edge [one-entry], one entry of a key: two inserts of one absent key.
 *
 * <p><b>Hunted:</b> each looks before the other has announced, or an invalidated one publishes: two
 * entries of one key, of which the second comes to light when the first leaves.
 *
 * <p><b>Forbidden:</b> both or neither inserted, any number of entries but one, a value kept or
 * freed that should not be.
 *
 * <p><b>Planted faults:</b> {@code tag-before-announced}, {@code publish-although-invalidated},
 * {@code insert-without-invalidating}, {@code invalidated-not-looked-again}.
 */
@JCStressTest
@Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The first inserted.")
@Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The second inserted.")
@Outcome(expect = FORBIDDEN, desc = "Two entries, or none.")
@State
public class AnnouncementStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(3);
  private final StressBlock one = new StressBlock(Keys.A);
  private final StressBlock two = new StressBlock(Keys.A);

  private int insert(StressBlock block) {
    return StressBlock.insert(cache, block, StressBlock.FREED) == InsertResult.INSERTED ? 1 : 0;
  }

  /**
   * Inserts.
   *
   * @param result whether it was the first
   */
  @Actor
  public void first(IIII_Result result) {
    result.r1 = insert(one);
  }

  /**
   * Inserts.
   *
   * @param result whether it was the first
   */
  @Actor
  public void second(IIII_Result result) {
    result.r2 = insert(two);
  }

  /**
   * Counts.
   *
   * @param result number of entries, and what is wrong with the cache and the values
   */
  @Arbiter
  public void count(IIII_Result result) {
    result.r3 = (int) cache.monitor().occupancy();
    int freedBefore = one.disposals() + two.disposals();
    result.r4 = (freedBefore == 1 ? 0 : 1) + StressBlock.wrongAfterClose(cache, one, two);
  }
}
