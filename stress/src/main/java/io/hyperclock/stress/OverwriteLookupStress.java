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
  private final BlockCache<Block> cache = Block.cache(4);
  private final Block older = new Block(Keys.A);
  private final Block newer = new Block(Keys.A);
  private final Block newest = new Block(Keys.A);

  /** Starts a cache with one entry behind an empty slot. */
  public OverwriteLookupStress() {
    Block.insert(cache, new Block(Keys.B), Block.FREED);
    Block.put(cache, older, Block.FREED);
    Block.erase(cache, Keys.B);
  }

  /** Overwrites it twice. */
  @Actor
  public void overwrite() {
    Block.put(cache, newer, Block.FREED);
    Block.put(cache, newest, Block.FREED);
  }

  private int read() {
    int wrong = 0;
    for (int i = 0; i < 4; i++) {
      try (Handle<Block> handle = Block.lookup(cache, Keys.A)) {
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
        (int) cache.monitor().occupancy() - 1 + Block.wrongAfterClose(cache, older, newer, newest);
  }
}
