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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [one-entry], one entry of a key: two writers of a key whose entries come to lie in different
 * buckets, because each bucket has one slot left. So the tags by which the writers find each other
 * are in different words.
 *
 * <p><b>Hunted:</b> a writer that looks at the other bucket before the other's tag is there, and
 * publishes a second entry; a read that looks at one bucket too early and at the other too late.
 *
 * <p><b>Forbidden:</b> any number of entries but one, or one that was not erased; two answers for
 * one insert; a miss of a key that is only overwritten; a block not freed exactly once.
 *
 * <p><b>Planted faults:</b> {@code tag-before-announced}, {@code tag-after-publish}, {@code
 * publish-although-invalidated}, {@code insert-without-invalidating}, {@code
 * second-bucket-unseen-by-writers}, {@code second-bucket-unseen-by-erase}, {@code
 * overwrite-uncounted}, {@code miss-not-rechecked}, {@code lookup-miss-not-rechecked}.
 */
public class TwoBucketsStress {
  private TwoBucketsStress() {}

  /** One slot left in each bucket. */
  public static class Nearly {
    final Crowd crowd;
    final BlockCache<StressBlock> cache;
    final StressBlock one = new StressBlock(Keys.A);
    final StressBlock two = new StressBlock(Keys.A);

    /** Starts without the key. */
    Nearly() {
      this(Crowd.withFree(2, StressBlock.FREED));
    }

    /** Starts without the key, where there is so much room for it. */
    Nearly(Crowd crowd) {
      this.crowd = crowd;
      this.cache = crowd.cache;
    }

    final int insert(StressBlock block) {
      return StressBlock.isInserted(cache, block, StressBlock.FREED) ? 1 : 0;
    }

    final int put(StressBlock block) {
      return StressBlock.put(cache, block, StressBlock.FREED) == InsertResult.INSERTED ? 1 : 0;
    }

    final int wrong() {
      return StressBlock.wrongAfterClose(cache, crowd.others) + StressBlock.notFreedOnce(one, two);
    }
  }

  /** Two inserts. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The first inserted.")
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The second inserted.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries, or none.")
  @State
  public static class InsertInsert extends Nearly {
    /** Starts without the key. */
    public InsertInsert() {}

    /**
     * Inserts.
     *
     * @param result whether it was the first
     */
    @Actor
    public void first(IIII_Result result) {
      result.r1 = insert(one);
    }

    /**
     * Inserts.
     *
     * @param result whether it was the first
     */
    @Actor
    public void second(IIII_Result result) {
      result.r2 = insert(two);
    }

