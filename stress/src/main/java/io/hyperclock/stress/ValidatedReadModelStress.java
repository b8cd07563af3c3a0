/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Edge [validate], validated read, in a model of one slot without any library code: one thread
 * moves tenants 1 and 2 in and out, another reads key 1 without a pin.
 *
 * <p><b>Hunted:</b> a reader that takes the key of one tenancy and the value of another. The reader
 * looks at generation, meta, key, value and once more at the generation; the writer takes over by
 * compareAndSet, bumps, fences and only then touches data, at tear-down and at construction.
 *
 * <p><b>Forbidden</b> in {@link Protocol}: a validated read whose value is not the one of its key;
 * a null counts, since tear-down bumps before it nulls.
 *
 * <p>The other classes leave one thing out each. They are kept to show that the hunt sees the fault
 * on the processor at hand, so their bad outcome is interesting, not forbidden. {@link NoBump},
 * {@link BumpAtConstruction}, {@link KeyBeforeMeta} and {@link EmptyBeforeNulled} are wrong under
 * every memory model and show on x86. {@link NoFence} is not wrong on x86, which keeps stores in
 * order: its bad outcome can show on ARM and the like only, and its absence means nothing
 * elsewhere. What a processor cannot show is decided by the exhaustive exploration in {@code
 * core}'s tests, {@code io.hyperclock.memorymodel}.
 */
public class ValidatedReadModelStress {
  private static final int ROUNDS = 64;

  /** Words of a cache line: each word of the slot has lines of its own, for wider windows. */
  private static final int LINE = 16;

  private static final int GENERATION = LINE;
  private static final int META = 2 * LINE;
  private static final int KEY = 3 * LINE;
  private static final int VALUE = 4 * LINE;
  private static final long EMPTY = 0;
  private static final long BUSY = 1;
  private static final long READABLE = -1;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private ValidatedReadModelStress() {}

  /** One slot that holds key 1 with value 1. */
  public static class Slot {
    final long[] words = new long[5 * LINE];

    /** Starts a model slot. */
    public Slot() {
      words[META] = READABLE;
      words[KEY] = 1;
      words[VALUE] = 1;
    }

    /** Takes the slot over from whoever is in it. */
    final boolean tearDown(boolean bump, boolean fence, boolean emptyFirst) {
      if (!WORDS.compareAndSet(words, META, READABLE, BUSY)) {
        return false;
      }
      // [validate] after the takeover, before the data: observed by both generation reads.
      bump(bump);
      fence(fence);
      if (emptyFirst) {
        WORDS.setRelease(words, META, EMPTY);
        WORDS.setOpaque(words, VALUE, 0L);
      } else {
        WORDS.setOpaque(words, VALUE, 0L);
        WORDS.setRelease(words, META, EMPTY);
      }
      return true;
    }

    /** Moves a tenant in whose value equals its key. */
    final boolean construct(long key, boolean bump, boolean fence) {
      if (!WORDS.compareAndSet(words, META, EMPTY, BUSY)) {
        return false;
      }
      bump(bump);
      fence(fence);
      WORDS.setOpaque(words, VALUE, key);
      WORDS.setOpaque(words, KEY, key);
      // [publish] publishes key and value: observed by metaAcquire of the readers.
      WORDS.setRelease(words, META, READABLE);
      return true;
    }

    private void bump(boolean wanted) {
      if (wanted) {
        WORDS.getAndAdd(words, GENERATION, 1L);
      }
    }

    private static void fence(boolean wanted) {
      if (wanted) {
        VarHandle.storeStoreFence();
      }
    }

    /** Value of key 1 by a validated read, or -1 for a miss or a failed validation. */
    final long read(boolean keyBeforeMeta) {
      long generation = (long) WORDS.getAcquire(words, GENERATION);
      long key = keyBeforeMeta ? (long) WORDS.getOpaque(words, KEY) : 0;
      if ((long) WORDS.getAcquire(words, META) >= 0) {
        return -1;
      }
      if (!keyBeforeMeta) {
        key = (long) WORDS.getOpaque(words, KEY);
      }
      if (key != 1) {
        return -1;
      }
      long value = (long) WORDS.getOpaque(words, VALUE);
      VarHandle.acquireFence();
      return (long) WORDS.getOpaque(words, GENERATION) == generation ? value : -1;
    }

    final void write(boolean bumpAtTearDown, boolean bumpAtConstruction, boolean fence) {
      for (int i = 0; i < ROUNDS; i++) {
        tearDown(bumpAtTearDown, fence, false);
        construct(2 - (i & 1), bumpAtConstruction, fence);
      }
    }

