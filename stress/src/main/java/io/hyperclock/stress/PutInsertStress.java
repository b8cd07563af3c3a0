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
 * Edge [one-entry], between writers: put against insert of an absent key.
 *
 * <p><b>Hunted:</b> two entries of a key.
 *
 * <p><b>Forbidden:</b> anything but one entry, inserted by one of both; a block not freed exactly
 * once.
 */
@JCStressTest
@Outcome(id = "1, 0, 0, 0", expect = ACCEPTABLE, desc = "The put was first.")
@Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "The insert was first.")
@Outcome(expect = FORBIDDEN, desc = "Broken.")
@State
public class PutInsertStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(6);
  private final StressBlock one = new StressBlock(Keys.A);
  private final StressBlock two = new StressBlock(Keys.A);

  private static int balance(InsertResult result) {
    return result == InsertResult.INSERTED ? 1 : 0;
  }

  /**
   * Puts.
   *
   * @param result what it changes in the number of entries
   */
  @Actor
  public void put(IIII_Result result) {
    result.r1 = balance(StressBlock.put(cache, one, StressBlock.FREED));
  }

  /**
   * Inserts.
   *
   * @param result what it changes in the number of entries
   */
  @Actor
  public void insert(IIII_Result result) {
    result.r2 = balance(StressBlock.insert(cache, two, StressBlock.FREED));
  }

  /**
   * Compares.
   *
   * @param result entries other than those that came and did not go, then what is wrong
   */
  @Arbiter
  public void count(IIII_Result result) {
    int present = (int) cache.monitor().occupancy();
    result.r3 = present - (0 + result.r1 + result.r2);
    result.r4 = StressBlock.wrongAfterClose(cache, one, two);
  }
}
