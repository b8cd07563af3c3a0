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
 * Edge [sum], usage: a capacity that shrinks while entries are inserted.
 *
 * <p><b>Hunted:</b> an entry that both the shrinking thread and the inserting one evict; charges
 * given back twice; a shrink that leaves the cache above its new capacity for good.
 *
 * <p><b>Forbidden:</b> blocks not freed exactly once after the cache is closed; usage above the new
 * capacity by more than the one entry whose insert had seen the old one, or still above it after
 * one more insert.
 *
 * <p><b>Planted faults:</b> none of its own.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Fits at once.")
@Outcome(
    id = "1, 0, 0",
    expect = ACCEPTABLE,
    desc = "An insert had seen the old capacity; the next one makes up for it.")
@Outcome(expect = FORBIDDEN, desc = "Above capacity for good, leak or second free.")
@State
public class CapacityShrinkStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(4);
  private final StressBlock[] blocks = {
    new StressBlock(Keys.A),
    new StressBlock(Keys.B),
    new StressBlock(Keys.C),
    new StressBlock(Keys.D),
    new StressBlock(Keys.E)
  };

  /** Starts a cache with two entries and room for two more. */
  public CapacityShrinkStress() {
    insert(0);
    insert(1);
  }

  private void insert(int index) {
    StressBlock.insert(cache, blocks[index], StressBlock.FREED);
  }

  /** Halves the capacity. */
  @Actor
  public void shrink() {
    cache.setCapacityBytes(2 * StressBlock.CHARGE_BYTES);
  }

  /** Inserts two more. */
  @Actor
  public void insert() {
    insert(2);
    insert(3);
  }

  /**
   * Inserts one more and closes the cache.
   *
   * @param result entries too many before and after that insert, blocks not freed exactly once,
   *     inconsistencies
   */
  @Arbiter
  public void count(III_Result result) {
    result.r1 = surplus();
    insert(4);
    result.r2 = surplus();
    result.r3 = StressBlock.wrongAfterClose(cache, blocks);
  }

  private int surplus() {
    return (int)
        (Math.max(0, cache.monitor().usageBytes() - cache.monitor().capacityBytes())
            / StressBlock.CHARGE_BYTES);
  }
}
