/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Edge [sum], usage: two inserts for the last room of a cache with strict capacity.
 *
 * <p><b>Hunted:</b> two inserts that both see the room and both take it; usage over capacity for a
 * moment, as each of the two sees it right after its own insert; room that is lost by a refusal.
 *
 * <p><b>Forbidden:</b> usage over capacity; both inserted; neither inserted, because the first step
 * on the usage gets the room; a usage that does not fit what is held at the end.
 *
 * <p><b>Planted faults:</b> {@code strict-without-cas}.
 */
@JCStressTest
@Outcome(id = "1, 0, 0, 0", expect = ACCEPTABLE, desc = "The first got the room.")
@Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "The second got the room.")
@Outcome(expect = FORBIDDEN, desc = "Over capacity, or room lost.")
@State
public class StrictCapacityStress {
  private final BlockCache<StressBlock> cache =
      StressBlock.builder(2).capacityMode(CapacityMode.STRICT).build();
  private final Handle<StressBlock> present =
      StressBlock.insertPinned(cache, new StressBlock(Keys.A));
  private final StressBlock firstBlock = new StressBlock(Keys.B);
  private final StressBlock secondBlock = new StressBlock(Keys.C);
  private @Nullable Handle<StressBlock> first;
  private @Nullable Handle<StressBlock> second;

  /** Starts a cache with a held entry and room for one more. */
  public StrictCapacityStress() {}

  /**
   * Inserts B and holds it.
   *
   * @param result whether there was room, usage over capacity seen
   */
  @Actor
  public void first(IIII_Result result) {
    first = insert(firstBlock, result);
    result.r1 = first != null ? 1 : 0;
  }

  /**
   * Inserts C and holds it.
   *
   * @param result whether there was room, usage over capacity seen
   */
  @Actor
  public void second(IIII_Result result) {
    second = insert(secondBlock, result);
    result.r2 = second != null ? 1 : 0;
  }

  private @Nullable Handle<StressBlock> insert(StressBlock block, IIII_Result result) {
    Handle<StressBlock> handle = null;
    try {
      handle = StressBlock.insertPinned(cache, block);
    } catch (CapacityExceededException e) {
      // One of the two must get here.
    }
    if (cache.monitor().usageBytes() > cache.monitor().capacityBytes()) {
      result.r3 = 1;
    }
    return handle;
  }

  /**
   * Releases everything.
   *
   * @param result usage unaccounted for, blocks freed while held or by a refusal, bytes left
   */
  @Arbiter
  public void count(IIII_Result result) {
    if (cache.monitor().usageBytes() != 2 * StressBlock.CHARGE_BYTES) {
      result.r4 |= 1;
    }
    if (firstBlock.disposals() + secondBlock.disposals() != 0) {
      result.r4 |= 2;
    }
    present.eraseIfLast();
    Handle<StressBlock> taken = first != null ? first : second;
    if (taken != null) {
      taken.eraseIfLast();
    }
    if (cache.monitor().usageBytes() + cache.monitor().occupancy() != 0) {
      result.r4 |= 4;
    }
  }
}
