/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.stress.TwoVersions.Value;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedStats;
import io.hyperclock.versioned.WriteResult;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [two-versions], writers: two of one key at the same moment, and a prepare among evictions.
 *
 * <p><b>Hunted:</b> a put that succeeds between a prepare and its end, two prepares of a key, a
 * prepare that is evicted, charges that do not add up.
 */
public class VersionedWriteStress {
  private static final long CHARGE = TwoVersions.CHARGE_BYTES;

  private VersionedWriteStress() {}

  private static @Nullable PrepareToken prepare(VersionedCache<Value> cache) {
    Value value = new Value(TwoVersions.NEW);
    return cache.prepare(Keys.HI, Keys.A, value, CHARGE, PrepareMode.PLAIN).token();
  }

  /** 0, or 9 if the figures do not add up to those of the keys. */
  private static int wrong(VersionedCache<Value> cache) {
    long[] items = {0, 0};
    cache
        .monitor()
        .forEach(
            (hi, lo, versions) -> {
              items[0] += versions.committed() == null ? 0 : 1;
              items[1] += versions.prepared() == null ? 0 : 1;
            });
    VersionedStats stats = cache.monitor().stats();
    boolean whole =
        stats.items() == items[0]
            && stats.prepares() == items[1]
            && stats.usageBytes() == CHARGE * (items[0] + items[1]);
    return whole ? 0 : 9;
  }

  /** A put of an absent or present key and a prepare, which is committed. */
  @JCStressTest
  @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "Put, then prepared, or all prepared first.")
  @Outcome(id = "0, 2, 0", expect = ACCEPTABLE, desc = "The put was refused.")
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Put after the commit.")
  @Outcome(id = "1, 3, 0", expect = ACCEPTABLE_INTERESTING, desc = "The put was stopped inside.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class PutPrepare {
    private final VersionedCache<Value> cache = TwoVersions.cache();
    private boolean prepared;
    private boolean committed;

    /**
     * Puts.
     *
     * @param result whether it was done
     */
    @Actor
    public void put(III_Result result) {
      Value value = new Value(TwoVersions.OLD);
      WriteResult done = cache.put(Keys.HI, Keys.A, value, CHARGE);
      result.r1 = done == WriteResult.IN_PROGRESS ? 0 : 1;
    }

    /** Prepares and commits, and looks whether its own value is what is found until then. */
    @Actor
    public void prepareAndCommit() {
      PrepareToken token = prepare(cache);
      if (token != null) {
        prepared = TwoVersions.number(cache.readForWrite(Keys.HI, Keys.A)) == TwoVersions.NEW;
        committed = cache.commit(token) == Decision.OK;
      }
    }

    /**
     * Reads at the end.
     *
     * @param result the number found, 3 if nothing was prepared; what is wrong
     */
    @Arbiter
    public void end(III_Result result) {
      int found = TwoVersions.read(cache, Keys.A);
      result.r2 = prepared ? found : 3;
      result.r3 = prepared != committed ? 8 : wrong(cache);
    }
  }

  /** Two prepares of a key that has a committed value. */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "The first.")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "The second.")
  @Outcome(expect = FORBIDDEN, desc = "Broken.")
  @State
  public static class PreparePrepare {
    private final VersionedCache<Value> cache = TwoVersions.cache();

    /** One key. */
    public PreparePrepare() {
      cache.put(Keys.HI, Keys.A, new Value(TwoVersions.OLD), CHARGE);
    }

    /**
     * Prepares.
     *
     * @param result whether it did
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = prepare(cache) == null ? 0 : 1;
    }

    /**
     * Prepares.
     *
     * @param result whether it did
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = prepare(cache) == null ? 0 : 1;
    }

    /**
     * Compares.
     *
     * @param result what is wrong
     */
    @Arbiter
    public void end(III_Result result) {
      result.r3 = wrong(cache);
    }
  }

  /** Evictions beside a prepare of the entry they want. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Prepared, kept, committed.")
  @Outcome(expect = FORBIDDEN, desc = "The prepare was lost, or is charged wrongly.")
  @State
  public static class EvictPrepare {
    private final VersionedCache<Value> cache = TwoVersions.cache();
    private @Nullable PrepareToken token;

    /** One key that is about to be prepared. */
    public EvictPrepare() {
      cache.put(Keys.HI, Keys.A, new Value(TwoVersions.OLD), CHARGE);
    }

    /** Puts more than fits. */
    @Actor
    public void evict() {
      for (int i = 0; i < 6; i++) {
        cache.put(Keys.HI, i % 2 == 0 ? Keys.B + i : Keys.C, new Value(TwoVersions.OLD), CHARGE);
      }
    }

    /** Prepares. */
    @Actor
    public void prepareOne() {
      token = prepare(cache);
    }

    /**
     * Commits.
     *
     * @param result whether it was prepared, whether it could be committed, what is wrong
     */
    @Arbiter
    public void end(III_Result result) {
      result.r1 = token == null ? 0 : 1;
      boolean kept = cache.readVersions(Keys.HI, Keys.A).prepared() != null;
      boolean done = token != null && cache.commit(token) == Decision.OK;
      result.r2 = kept && done && TwoVersions.read(cache, Keys.A) == TwoVersions.NEW ? 1 : 0;
      result.r3 = wrong(cache);
    }
  }

  /** A commit and an abort of one prepare. */
  @JCStressTest
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "Committed.")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Aborted.")
  @Outcome(expect = FORBIDDEN, desc = "Both, neither, or the wrong value.")
  @State
  public static class CommitAbort {
    private final VersionedCache<Value> cache = TwoVersions.cache();
    private final PrepareToken token;

    /** One key that has both versions. */
    public CommitAbort() {
      cache.put(Keys.HI, Keys.A, new Value(TwoVersions.OLD), CHARGE);
      Value value = new Value(TwoVersions.NEW);
      token = cache.prepare(Keys.HI, Keys.A, value, CHARGE, PrepareMode.PLAIN).orThrow();
    }

    /**
     * Commits.
     *
     * @param result whether it did
     */
    @Actor
    public void commit(III_Result result) {
      result.r1 = cache.commit(token) == Decision.OK ? 1 : 0;
    }

    /**
     * Aborts.
     *
     * @param result whether it did
     */
    @Actor
    public void abort(III_Result result) {
      result.r2 = cache.abort(token) == Decision.OK ? 1 : 0;
    }

    /**
     * Reads.
     *
     * @param result what is found, or what is wrong
     */
    @Arbiter
    public void end(III_Result result) {
      int wrong = wrong(cache);
      result.r3 = wrong == 0 ? TwoVersions.read(cache, Keys.A) : wrong;
    }
  }
}
