/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edges [last-use], [reuse], [tag] and [sum], local eviction: both buckets of a key are full, so
 * one of their entries leaves for it.
 *
 * <p><b>Hunted:</b> an entry that leaves although somebody holds it; a slot that two inserts take;
 * what left counted twice or never; a put that makes room by the entry it is to overwrite.
 *
 * <p><b>Forbidden:</b> a held value that was freed; a block not freed exactly once; when all is
 * quiet, a usage or an occupancy other than that of the entries; a miss of a key that is only
 * overwritten.
 *
 * <p><b>Planted faults:</b> {@code local-eviction-of-held}, {@code local-eviction-takes-anyway},
 * {@code local-eviction-of-announced}, {@code local-eviction-unflushed}, {@code
 * local-eviction-of-older}, {@code take-without-cas}, {@code claim-without-cas}.
 */
public class LocalEvictionStress {
  private LocalEvictionStress() {}

  /** An insert against a lookup of the entry that it evicts. */
  @JCStressTest
  @Outcome(id = "[01], 0, 0", expect = ACCEPTABLE, desc = "Hit or miss.")
  @Outcome(expect = FORBIDDEN, desc = "Freed while held, leak or second free.")
  @State
  public static class AgainstPin {
    private final Crowd crowd = Crowd.withFree(1, StressBlock.FREED);
    private final BlockCache<StressBlock> cache = crowd.cache;
    private final StressBlock block = new StressBlock(Keys.A);
    private final StressBlock next = new StressBlock(Keys.B);

    /** Starts with full buckets, of whose entries one is worth the least. */
    public AgainstPin() {
      StressBlock.insert(cache, block, StressBlock.FREED);
    }

    /** Evicts it, or another one. */
    @Actor
    public void insert() {
      StressBlock.insert(cache, next, StressBlock.FREED);
    }

    /**
     * Pins, uses and lets go.
     *
     * @param result whether it was found, whether it was wrong or freed while held
     */
    @Actor
    public void lookup(III_Result result) {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        if (handle != null) {
          StressBlock held = handle.value();
          result.r1 = 1;
          result.r2 = held.isWrongFor(Keys.A) ? 1 : 0;
          held.usedByFirst = 1;
          result.r2 += held.disposals();
        }
      }
    }

    /**
     * Closes the cache.
     *
     * @param result what is wrong, a use that the disposer had not seen, and entries other than the
     *     buckets can hold
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = Math.abs(crowd.entriesMore() - 1) + StressBlock.inconsistencies(cache);
      result.r3 += StressBlock.wrongAfterClose(cache, crowd.others);
      result.r3 += StressBlock.notFreedOnce(block, next);
      result.r3 += block.usesSeenByDisposer == result.r1 ? 0 : 1;
    }
  }

  /** An insert against another one of the key that it evicts. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "One entry of each key at most.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries of a key, a freed one found, leak, second free.")
  @State
  public static class VictimsKey {
    private final Crowd crowd = Crowd.withFree(1, StressBlock.FREED);
    private final BlockCache<StressBlock> cache = crowd.cache;
    private final StressBlock block = new StressBlock(Keys.A);
    private final StressBlock again = new StressBlock(Keys.A);
    private final StressBlock next = new StressBlock(Keys.B);

    /** Starts with full buckets, of whose entries one is worth the least. */
    public VictimsKey() {
      StressBlock.insert(cache, block, StressBlock.FREED);
    }

    /** Evicts it, or another one. */
    @Actor
    public void insert() {
      StressBlock.insert(cache, next, StressBlock.FREED);
    }

