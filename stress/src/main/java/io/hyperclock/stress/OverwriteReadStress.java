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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [one-entry], searches: pin-free reads of a key that is overwritten.
 *
 * <p><b>Hunted:</b> a read that has passed the newer entry's slot before it was published and meets
 * the older one hidden; one that goes back to an older value.
 *
 * <p><b>Forbidden:</b> a miss; an older value after a newer one.
 *
 * <p><b>Planted faults:</b> {@code overwrite-uncounted}, {@code hide-before-publish}.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Found, in order.")
@Outcome(expect = FORBIDDEN, desc = "Broken.")
@State
public class OverwriteReadStress {
  private static final int ROUNDS = 12;

  private final BlockCache<StressBlock> cache = StressBlock.cache(3);
  private final StressBlock[] blocks = new StressBlock[ROUNDS + 1];

  /** Starts a cache with one entry behind an empty slot. */
  public OverwriteReadStress() {
    for (int i = 0; i <= ROUNDS; i++) {
      blocks[i] = new StressBlock(Keys.A);
    }
    StressBlock.insert(cache, new StressBlock(Keys.B), StressBlock.FREED);
    StressBlock.put(cache, blocks[0], StressBlock.COLLECTED);
    StressBlock.erase(cache, Keys.B);
  }

  /** Overwrites it several times, so that it goes from slot to slot and back. */
  @Actor
  public void overwrite() {
    for (int i = 1; i <= ROUNDS; i++) {
      StressBlock.move(cache, blocks[i], i);
    }
  }

  private int number(StressBlock block) {
    for (int i = 0; i <= ROUNDS; i++) {
      if (blocks[i] == block) {
        return i;
      }
    }
    return -1;
  }

  private int read() {
    int wrong = 0;
    int last = 0;
    for (int i = 0; i < ROUNDS; i++) {
      int found = number(StressBlock.get(cache, Keys.A));
      wrong += found < last ? 1 : 0;
      last = found;
    }
    return wrong;
  }

  /**
   * Reads.
   *
   * @param result misses and older values
   */
  @Actor
  public void first(II_Result result) {
    result.r1 = read();
  }

  /**
   * Looks whether all is whole.
   *
   * @param result entries too many and inconsistencies
   */
  @Arbiter
  public void count(II_Result result) {
    result.r2 = (int) cache.monitor().occupancy() - 1 + StressBlock.inconsistencies(cache);
  }
}
