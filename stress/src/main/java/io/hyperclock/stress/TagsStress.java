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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Edge [tag], tags: keys that come and go beside a key that stays, so that the tags of all are in
 * one word.
 *
 * <p><b>Hunted:</b> a tag that is lost because two inserts, or an insert and a tear-down, change
 * one word at once; a tag that is left behind by who has gone or given up.
 *
 * <p><b>Forbidden:</b> a miss of a key that is there, and that nobody has erased; a tag that is not
 * that of the slot's entry when all is quiet.
 *
 * <p><b>Planted faults:</b> {@code tag-lost}, {@code tag-kept}, {@code tag-kept-by-given-up},
 * {@code tag-cleared-late-by-given-up}, {@code tag-after-publish}, {@code claim-without-cas}.
 */
public class TagsStress {
  private static final int ROUNDS = 8;

  private TagsStress() {}

  /** In slots of one bucket of a bare table: as many changes of its word as can be. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Always found, all tags right.")
  @Outcome(expect = FORBIDDEN, desc = "Missed, or a tag is wrong.")
  @State
  public static class InOneWord {
    private final StressBlock stays = new StressBlock(Keys.A);
    private final StressBlock sameTag = new StressBlock(Keys.B);
    private final StressBlock otherTag = new StressBlock(Keys.other(0));
    private final RawTable table = new RawTable(true, stays);

    /** Starts a table with A. */
    public InOneWord() {}

    private int comeAndGo(int slot, StressBlock block) {
      int misses = 0;
      for (int i = 0; i < 2 * ROUNDS; i++) {
        table.insert(slot, block);
        misses += table.get(stays) == stays ? 0 : 1;
        table.evict(slot);
        misses += table.get(stays) == stays ? 0 : 1;
      }
      table.insert(slot, block);
      return misses;
    }

    /**
     * An entry of the same tag comes and goes, and stays.
     *
     * @param result misses of A
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = comeAndGo(1, sameTag);
    }

    /**
     * One of another tag does so.
     *
     * @param result misses of A
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = comeAndGo(2, otherTag);
    }

    /**
     * Looks at all tags.
     *
     * @param result misses of the three, and wrong tags
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = table.wrongTags();
      for (StressBlock block : new StressBlock[] {stays, sameTag, otherTag}) {
        result.r3 += table.get(block) == block ? 0 : 1;
      }
    }
  }

  /** A cache with a key that stays. */
  public static class Neighbours {
    final BlockCache<StressBlock> cache = StressBlock.cache(8);
    final StressBlock[] blocks = {
      new StressBlock(Keys.A),
      new StressBlock(Keys.B),
      new StressBlock(Keys.C),
      new StressBlock(Keys.other(0)),
      new StressBlock(Keys.other(1))
    };

    /** Starts a cache with A. */
    Neighbours() {
      insert(0);
    }

    final void insert(int index) {
      StressBlock.insert(cache, blocks[index], StressBlock.COLLECTED);
    }

    /** Two at a time: at least one of them is beside A. */
    final void comeAndGo(int index, int other) {
      for (int i = 0; i < ROUNDS; i++) {
        insert(index);
        insert(other);
        StressBlock.erase(cache, blocks[index].key);
        StressBlock.erase(cache, blocks[other].key);
      }
    }

    final int misses(int index) {
      return StressBlock.get(cache, blocks[index].key) == blocks[index] ? 0 : 1;
    }
  }

  /** Keys come and go by two threads, some by both; what was lost shows afterwards. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Found, and all tags right.")
  @Outcome(expect = FORBIDDEN, desc = "Missed, or a tag is wrong.")
  @State
  public static class TwoComeAndGo extends Neighbours {
    /** Starts a cache. */
    public TwoComeAndGo() {}

    /** Inserts and erases B and one of another tag. */
    @Actor
    public void first() {
      comeAndGo(1, 3);
    }

    /** Inserts and erases C and the same one. */
    @Actor
    public void second() {
      comeAndGo(2, 3);
    }

    /**
     * Reads A, and whatever is inserted now.
     *
     * @param result number of misses and inconsistencies
     */
    @Arbiter
    public void get(I_Result result) {
      result.r1 = misses(0) + StressBlock.inconsistencies(cache);
      for (int i = 1; i < blocks.length; i++) {
        insert(i);
        result.r1 += misses(i);
      }
    }
  }

  /** Who has inserted a key finds it again. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Found again and again.")
  @Outcome(expect = FORBIDDEN, desc = "Inserted, then missed.")
  @State
  public static class InsertedThenMissed extends Neighbours {
    /** Starts a cache. */
    public InsertedThenMissed() {}

    /** Inserts and erases others. */
    @Actor
    public void comeAndGo() {
      comeAndGo(2, 3);
    }

    /**
     * Inserts another one, which stays too, and reads both.
     *
     * @param result number of misses
     */
    @Actor
    public void insert(I_Result result) {
      insert(4);
      for (int i = 0; i < 2 * ROUNDS; i++) {
        result.r1 += misses(4) + misses(0);
      }
    }
  }

  /** Who visits all slots sees what is published, whether it has a tag or not. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Never visited, or found behind it.")
  @Outcome(expect = FORBIDDEN, desc = "Visited, then missed.")
  @State
  public static class VisitedThenMissed extends Neighbours {
    /** Starts a cache. */
    public VisitedThenMissed() {}

    /** Inserts others, which stay. */
    @Actor
    public void insert() {
      for (int i = 1; i < blocks.length; i++) {
        insert(i);
      }
    }

    /**
     * Reads each one that it visits.
     *
     * @param result number of misses
     */
    @Actor
    public void visit(I_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        cache
            .monitor()
            .forEachEntry(
                (hi, lo, block, type, charge) ->
                    result.r1 += StressBlock.get(cache, lo) == block ? 0 : 1);
      }
    }
  }
}
