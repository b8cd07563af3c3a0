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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edges [one-entry] and [last-use]: pinned reads of a key that is overwritten.
 *
 * <p><b>Hunted:</b> a miss between the older value and the newer one; an older value freed while it
 * is held, twice or never.
 *
 * <p><b>Forbidden:</b> a miss, a handle on a freed value, a block not freed exactly once.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Found and alive.")
@Outcome(expect = FORBIDDEN, desc = "Broken.")
@State
public class OverwriteLookupStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(4);
  private final StressBlock older = new StressBlock(Keys.A);
  private final StressBlock newer = new StressBlock(Keys.A);
  private final StressBlock newest = new StressBlock(Keys.A);

  /** Starts a cache with one entry behind an empty slot. */
  public OverwriteLookupStress() {
    StressBlock.insert(cache, new StressBlock(Keys.B), StressBlock.FREED);
    StressBlock.put(cache, older, StressBlock.FREED);
    StressBlock.erase(cache, Keys.B);
  }

  /** Overwrites it twice. */
  @Actor
  public void overwrite() {
    StressBlock.put(cache, newer, StressBlock.FREED);
    StressBlock.put(cache, newest, StressBlock.FREED);
  }

  private int read() {
    int wrong = 0;
    for (int i = 0; i < 4; i++) {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        wrong += handle == null ? 1 : handle.value().isWrongFor(Keys.A) ? 10 : 0;
      }
    }
    return wrong;
  }

  /**
   * Pins and lets go.
   *
   * @param result misses, and freed values times ten
   */
  @Actor
  public void lookup(II_Result result) {
    result.r1 = read();
  }

  /**
   * Closes the cache.
   *
   * @param result what is wrong
   */
  @Arbiter
  public void count(II_Result result) {
    result.r2 =
        (int) cache.monitor().occupancy()
            - 1
            + StressBlock.wrongAfterClose(cache, older, newer, newest);
  }
}
