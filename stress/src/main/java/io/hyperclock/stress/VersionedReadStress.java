/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.stress.TwoVersions.Value;
import io.hyperclock.versioned.PrepareGroup;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [two-versions], reads: a key that is prepared, committed, aborted or in doubt while it is
 * read.
 *
 * <p><b>Hunted:</b> a read that goes back to the older value, finds a value that is not whole, or a
 * group of which one key is committed and another is not.
 */
public class VersionedReadStress {
  private VersionedReadStress() {}

  private static VersionedCache<Value> committed(long... keys) {
    VersionedCache<Value> cache = TwoVersions.cache();
    for (long key : keys) {
      cache.put(Keys.HI, key, new Value(TwoVersions.OLD), TwoVersions.CHARGE_BYTES);
    }
    return cache;
  }

  private static PrepareToken prepare(VersionedCache<Value> cache, PrepareMode mode) {
    Value value = new Value(TwoVersions.NEW);
    return cache.prepare(Keys.HI, Keys.A, value, TwoVersions.CHARGE_BYTES, mode).orThrow();
  }

  /** A prepare and its commit. */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "Both before.")
  @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "Before and after.")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "Both after.")
  @Outcome(expect = FORBIDDEN, desc = "Went back, or found something else.")
  @State
  public static class Commit {
    private final VersionedCache<Value> cache = committed(Keys.A);

    /** Prepares and commits. */
    @Actor
    public void writer() {
      cache.commit(prepare(cache, PrepareMode.PLAIN));
    }

    /**
     * Reads twice.
     *
     * @param result what was found
     */
    @Actor
    public void reader(III_Result result) {
      result.r1 = TwoVersions.read(cache, Keys.A);
      result.r2 = TwoVersions.read(cache, Keys.A);
    }

    /**
     * Reads at the end.
     *
     * @param result what is found
     */
    @Arbiter
    public void end(III_Result result) {
      result.r3 = TwoVersions.read(cache, Keys.A);
    }
  }

  /** A prepare without a committed value, and its abort. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Never seen.")
  @Outcome(expect = FORBIDDEN, desc = "A prepared value was seen, or something is left.")
  @State
  public static class Abort {
    private final VersionedCache<Value> cache = TwoVersions.cache();

    /** Prepares and aborts. */
    @Actor
    public void writer() {
      cache.abort(prepare(cache, PrepareMode.PLAIN));
    }

    /**
     * Reads twice.
     *
     * @param result what was found
     */
    @Actor
    public void reader(III_Result result) {
      result.r1 = TwoVersions.read(cache, Keys.A);
      result.r2 = TwoVersions.read(cache, Keys.A);
    }

    /**
     * Looks at what is left.
     *
     * @param result slots and bytes in use
     */
    @Arbiter
    public void end(III_Result result) {
      result.r3 =
          (int) (cache.monitor().stats().occupancy() + cache.monitor().stats().usageBytes());
    }
  }

  /** A prepared key comes in doubt, and is committed. */
  @JCStressTest
  @Outcome(id = "1, [123], 2", expect = ACCEPTABLE, desc = "Before, then any.")
  @Outcome(id = "3, [23], 2", expect = ACCEPTABLE, desc = "In doubt, then not the older value.")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "Both after.")
  @Outcome(id = "2, 3, 2", expect = ACCEPTABLE_INTERESTING, desc = "Told once more: harmless.")
  @Outcome(expect = FORBIDDEN, desc = "Went back from doubt to the older value, or missed.")
  @State
  public static class Doubt {
    private final VersionedCache<Value> cache = committed(Keys.A);
    private final PrepareToken token = prepare(cache, PrepareMode.PLAIN);

    /** Marks and commits. */
    @Actor
    public void writer() {
      cache.markInDoubt((hi, lo) -> true);
      cache.commit(token);
    }

    /**
     * Reads twice.
     *
     * @param result what was found
     */
    @Actor
    public void reader(III_Result result) {
      result.r1 = TwoVersions.read(cache, Keys.A);
      result.r2 = TwoVersions.read(cache, Keys.A);
    }

    /**
     * Reads at the end.
     *
     * @param result what is found
     */
    @Arbiter
    public void end(III_Result result) {
      result.r3 = TwoVersions.read(cache, Keys.A);
    }
  }

  /** Two keys of one group; one of them is deleted by it. */
  @JCStressTest
  @Outcome(id = "1, [12], 2", expect = ACCEPTABLE, desc = "Before, then any.")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "Both after.")
  @Outcome(expect = FORBIDDEN, desc = "One was committed and the other was not.")
  @State
  public static class Group {
    private final VersionedCache<Value> cache = committed(Keys.A, Keys.B);
    private final PrepareGroup group = cache.newGroup();

    /** Prepares one key with a value and one as deleted, and two between them that are not read. */
    public Group() {
      Value value = new Value(TwoVersions.NEW);
      long charge = TwoVersions.CHARGE_BYTES;
      cache.prepare(Keys.HI, Keys.A, value, charge, PrepareMode.PLAIN, group).orThrow();
      for (long key : new long[] {Keys.C, Keys.D, Keys.B}) {
        cache.prepare(Keys.HI, key, null, 0, PrepareMode.PLAIN, group).orThrow();
      }
    }

    private int readDeleted() {
      return TwoVersions.read(cache, Keys.B) == TwoVersions.MISS
          ? TwoVersions.NEW
          : TwoVersions.OLD;
    }

    /** Commits. */
    @Actor
    public void writer() {
      group.commit();
    }

    /**
     * Reads what is committed last, then what is committed first.
     *
     * @param result what was found
     */
    @Actor
    public void reader(III_Result result) {
      result.r1 = TwoVersions.read(cache, Keys.A);
      result.r2 = readDeleted();
    }

    /**
     * The other way round.
     *
     * @param result 2 if both were found as they must be
     */
    @Actor
    public void other(III_Result result) {
      int deleted = readDeleted();
      int value = TwoVersions.read(cache, Keys.A);
      result.r3 = deleted == TwoVersions.NEW && value == TwoVersions.OLD ? 9 : 2;
    }
  }
}