    final void readAll(boolean keyBeforeMeta, II_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        long value = read(keyBeforeMeta);
        if (value == 1) {
          result.r1 = 1;
        } else if (value != -1) {
          result.r2 = 1;
        }
      }
    }
  }

  /** The protocol as it is. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Misses only.")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Hits, all right.")
  @Outcome(expect = FORBIDDEN, desc = "A validated value that is not of the key.")
  @State
  public static class Protocol extends Slot {
    /** Starts a model slot. */
    public Protocol() {}

    /** Moves tenants. */
    @Actor
    public void writer() {
      write(true, false, true);
    }

    /**
     * Reads key 1.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void reader(II_Result result) {
      readAll(false, result);
    }
  }

  /** The same generation for all tenancies: any pause between key and value misleads. */
  @JCStressTest
  @Outcome(id = "., 0", expect = ACCEPTABLE, desc = "The fault did not show.")
  @Outcome(id = "., 1", expect = ACCEPTABLE_INTERESTING, desc = "The fault shows.")
  @State
  public static class NoBump extends Slot {
    /** Starts a model slot. */
    public NoBump() {}

    /** Moves tenants. */
    @Actor
    public void writer() {
      write(false, false, true);
    }

    /**
     * Reads key 1.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void reader(II_Result result) {
      readAll(false, result);
    }
  }

  /** Bits and value are cleared under the old generation: a null is validated. */
  @JCStressTest
  @Outcome(id = "., 0", expect = ACCEPTABLE, desc = "The fault did not show.")
  @Outcome(id = "., 1", expect = ACCEPTABLE_INTERESTING, desc = "The fault shows.")
  @State
  public static class BumpAtConstruction extends Slot {
    /** Starts a model slot. */
    public BumpAtConstruction() {}

    /** Moves tenants. */
    @Actor
    public void writer() {
      write(false, true, true);
    }

    /**
     * Reads key 1.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void reader(II_Result result) {
      readAll(false, result);
    }
  }

  /** A key read before meta may be the last tenant's under the new generation. */
  @JCStressTest
  @Outcome(id = "., 0", expect = ACCEPTABLE, desc = "The fault did not show.")
  @Outcome(id = "., 1", expect = ACCEPTABLE_INTERESTING, desc = "The fault shows.")
  @State
  public static class KeyBeforeMeta extends Slot {
    /** Starts a model slot. */
    public KeyBeforeMeta() {}

    /** Moves tenants. */
    @Actor
    public void writer() {
      write(true, false, true);
    }

    /**
     * Reads key 1.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void reader(II_Result result) {
      readAll(true, result);
    }
  }

  /** Data stores may be seen before the bump; never on x86. */
  @JCStressTest
  @Outcome(id = "., 0", expect = ACCEPTABLE, desc = "The fault did not show.")
  @Outcome(id = "., 1", expect = ACCEPTABLE_INTERESTING, desc = "The fault shows.")
  @State
  public static class NoFence extends Slot {
    /** Starts a model slot. */
    public NoFence() {}

    /** Moves tenants. */
    @Actor
    public void writer() {
      write(true, false, false);
    }

    /**
     * Reads key 1.
     *
     * @param result whether there were hits, whether there were wrong ones
     */
    @Actor
    public void reader(II_Result result) {
      readAll(false, result);
    }
  }

  /** The slot is offered to others before its value is nulled: the null hits the next tenant. */
  @JCStressTest
  @Outcome(id = "[12]", expect = ACCEPTABLE, desc = "The fault did not show.")
  @Outcome(id = "0", expect = ACCEPTABLE_INTERESTING, desc = "The fault shows: the value is lost.")
  @State
  public static class EmptyBeforeNulled extends Slot {
    /** Starts a model slot. */
    public EmptyBeforeNulled() {}

    /** Evicts. */
    @Actor
    public void evict() {
      tearDown(true, true, true);
    }

    /** Inserts as soon as the slot is offered. */
    @Actor
    public void insert() {
      for (int i = 0; i < 16 * ROUNDS; i++) {
        if (construct(2, false, true)) {
          return;
        }
      }
    }

    /**
     * Looks at what was inserted.
     *
     * @param result value of key 2, or 1 if it was not inserted
     */
    @Arbiter
    public void value(I_Result result) {
      result.r1 = words[META] == READABLE ? (int) words[VALUE] : 1;
    }
  }
}
