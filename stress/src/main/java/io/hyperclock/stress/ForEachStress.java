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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edges [reuse] free before reuse and [hide] hide: a visit of all entries against an erase, and a
 * reuse, of one of them.
 *
 * <p><b>Hunted:</b> a visitor that gets a freed value or one of another key; the pin of a visit
 * that is not taken back, so that an erased entry is never freed; an entry that stays and is not
 * visited or visited twice.
 *
 * <p><b>Forbidden:</b> a wrong or freed value, another number of visits of the entry that stays
 * than one, a block not freed exactly once after the cache is closed.
 *
 * <p><b>Planted faults:</b> {@code visit-keeps-hidden}.
 */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "Each seen as it was.")
@Outcome(expect = FORBIDDEN, desc = "Wrong or freed value, missed entry, leak or second free.")
@State
public class ForEachStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(4);
  private final StressBlock stays = new StressBlock(Keys.A);
  private final StressBlock goes = new StressBlock(Keys.B);
  private final StressBlock comes = new StressBlock(Keys.C);

  /** Starts a cache with two entries. */
  public ForEachStress() {
    StressBlock.insert(cache, stays, StressBlock.FREED);
    StressBlock.insert(cache, goes, StressBlock.FREED);
  }

  /**
   * Visits all.
   *
   * @param result number of wrong values, number of visits of the entry that stays
   */
  @Actor
  public void visit(III_Result result) {
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, block, type, chargeBytes) -> {
              if (block.isWrongFor(lo)) {
                result.r1++;
              }
              if (lo == Keys.A) {
                result.r2++;
              }
            });
  }

  /** Erases one entry and inserts another. */
  @Actor
  public void eraseAndInsert() {
    StressBlock.erase(cache, Keys.B);
    StressBlock.insert(cache, comes, StressBlock.FREED);
  }

  /**
   * Closes the cache.
   *
   * @param result blocks not freed exactly once, inconsistencies
   */
  @Arbiter
  public void count(III_Result result) {
    result.r3 = goes.disposals() == 1 ? 0 : 1;
    result.r3 += StressBlock.wrongAfterClose(cache, stays, goes, comes);
  }
}
