/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.ReplacementPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [pointer], clock pointer: two threads that evict at the same time.
 *
 * <p><b>Hunted:</b> two sweeps that claim the same slots and both evict the entry in it; entries
 * that leave without being freed or counted.
 *
 * <p><b>Forbidden:</b> an entry seen evicted twice, or evicted and still there; evictions and
 * entries left that do not add up to the inserts; a block not freed exactly once after the cache is
 * closed.
 *
 * <p><b>Planted faults:</b> none of its own: a clock pointer moved by load and store makes two
 * sweeps visit the same slots, which is wasted work, and {@code take-without-cas} is noticed where
 * only one slot is at stake.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Each at most once, and all add up.")
@Outcome(expect = FORBIDDEN, desc = "Evicted twice, leak or second free.")
@State
public class ClockPointerStress {
  private final AtomicInteger evictions = new AtomicInteger();
  private final BlockCache<StressBlock> cache =
      StressBlock.builder(2)
          .replacementPolicy(ReplacementPolicy.CLASSIC)
          .evictionListener(
              (hi, lo, block, type, chargeBytes, wasHit) -> {
                evictions.incrementAndGet();
                return false;
              })
          .build();
  private final StressBlock[] blocks = {
    new StressBlock(Keys.A),
    new StressBlock(Keys.B),
    new StressBlock(Keys.C),
    new StressBlock(Keys.D),
    new StressBlock(Keys.E)
  };

  /** Starts a full cache. */
  public ClockPointerStress() {
    insert(0);
    insert(1);
  }

  private void insert(int index) {
    StressBlock.insert(cache, blocks[index], StressBlock.FREED);
  }

  /** Inserts one. */
  @Actor
  public void first() {
    insert(2);
  }

  /** Inserts two. */
  @Actor
  public void second() {
    insert(3);
    insert(4);
  }

  /**
   * Closes the cache.
   *
   * @param result entries unaccounted for, frees unaccounted for, then blocks not freed exactly
   *     once and inconsistencies
   */
  @Arbiter
  public void count(III_Result result) {
    int left = (int) cache.monitor().occupancy();
    result.r1 = blocks.length - evictions.get() - left;
    int freed = 0;
    for (StressBlock block : blocks) {
      freed += block.disposals();
    }
    result.r2 = freed - evictions.get();
    result.r3 = StressBlock.wrongAfterClose(cache, blocks);
  }
}
