/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Edge [last-use], last use before free: two holders of an erased entry let go of it at the same
 * moment, and whoever is last frees the value.
 *
 * <p><b>Hunted:</b> a free that happens before, or has not seen, the other holder's last use; a
 * free by both; a free by neither. Holders write plain fields of the value and the disposer reads
 * them: only the counter step of the release orders the two.
 *
 * <p><b>Forbidden:</b> a holder that sees its value freed, a disposer that misses a holder's write,
 * any number of frees but one.
 *
 * <p><b>Planted faults:</b> {@code last-release-without-cas}. {@code pin-step-acquire-only}, which
 * x86 hides, is noticed by {@code OrderOfAccessesTest} in {@code core}.
 */
@JCStressTest
@Outcome(id = "0, 0, 1, 2", expect = ACCEPTABLE, desc = "Freed once, after both.")
@Outcome(expect = FORBIDDEN, desc = "Freed too early, twice or never.")
@State
public class LastUseBeforeFreeStress {
  private final BlockCache<StressBlock> cache = StressBlock.cache(2);
  private final StressBlock block = new StressBlock(Keys.A);
  private final Handle<StressBlock> first = StressBlock.insertPinned(cache, block);
  private final Handle<StressBlock> second = first.ref();

  /** Starts a cache with an erased entry that has two holders. */
  public LastUseBeforeFreeStress() {
    StressBlock.erase(cache, Keys.A);
  }

  /**
   * Uses the value and lets go.
   *
   * @param result whether the value was wrong
   */
  @Actor
  public void first(IIII_Result result) {
    StressBlock held = first.value();
    held.usedByFirst = 1;
    result.r1 = held.isWrongFor(Keys.A) ? 1 : 0;
    first.close();
  }

  /**
   * Uses the value and lets go.
   *
   * @param result whether the value was wrong
   */
  @Actor
  public void second(IIII_Result result) {
    StressBlock held = second.value();
    held.usedBySecond = 1;
    result.r2 = held.isWrongFor(Keys.A) ? 1 : 0;
    second.close();
  }

  /**
   * Counts.
   *
   * @param result number of frees, uses that the disposer had seen
   */
  @Arbiter
  public void count(IIII_Result result) {
    result.r3 = block.disposals();
    result.r4 = block.usesSeenByDisposer;
  }
}
