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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Edge [S6], displacements: keys that come and go in front of a key that stays.
 *
 * <p><b>Hunted:</b> a read that stops too early because an insert counts a passed slot late, an
 * erase or a rolled back insert takes back one count too many, or two threads lose a count between
 * them.
 *
 * <p><b>Forbidden:</b> a miss of the key that stays, or a wrong value for it.
 *
 * <p><b>Planted faults:</b> {@code displacement-after-publish}, {@code displacement-lost}.
 */
public class DisplacementsStress {
  private static final int ROUNDS = 8;

  private DisplacementsStress() {}

  /** A cache where the key that stays is displaced by an entry of the same home slot. */
  public static class Crowded {
    final BlockCache<Block> cache = Block.cache(4);
    final Block[] blocks = {
      new Block(Keys.A), new Block(Keys.B), new Block(Keys.C), new Block(Keys.D)
    };

    /** Starts a cache with A in the home slot and B behind it. */
    public Crowded() {
      insert(0);
      insert(1);
    }

    final void insert(int index) {
      Block.insert(cache, blocks[index], Block.COLLECTED);
    }

    final void comeAndGo(int index) {
      for (int i = 0; i < ROUNDS; i++) {
        insert(index);
        Block.erase(cache, blocks[index].key);
      }
    }

    final boolean misses(int index) {
      return Block.get(cache, blocks[index].key) != blocks[index];
    }
  }

  /** A third key comes and goes behind the one that stays. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Always found.")
  @Outcome(expect = FORBIDDEN, desc = "Missed, or another value.")
  @State
  public static class OneComesAndGoes extends Crowded {
    /** Starts a cache. */
    public OneComesAndGoes() {}

    /** Inserts and erases C. */
    @Actor
    public void comeAndGo() {
      comeAndGo(2);
    }

    /**
     * Reads B.
     *
     * @param result number of misses
     */
    @Actor
    public void get(I_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        if (misses(1)) {
          result.r1++;
        }
      }
    }
  }

  /** Two keys come and go at once; counts that were lost show afterwards. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Always found.")
  @Outcome(expect = FORBIDDEN, desc = "Missed, or a count is wrong.")
  @State
  public static class TwoComeAndGo extends Crowded {
    /** Starts a cache. */
    public TwoComeAndGo() {}

    /** Inserts and erases C. */
    @Actor
    public void first() {
      comeAndGo(2);
    }

    /** Inserts and erases D. */
    @Actor
    public void second() {
      comeAndGo(3);
    }

    /**
     * Reads B, then erases A and reads B again.
     *
     * @param result number of misses and inconsistencies
     */
    @Arbiter
    public void get(I_Result result) {
      result.r1 = misses(1) ? 1 : 0;
      result.r1 += Block.inconsistencies(cache);
      Block.erase(cache, Keys.A);
      result.r1 += misses(1) ? 1 : 0;
    }
  }

  /** A key once found is found again, even if the entry that led to it goes. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Never found, or found twice.")
  @Outcome(expect = FORBIDDEN, desc = "Found, then missed.")
  @State
  public static class FoundThenMissed extends Crowded {
    private final Block late = new Block(Keys.E);

    /** Starts a cache with A, B, a gap and D, which alone is counted in the slot of B. */
    public FoundThenMissed() {
      insert(2);
      insert(3);
      Block.erase(cache, Keys.C);
    }

    /** Inserts E into the gap. */
    @Actor
    public void insert() {
      Block.insert(cache, late, Block.COLLECTED);
    }

    /**
     * Reads E until it is found, erases D and reads E again.
     *
     * @param result number of misses after a hit
     */
    @Actor
    public void get(I_Result result) {
      for (int i = 0; i < 64 * ROUNDS; i++) {
        if (Block.get(cache, Keys.E) != null) {
          Block.erase(cache, Keys.D);
          result.r1 = Block.get(cache, Keys.E) == null ? 1 : 0;
          return;
        }
      }
    }
  }
}
