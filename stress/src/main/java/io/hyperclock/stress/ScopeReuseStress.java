/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Edges [validate] and [scope]: a slot changes its tenant again and again, evict and insert, while
 * another thread opens scopes and reads one of the keys.
 *
 * <p><b>Hunted:</b> a scope that takes the next tenant's value for the key's; a scope opened while
 * an eviction looks for open scopes that still finds the old tenant.
 *
 * <p><b>Forbidden:</b> a value of another key or a freed value in an open scope; at the end a value
 * that was not freed exactly once.
 *
 * <p><b>Planted faults:</b> {@code scope-retires-at-once}, {@code scope-freed-an-epoch-early}.
 */
@JCStressTest
@Outcome(id = "[01], 0, 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
@Outcome(expect = FORBIDDEN, desc = "Wrong or freed value, leak or second free.")
@State
public class ScopeReuseStress {
  private static final int ROUNDS = 32;

  private final StressBlock[] blocks = new StressBlock[ROUNDS + 1];
  private final RawTable table;
  private int inserted = 1;

  /** Starts a table whose one entry has key A. */
  public ScopeReuseStress() {
    for (int i = 0; i <= ROUNDS; i++) {
      blocks[i] = new StressBlock((i & 1) == 0 ? Keys.A : Keys.B);
    }
    table = new RawTable(false, blocks[0]);
  }

  /** Makes B, A, B and so on the tenant. */
  @Actor
  public void replace() {
    for (int i = 1; i <= ROUNDS; i++) {
      if (table.replaceThroughTable(blocks[inserted])) {
        inserted++;
      }
    }
  }

  /**
   * Reads A in scopes.
   *
   * @param result whether there were hits, whether there were wrong ones
   */
  @Actor
  public void read(III_Result result) {
    for (int i = 0; i < ROUNDS; i++) {
      switch (table.readAInScope()) {
        case 1 -> result.r1 = 1;
        case 2 -> result.r2 = 1;
        default -> {}
      }
    }
  }

  /**
   * Evicts the last tenant.
   *
   * @param result blocks not freed exactly once, and values that still wait
   */
  @Arbiter
  public void count(III_Result result) {
    table.evictThroughTable();
    result.r3 = (int) table.waiting();
    for (int i = 0; i < inserted; i++) {
      if (blocks[i].disposals() != 1) {
        result.r3++;
      }
    }
  }
}
