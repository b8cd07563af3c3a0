/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.scope.RetiredValue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edge [scope], epochs: scopes are opened and ended while the epoch advances.
 *
 * <p><b>Hunted:</b> a scope that counts for an epoch the global one has left, so that it holds
 * nothing back; a value that is left behind because the thread that could have freed it found
 * another one busy.
 *
 * <p><b>Forbidden:</b> an epoch two steps ahead of an open scope; a value freed while a scope that
 * was open before it retired is open; a value not freed exactly once when all is quiet.
 *
 * <p><b>Planted faults:</b> {@code scope-request-lost}, {@code scope-freed-an-epoch-early}.
 */
public class ScopeEnterAdvanceStress {
  private static final int ROUNDS = 8;

  private ScopeEnterAdvanceStress() {}

  /** The epochs alone: while a scope is open the epoch moves by one step at most. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "At most one step.")
  @Outcome(expect = FORBIDDEN, desc = "The epoch left an open scope behind.")
  @State
  public static class Epochs {
    private final ReadEpochs epochs = new ReadEpochs(1);

    /** Starts at epoch 0. */
    public Epochs() {}

    private int enter(long threadId) {
      int wrong = 0;
      for (int i = 0; i < ROUNDS; i++) {
        int cell = epochs.tryEnter(threadId);
        if (cell != ReadEpochs.MOVED) {
          long seen = epochs.epoch();
          long last = (cell & 1) == (seen & 1) ? seen + 1 : seen;
          for (int look = 0; look < ROUNDS; look++) {
            wrong |= epochs.epoch() > last ? 1 : 0;
          }
          epochs.exit(cell);
        }
      }
      return wrong;
    }

    /**
     * Opens scopes.
     *
     * @param result whether the epoch ran away
     */
    @Actor
    public void enter(III_Result result) {
      result.r1 = enter(1);
    }

    /** Advances. */
    @Actor
    public void advance() {
      for (int i = 0; i < 8 * ROUNDS; i++) {
        epochs.tryAdvance();
      }
    }

    /**
     * Counts.
     *
     * @param result scopes still counted
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = (int) epochs.open();
    }
  }

  /** Two threads retire values in scopes of their own. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Each freed once, in time.")
  @Outcome(expect = FORBIDDEN, desc = "Freed too early, twice or never.")
  @State
  public static class Values {
    private final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
    private final Value[] ofFirst = new Value[ROUNDS];
    private final Value[] ofSecond = new Value[ROUNDS];

    /** Starts without scopes. */
    public Values() {}

    private static final class Value extends RetiredValue {
      private volatile int freed;

      Value() {
        super(1);
      }

      @Override
      public void free() {
        freed++;
      }
    }

    private int retire(Value[] values) {
      int wrong = 0;
      for (int i = 0; i < ROUNDS; i++) {
        int cell = reclaimer.enter();
        values[i] = new Value();
        reclaimer.retire(values[i]);
        wrong |= values[i].freed;
        reclaimer.end(cell);
        reclaimer.ended(cell);
      }
      return wrong;
    }

    /**
     * Retires.
     *
     * @param result whether a value was freed in the scope
     */
    @Actor
    public void first(III_Result result) {
      result.r1 = retire(ofFirst);
    }

    /**
     * Retires.
     *
     * @param result whether a value was freed in the scope
     */
    @Actor
    public void second(III_Result result) {
      result.r2 = retire(ofSecond);
    }

    /**
     * Counts.
     *
     * @param result values not freed exactly once, and those that wait
     */
    @Arbiter
    public void count(III_Result result) {
      result.r3 = (int) reclaimer.retiredValues();
      for (int i = 0; i < ROUNDS; i++) {
        result.r3 += ofFirst[i].freed == 1 && ofSecond[i].freed == 1 ? 0 : 1;
      }
    }
  }
}
