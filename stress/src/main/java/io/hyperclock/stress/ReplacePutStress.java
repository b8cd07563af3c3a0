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
 * Edge [one-entry], searches: compare-and-replace against puts that move the entry from slot to
 * slot.
 *
 * <p><b>Hunted:</b> a search that passes the newer entry's slot too early and meets the older one
 * hidden, so that the key seems absent.
 *
 * <p>The cache has room for what both hold at a time, so that no put has to evict.
 *
 * <p><b>Forbidden:</b> an answer other than replaced or not expected; anything but one entry.
 *
 * <p><b>Planted faults:</b> {@code absent-although-invalidated}.
 */
@JCStressTest
@Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "Replaced first.")
@Outcome(id = "0, 0, 1, 0", expect = ACCEPTABLE, desc = "Found a newer one.")
@Outcome(expect = FORBIDDEN, desc = "Not found, or not one entry.")
@State
public class ReplacePutStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(6);
  private final StressBlock older = new StressBlock(Keys.A);

  /** Starts a cache with one entry, so that the next goes to a later slot. */
  public ReplacePutStress() {
    StressBlock.put(cache, older, StressBlock.COLLECTED);
  }

  /**
   * Replaces.
   *
   * @param result whether it did, or -1 if the key seemed absent
   */
  @Actor
  public void replace(IIII_Result result) {
    InsertResult answer = StressBlock.compareAndMove(cache, older, new StressBlock(Keys.A));
    result.r1 = answer == InsertResult.REPLACED ? 1 : answer == InsertResult.NOT_EXPECTED ? 0 : -1;
  }

  /**
   * Overwrites.
   *
   * @param result puts that replaced nothing
   */
  @Actor
  public void put(IIII_Result result) {
    for (int i = 0; i < 3; i++) {
      InsertResult answer = StressBlock.move(cache, new StressBlock(Keys.A), i);
      result.r2 += answer == InsertResult.REPLACED ? 0 : 1;
    }
  }

  /**
   * Counts.
   *
   * @param result number of entries, and inconsistencies
   */
  @Arbiter
  public void count(IIII_Result result) {
    result.r3 = (int) cache.monitor().occupancy();
    result.r4 = StressBlock.inconsistencies(cache);
  }
}
