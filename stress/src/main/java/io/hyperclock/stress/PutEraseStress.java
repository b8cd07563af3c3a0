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
import org.openjdk.jcstress.infra.results.IIIII_Result;

/**
 * Edge [one-entry], against erases: two puts and an erase of a key.
 *
 * <p><b>Hunted:</b> an entry that is hidden although nobody erased it, one that stays although an
 * erase has answered that it went, two answers for one erase.
 *
 * <p><b>Forbidden:</b> a number of entries other than those that came and did not go; a block not
 * freed exactly once.
 */
@JCStressTest
@Outcome(id = "0, -1, 0, 0, 0", expect = ACCEPTABLE, desc = "Consistent.")
@Outcome(id = "1, -1, 0, 0, 0", expect = ACCEPTABLE, desc = "Consistent.")
@Outcome(id = "0, -1, 1, 0, 0", expect = ACCEPTABLE, desc = "Consistent.")
@Outcome(expect = FORBIDDEN, desc = "Broken.")
@State
public class PutEraseStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(6);
  private final StressBlock older = new StressBlock(Keys.A);
  private final StressBlock one = new StressBlock(Keys.A);
  private final StressBlock two = new StressBlock(Keys.A);

  /** Starts a cache with one entry. */
  public PutEraseStress() {
    StressBlock.put(cache, older, StressBlock.FREED);
  }

  private static int balance(InsertResult result) {
    return result == InsertResult.INSERTED ? 1 : 0;
  }

  /**
   * Puts.
   *
   * @param result what it changes in the number of entries
   */
  @Actor
  public void put(IIIII_Result result) {
    result.r1 = balance(StressBlock.put(cache, one, StressBlock.FREED));
  }

  /**
   * Erases.
   *
   * @param result what it changes in the number of entries
   */
  @Actor
  public void erase(IIIII_Result result) {
    result.r2 = StressBlock.erase(cache, Keys.A) ? -1 : 0;
  }

  /**
   * Puts.
   *
   * @param result what it changes in the number of entries
   */
  @Actor
  public void second(IIIII_Result result) {
    result.r3 = balance(StressBlock.put(cache, two, StressBlock.FREED));
  }

  /**
   * Compares.
   *
   * @param result entries other than those that came and did not go, then what is wrong
   */
  @Arbiter
  public void count(IIIII_Result result) {
    int present = (int) cache.monitor().occupancy();
    result.r4 = present - (1 + result.r1 + result.r2 + result.r3);
    result.r5 = StressBlock.wrongAfterClose(cache, older, one, two);
  }
}