    /**
     * Inserts its key again, pins what is there, and lets go.
     *
     * @param result whether that was freed
     */
    @Actor
    public void insertAgain(II_Result result) {
      StressBlock.insert(cache, again, StressBlock.FREED);
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        result.r1 = handle != null && handle.value().isWrongFor(Keys.A) ? 1 : 0;
      }
    }

    /**
     * Closes the cache.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void count(II_Result result) {
      int[] ofKey = new int[1];
      cache
          .monitor()
          .forEachEntry((hi, lo, entry, type, charge) -> ofKey[0] += lo == Keys.A ? 1 : 0);
      result.r2 = ofKey[0] > 1 ? 1 : 0;
      // The cache had room for more than its two buckets: none of both may be gone without need.
      result.r2 += Math.abs(crowd.entriesMore() - 1);
      result.r2 += StressBlock.wrongAfterClose(cache, crowd.others);
      result.r2 += StressBlock.notFreedOnce(block, again, next);
    }
  }

  /** Two inserts for one place: all other entries are held. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "One made room for the other.")
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "The first had it.")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "The second had it.")
  @Outcome(expect = FORBIDDEN, desc = "A held entry left, leak or second free.")
  @State
  public static class OneNotHeld {
    private final Crowd crowd = Crowd.withFree(1, StressBlock.FREED);
    private final BlockCache<StressBlock> cache = crowd.cache;
    private final Handle<?>[] handles = new Handle<?>[crowd.others.length];
    private final StressBlock block = new StressBlock(Keys.C);
    private final StressBlock one = new StressBlock(Keys.A);
    private final StressBlock two = new StressBlock(Keys.B);

    /** Starts with full buckets. */
    public OneNotHeld() {
      StressBlock.insert(cache, block, StressBlock.FREED);
      for (int i = 0; i < handles.length; i++) {
        handles[i] = StressBlock.lookup(cache, crowd.others[i].key);
      }
    }

    /**
     * Inserts.
     *
     * @param result whether it did
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = StressBlock.isInserted(cache, one, StressBlock.FREED) ? 1 : 0;
    }

    /**
     * Inserts.
     *
     * @param result whether it did
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = StressBlock.isInserted(cache, two, StressBlock.FREED) ? 1 : 0;
    }

    /**
     * Closes the cache.
     *
     * @param result held values that were freed, and what else is wrong
     */
    @Arbiter
    public void count(III_Result result) {
      for (StressBlock held : crowd.others) {
        result.r3 += held.disposals();
      }
      result.r3 += Math.abs(crowd.entriesMore() - 1) + StressBlock.inconsistencies(cache);
      for (Handle<?> handle : handles) {
        handle.close();
      }
      result.r3 += StressBlock.wrongAfterClose(cache, crowd.others);
      result.r3 += StressBlock.notFreedOnce(block, one, two);
    }
  }

  /** Full buckets, and what must be true of them when all is quiet. */
  public static class Full {
    private static final int ROUNDS = 4;

    final Crowd crowd;

    /** Starts with full buckets. */
    Full(Crowd crowd) {
      this.crowd = crowd;
    }

    /** Inserts two keys again and again: each evicts what is worth the least, mostly the other. */
    final void insert(long key, long other) {
      for (int i = 0; i < ROUNDS; i++) {
        StressBlock.insert(crowd.cache, new StressBlock(key), StressBlock.COLLECTED);
        StressBlock.insert(crowd.cache, new StressBlock(other), StressBlock.COLLECTED);
      }
    }

    final void compare(II_Result result) {
      long[] sums = new long[2];
      crowd
          .cache
          .monitor()
          .forEachEntry(
              (hi, lo, block, type, chargeBytes) -> {
                sums[0] += chargeBytes;
                sums[1]++;
              });
      result.r1 =
          (int)
              (crowd.cache.monitor().usageBytes()
                  - sums[0]
                  + crowd.cache.monitor().occupancy()
                  - sums[1]);
      result.r2 = StressBlock.inconsistencies(crowd.cache);
      crowd.cache.eraseUnreferenced();
      result.r2 += StressBlock.left(crowd.cache);
    }
  }

  /** Inserts by two threads under the classic replacement. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong usage or occupancy.")
  @State
  public static class TwoInserts extends Full {
    /** Starts with full buckets. */
    public TwoInserts() {
      super(Crowd.withFree(0, StressBlock.COLLECTED));
    }

    /** Inserts A and B. */
    @Actor
    public void first() {
      insert(Keys.A, Keys.B);
    }

    /** Inserts C and D. */
    @Actor
    public void second() {
      insert(Keys.C, Keys.D);
    }

    /**
     * Compares.
     *
     * @param result usage and occupancy too much, then inconsistencies and what is left after all
     *     are erased
     */
    @Arbiter
    public void count(II_Result result) {
      compare(result);
    }
  }

  /** The same under the adaptive replacement, which counts the weight of two classes. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Exact.")
  @Outcome(expect = FORBIDDEN, desc = "Wrong usage, occupancy or weight.")
  @State
  public static class TwoInsertsLearning extends Full {
    /** Starts with full buckets. */
    public TwoInsertsLearning() {
      super(Crowd.learning(0, StressBlock.COLLECTED));
    }

    /** Inserts A and B. */
    @Actor
    public void first() {
      insert(Keys.A, Keys.B);
    }

    /** Inserts C and D. */
    @Actor
    public void second() {
      insert(Keys.C, Keys.D);
    }

    /**
     * Compares.
     *
     * @param result usage and occupancy too much, then inconsistencies and what is left after all
     *     are erased
     */
    @Arbiter
    public void count(II_Result result) {
      compare(result);
    }
  }

  /** Overwrites of the entry that is worth the least, against reads of it. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Overwritten, and always found.")
  @Outcome(expect = FORBIDDEN, desc = "Gone for a moment.")
  @State
  public static class PutBesideOlder {
    private static final int ROUNDS = 3;

    private final Crowd crowd = Crowd.withFree(1, StressBlock.COLLECTED);
    private final BlockCache<StressBlock> cache = crowd.cache;

    /** Starts with full buckets. */
    public PutBesideOlder() {
      StressBlock.insert(cache, new StressBlock(Keys.A), StressBlock.COLLECTED);
    }

    /**
     * Overwrites beside the older entry, for which another one has to leave, and fills its place.
     *
     * @param result overwrites that found none
     */
    @Actor
    public void put(III_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        InsertResult answer = StressBlock.move(cache, new StressBlock(Keys.A), i);
        result.r1 += answer == InsertResult.REPLACED ? 0 : 1;
        crowd.insertDear(new StressBlock(Keys.other(Crowd.PLACES + i)), StressBlock.COLLECTED);
      }
    }

    /**
     * Reads, which does not count as a use.
     *
     * @param result number of misses
     */
    @Actor
    public void peek(III_Result result) {
      for (int i = 0; i < 4 * ROUNDS; i++) {
        result.r2 += cache.peek(Keys.HI, Keys.A) == null ? 1 : 0;
      }
    }

    /**
     * Compares.
     *
     * @param result inconsistencies, and entries other than the buckets hold
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = StressBlock.inconsistencies(cache) + Math.abs(crowd.entriesMore() - 1);
    }
  }
}
