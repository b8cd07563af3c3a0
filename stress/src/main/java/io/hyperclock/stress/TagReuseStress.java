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
 * Edges [tag] and [reuse], tag and tear-down: a slot is torn down and taken by a key of another
 * tag.
 *
 * <p><b>Hunted:</b> an owner that clears the tag after it has given the slot back, and hits that of
 * the next tenant, or through it that of a neighbour; one that leaves it behind.
 *
 * <p><b>Forbidden:</b> a miss of the neighbour, whose tag is in the same word and whom nobody
 * touches; a wrong value; a tag that is not that of the slot's entry when all is quiet.
 *
 * <p>Both writers claim the slot whatever its tag is, as an insert does that has looked at the word
 * before the last tenant came.
 *
 * <p><b>Planted faults:</b> {@code tag-cleared-after-empty}, {@code tag-kept}, {@code tag-lost}.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Always found, right, all tags right.")
@Outcome(expect = FORBIDDEN, desc = "Missed, wrong value, or a wrong tag.")
@State
public class TagReuseStress {
  private static final int ROUNDS = 24;
  private static final int SLOT = 0;
  private static final int NEXT = 1;

  private final StressBlock one = new StressBlock(Keys.A);
  private final StressBlock other = new StressBlock(Keys.other(0));
  private final StressBlock neighbour = new StressBlock(Keys.B);
  private final RawTable table = new RawTable(true, one);

  /** Starts a table with A, and B in the slot behind it. */
  public TagReuseStress() {
    table.insert(NEXT, neighbour);
  }

  /** Replaces again and again; returns misses of the neighbour and wrong values. */
  private int replace(StressBlock block) {
    int wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
      table.evictThroughTable();
      wrong += table.get(neighbour) == neighbour ? 0 : 1;
      table.insert(SLOT, block);
      Object found = table.getA();
      wrong += found == null || found == one ? 0 : 1;
    }
    return wrong;
  }

  /**
   * Takes the slot for A.
   *
   * @param result misses and wrong values
   */
  @Actor
  public void first(III_Result result) {
    result.r1 = replace(one);
  }

  /**
   * Takes the slot for a key of another tag.
   *
   * @param result misses and wrong values
   */
  @Actor
  public void second(III_Result result) {
    result.r2 = replace(other);
  }

  /**
   * Looks at all tags.
   *
   * @param result wrong ones, and misses of the neighbour
   */
  @Arbiter
  public void count(III_Result result) {
    result.r3 = table.wrongTags() + (table.get(neighbour) == neighbour ? 0 : 1);
  }
}