    /**
     * Counts.
     *
     * @param result entries of the key, and what is wrong
     */
    @Arbiter
    public void count(IIII_Result result) {
      result.r3 = crowd.entriesMore();
      result.r4 = wrong();
    }
  }

  /** Two puts. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The first was first.")
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The second was first.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries, or none.")
  @State
  public static class PutPut extends Nearly {
    /** Starts without the key. */
    public PutPut() {}

    /**
     * Puts.
     *
     * @param result whether it was the first
     */
    @Actor
    public void first(IIII_Result result) {
      result.r1 = put(one);
    }

    /**
     * Puts.
     *
     * @param result whether it was the first
     */
    @Actor
    public void second(IIII_Result result) {
      result.r2 = put(two);
    }

    /**
     * Counts.
     *
     * @param result entries of the key, and what is wrong
     */
    @Arbiter
    public void count(IIII_Result result) {
      result.r3 = crowd.entriesMore();
      result.r4 = wrong();
    }
  }

  /** A put and an insert. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The put was first.")
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The insert was first.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries, or none.")
  @State
  public static class PutInsert extends Nearly {
    /** Starts without the key. */
    public PutInsert() {}

    /**
     * Puts.
     *
     * @param result whether it was the first
     */
    @Actor
    public void put(IIII_Result result) {
      result.r1 = put(one);
    }

    /**
     * Inserts.
     *
     * @param result whether it was the first
     */
    @Actor
    public void insert(IIII_Result result) {
      result.r2 = insert(two);
    }

    /**
     * Counts.
     *
     * @param result entries of the key, and what is wrong
     */
    @Arbiter
    public void count(IIII_Result result) {
      result.r3 = crowd.entriesMore();
      result.r4 = wrong();
    }
  }

  /** An erase of an entry in one bucket, and a put into the other. */
  @JCStressTest
  @Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "Overwritten, then erased.")
  @Outcome(id = "1, 1, 1, 0", expect = ACCEPTABLE, desc = "Erased, then inserted.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries, or the wrong one.")
  @State
  public static class ErasePut extends Nearly {
    /** Starts with the key in one bucket. */
    public ErasePut() {
      insert(one);
    }

    /**
     * Puts.
     *
     * @param result whether there was no entry
     */
    @Actor
    public void put(IIII_Result result) {
      result.r1 = put(two);
    }

    /**
     * Erases.
     *
     * @param result whether it did
     */
    @Actor
    public void erase(IIII_Result result) {
      result.r2 = StressBlock.erase(cache, Keys.A) ? 1 : 0;
    }

    /**
     * Counts.
     *
     * @param result entries of the key, and what is wrong
     */
    @Arbiter
    public void count(IIII_Result result) {
      result.r3 = crowd.entriesMore();
      result.r4 = wrong();
    }
  }

  /** A key whose entry goes from bucket to bucket. */
  public static class Moving {
    private static final int ROUNDS = 6;

    final BlockCache<StressBlock> cache;
    private final Crowd crowd = Crowd.withFree(2, StressBlock.COLLECTED);
    private final StressBlock[] blocks = new StressBlock[ROUNDS + 1];

    /** Starts with the key in one bucket. */
    Moving() {
      cache = crowd.cache;
      for (int i = 0; i <= ROUNDS; i++) {
        blocks[i] = new StressBlock(Keys.A);
      }
      StressBlock.insert(cache, blocks[0], StressBlock.COLLECTED);
    }

    final void overwrite() {
      for (int i = 1; i <= ROUNDS; i++) {
        StressBlock.move(cache, blocks[i], i);
      }
    }

    private int number(@Nullable StressBlock block) {
      for (int i = 0; i <= ROUNDS; i++) {
        if (blocks[i] == block) {
          return i;
        }
      }
      return -1;
    }

    /** Misses and older values in a few reads. */
    final int wrongReads(Supplier<@Nullable StressBlock> read) {
      int wrong = 0;
      int last = 0;
      for (int i = 0; i < 2 * ROUNDS; i++) {
        int found = number(read.get());
        wrong += found < last ? 1 : 0;
        last = found;
      }
      return wrong;
    }

    /** An older entry that is held takes a slot, so that another entry may have to leave. */
    final int wrongAtEnd() {
      int wrong = number(StressBlock.get(cache, Keys.A)) == ROUNDS ? 0 : 1;
      return wrong + Math.max(0, crowd.entriesMore() - 1) + StressBlock.inconsistencies(cache);
    }
  }

  /** Reads without a pin. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Found, in order.")
  @Outcome(expect = FORBIDDEN, desc = "Missed, or back to an older value.")
  @State
  public static class Reads extends Moving {
    /** Starts with the key in one bucket. */
    public Reads() {}

    /** Overwrites. */
    @Actor
    public void move() {
      overwrite();
    }

    /**
     * Reads.
     *
     * @param result misses and older values
     */
    @Actor
    public void get(II_Result result) {
      result.r1 = wrongReads(() -> StressBlock.get(cache, Keys.A));
    }

    /**
     * Looks whether all is whole.
     *
     * @param result whether the last value is not there, entries too many, inconsistencies
     */
    @Arbiter
    public void count(II_Result result) {
      result.r2 = wrongAtEnd();
    }
  }

  /** Reads with a pin. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Found, in order.")
  @Outcome(expect = FORBIDDEN, desc = "Missed, or back to an older value.")
  @State
  public static class Lookups extends Moving {
    /** Starts with the key in one bucket. */
    public Lookups() {}

    /** Overwrites. */
    @Actor
    public void move() {
      overwrite();
    }

    /**
     * Pins, and lets go.
     *
     * @param result misses and older values
     */
    @Actor
    public void lookup(II_Result result) {
      result.r1 =
          wrongReads(
              () -> {
                try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
                  return handle == null ? null : handle.value();
                }
              });
    }

    /**
     * Looks whether all is whole.
     *
     * @param result whether the last value is not there, entries too many, inconsistencies
     */
    @Arbiter
    public void count(II_Result result) {
      result.r2 = wrongAtEnd();
    }
  }
}
