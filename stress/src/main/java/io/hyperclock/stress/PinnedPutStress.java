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
 * Edges [one-entry] and [last-use]: puts whose value their caller holds, over an older entry.
 *
 * <p><b>Hunted:</b> a pin that is not the caller's, so that an eviction, an erase or another put
 * frees the value while it is held; an older value freed twice or never.
 *
 * <p><b>Forbidden:</b> a held value that is freed or another one; a block not freed exactly once.
 */
public class PinnedPutStress {
  private PinnedPutStress() {}

  private static int hold(BlockCache<StressBlock> cache, StressBlock block) {
    try (Handle<StressBlock> handle = StressBlock.putPinned(cache, block)) {
      int wrong = handle.value() == block ? 0 : 1;
      for (int i = 0; i < 4; i++) {
        wrong += handle.value().isWrongFor(block.key) ? 10 : 0;
      }
      return wrong;
    }
  }

  /** Two such puts of one key. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Held and alive, each freed once.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class AgainstAnother {
    private final BlockCache<StressBlock> cache = StressBlock.cache(4);
    private final StressBlock older = new StressBlock(Keys.A);
    private final StressBlock first = new StressBlock(Keys.A);
    private final StressBlock second = new StressBlock(Keys.A);

    /** Starts a cache with an older entry. */
    public AgainstAnother() {
      StressBlock.put(cache, older, StressBlock.FREED);
    }

    /**
     * Puts and holds.
     *
     * @param result what is wrong
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = hold(cache, first);
    }

    /**
     * Puts and holds.
     *
     * @param result what is wrong
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = hold(cache, second);
    }

    /**
     * Closes the cache.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 =
          (int) cache.monitor().occupancy()
              - 1
              + StressBlock.wrongAfterClose(cache, older, first, second);
    }
  }

  /** Such a put beside an erase, and beside inserts that need the room. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Held and alive, each freed once.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class AgainstEraseAndEviction {
    private final BlockCache<StressBlock> cache = StressBlock.cache(2);
    private final StressBlock older = new StressBlock(Keys.A);
    private final StressBlock block = new StressBlock(Keys.A);
    private final StressBlock other = new StressBlock(Keys.B);
    private final StressBlock another = new StressBlock(Keys.C);

    /** Starts a cache with an older entry. */
    public AgainstEraseAndEviction() {
      StressBlock.put(cache, older, StressBlock.FREED);
    }

    /**
     * Puts and holds.
     *
     * @param result what is wrong
     */
    @Actor
    public void hold(III_Result result) {
      result.r1 = PinnedPutStress.hold(cache, block);
    }

    /** Needs the room. */
    @Actor
    public void insert() {
      StressBlock.insert(cache, other, StressBlock.FREED);
      StressBlock.insert(cache, another, StressBlock.FREED);
    }

    /** Erases the key. */
    @Actor
    public void erase() {
      StressBlock.erase(cache, Keys.A);
    }

    /**
     * Closes the cache.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = StressBlock.wrongAfterClose(cache, older, block, other, another);
    }
  }
}
