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
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Edge [hide], hide: an erase against a lookup and release of the same key.
 *
 * <p><b>Hunted:</b> an entry that both the eraser and the last holder free, or that neither does
 * because each takes the other for the last; a lookup that pins an entry already hidden and keeps
 * it.
 *
 * <p><b>Forbidden:</b> a handle on a freed value, any number of frees but one, an entry or a charge
 * left in the cache.
 *
 * <p><b>Planted faults:</b> {@code hidden-not-freed}, {@code hide-without-cas}.
 */
@JCStressTest
@Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "Hit or miss, freed once.")
@Outcome(expect = FORBIDDEN, desc = "Freed too early, twice or never.")
@State
public class HideStress {
  private static final int ROUNDS = 4;

  private final BlockCache<StressBlock> cache = StressBlock.cache(2);
  private final StressBlock block = new StressBlock(Keys.A);

  /** Starts a cache with one entry. */
  public HideStress() {
    StressBlock.insert(cache, block, StressBlock.FREED);
  }

  /**
   * Erases.
   *
   * @param result whether there was an entry
   */
  @Actor
  public void erase(IIII_Result result) {
    result.r1 = StressBlock.erase(cache, Keys.A) ? 1 : 0;
  }

  /**
   * Pins and lets go.
   *
   * @param result whether a value was wrong
   */
  @Actor
  public void lookup(IIII_Result result) {
    for (int i = 0; i < ROUNDS; i++) {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        if (handle != null && handle.value().isWrongFor(Keys.A)) {
          result.r2 = 1;
        }
      }
    }
  }

  /**
   * Counts.
   *
   * @param result number of frees, slots and bytes left, inconsistencies
   */
  @Arbiter
  public void count(IIII_Result result) {
    result.r3 = block.disposals();
    result.r4 = StressBlock.left(cache);
  }
}
