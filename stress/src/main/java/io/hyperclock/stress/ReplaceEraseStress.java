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
 * Edge [one-entry], against erases: compare-and-replace against an erase of the key.
 *
 * <p><b>Hunted:</b> an overwrite that is published after the erase it did not see; an absence that
 * nobody caused.
 *
 * <p><b>Forbidden:</b> an entry after the erase; an erase that finds nothing; an answer other than
 * replaced or not present.
 *
 * <p><b>Planted faults:</b> {@code erasing-not-seen}.
 */
@JCStressTest
@Outcome(id = "1, 1, 0, 0", expect = ACCEPTABLE, desc = "Replaced, then erased.")
@Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "Erased, then not present.")
@Outcome(expect = FORBIDDEN, desc = "Brought back, or not erased.")
@State
public class ReplaceEraseStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(6);
  private final StressBlock older = new StressBlock(Keys.A);
  private final StressBlock newer = new StressBlock(Keys.A);

  /** Starts a cache with one entry. */
  public ReplaceEraseStress() {
    StressBlock.put(cache, older, StressBlock.COLLECTED);
  }

  /**
   * Replaces.
   *
   * @param result whether it did
   */
  @Actor
  public void replace(IIII_Result result) {
    InsertResult answer = StressBlock.compareAndMove(cache, older, newer);
    result.r1 = answer == InsertResult.REPLACED ? 1 : answer == InsertResult.NOT_PRESENT ? 0 : -1;
  }

  /**
   * Erases.
   *
   * @param result whether it did
   */
  @Actor
  public void erase(IIII_Result result) {
    result.r2 = StressBlock.erase(cache, Keys.A) ? 1 : 0;
  }

  /**
   * Counts.
   *
   * @param result whether the key is found, and what is left
   */
  @Arbiter
  public void count(IIII_Result result) {
    result.r3 = StressBlock.get(cache, Keys.A) == null ? 0 : 1;
    result.r4 = StressBlock.left(cache);
  }
}
