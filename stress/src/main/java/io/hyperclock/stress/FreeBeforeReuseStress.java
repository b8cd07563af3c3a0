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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [S3], free before reuse: a slot changes its tenant again and again while another thread pins
 * one of the keys.
 *
 * <p><b>Hunted:</b> a pin that lands on the next tenant and is taken for the key looked up; a value
 * freed while pinned; a tear-down that is not finished when the next tenant moves in, so that the
 * next value is nulled or freed with it.
 *
 * <p><b>Forbidden:</b> a handle on a value of another key or on a freed value; at the end, after
 * the cache is closed, a block that was not freed exactly once.
 *
 * <p><b>Planted faults:</b> the key not compared again after the pin; the pin of a wrong key not
 * taken back (its entry is never freed); the slot offered before its value is nulled.
 */
@JCStressTest
@Outcome(id = "[01], 0, 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
@Outcome(expect = FORBIDDEN, desc = "Wrong or freed value, leak or second free.")
@State
public class FreeBeforeReuseStress {
  private static final int ROUNDS = 8;

  private final BlockCache<Block> cache = Block.cache(1);
  private final Block[] blocks = new Block[ROUNDS + 1];

  /** Starts a cache whose one entry has key A. */
  public FreeBeforeReuseStress() {
    for (int i = 0; i <= ROUNDS; i++) {
      blocks[i] = new Block((i & 1) == 0 ? Keys.A : Keys.B);
    }
    Block.insert(cache, blocks[0], Block.FREED);
  }

  /** Inserts B, A, B and so on, each evicting the one before. */
  @Actor
  public void insert() {
    for (int i = 1; i <= ROUNDS; i++) {
      Block.insert(cache, blocks[i], Block.FREED);
    }
  }

  /**
   * Pins A.
   *
   * @param result whether there were hits, whether there were wrong ones
   */
  @Actor
  public void lookup(III_Result result) {
    for (int i = 0; i < ROUNDS; i++) {
      try (Handle<Block> handle = Block.lookup(cache, Keys.A)) {
        if (handle != null) {
          Block held = handle.value();
          result.r1 = 1;
          if (held == null || held.isWrongFor(Keys.A) || handle.keyLo() != Keys.A) {
            result.r2 = 1;
          }
        }
      }
    }
  }

  /**
   * Closes the cache.
   *
   * @param result blocks not freed exactly once, inconsistencies
   */
  @Arbiter
  public void count(III_Result result) {
    result.r3 = Block.wrongAfterClose(cache, blocks);
  }
}
