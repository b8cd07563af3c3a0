/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.stress.TwoBucketsStress.Nearly;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Edge [one-entry], one entry of a key: two writers of a key whose entries come to lie in one
 * bucket, because the other is full. So their tags are in one word, and their announcements in
 * slots side by side.
 *
 * <p><b>Hunted:</b> a writer that is invalidated and publishes, or announces again and does not
 * look again; one that finds the tag and not the announcement.
 *
 * <p><b>Forbidden:</b> any number of entries but one, or one that was not erased; two answers for
 * one insert; a block not freed exactly once.
 *
 * <p><b>Planted faults:</b> {@code insert-without-invalidating}, {@code
 * invalidated-not-looked-again}, {@code publish-although-invalidated}, {@code
 * tag-before-announced}.
 */
public class OneBucketStress {
  private OneBucketStress() {}

  private static Crowd oneBucket() {
    return Crowd.withFreeInFirst(2, StressBlock.FREED);
  }

  /** Two inserts. */
  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = ACCEPTABLE, desc = "The first inserted.")
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "The second inserted.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries, or none.")
  @State
  public static class InsertInsert extends Nearly {
    /** Starts without the key. */
    public InsertInsert() {
      super(oneBucket());
    }

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
    public PutPut() {
      super(oneBucket());
    }

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
    public PutInsert() {
      super(oneBucket());
    }

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

  /** An erase, and a put beside the entry. */
  @JCStressTest
  @Outcome(id = "0, 1, 0, 0", expect = ACCEPTABLE, desc = "Overwritten, then erased.")
  @Outcome(id = "1, 1, 1, 0", expect = ACCEPTABLE, desc = "Erased, then inserted.")
  @Outcome(expect = FORBIDDEN, desc = "Two entries, or the wrong one.")
  @State
  public static class ErasePut extends Nearly {
    /** Starts with the key. */
    public ErasePut() {
      super(oneBucket());
      StressBlock.insert(cache, one, StressBlock.FREED);
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
}
