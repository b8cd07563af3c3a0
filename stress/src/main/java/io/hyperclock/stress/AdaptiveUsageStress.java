/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [sum], adaptive replacement: inserts that evict, erases and changed charges at once, in a
 * cache that is just large enough for it.
 *
 * <p><b>Hunted:</b> an entry that is counted in the wrong class, flagged without a duel, or cannot
 * be evicted any more.
 *
 * <p><b>Forbidden:</b> when all is quiet, an inconsistency of the cache; an entry left after the
 * capacity was lowered to nothing.
 *
 * <p><b>Planted faults:</b> {@code tear-down-keeps-cold-word}.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Whole, and empty at last.")
@Outcome(expect = FORBIDDEN, desc = "Inconsistent or stuck.")
@State
public class AdaptiveUsageStress {
  private static final int ENTRIES = 34;
  private static final int MORE = 6;

  private final BlockCache<StressBlock> cache =
      BlockCache.<StressBlock>builder()
          .capacityBytes(ENTRIES * StressBlock.CHARGE_BYTES)
          .estimatedEntryCharge(StressBlock.CHARGE_BYTES)
          .shards(1)
          .metadataCharge(MetadataCharge.NONE)
          .replacementPolicy(ReplacementPolicy.ADAPTIVE)
          .hashSeed(HashSeed.fixed(Keys.SEED))
          .build();
  private final Handle<StressBlock> handle;

  /** Starts a full cache with one entry held. */
  public AdaptiveUsageStress() {
    handle = StressBlock.insertPinned(cache, new StressBlock(0));
    for (long key = 1; key < ENTRIES; key++) {
      insert(key);
    }
  }

  private void insert(long key) {
    StressBlock.insert(cache, new StressBlock(key), StressBlock.FREED);
  }

  /** Inserts, reads some, changes the charge of the held entry and lets go. */
  @Actor
  public void first() {
    for (long key = 0; key < MORE; key++) {
      insert(100 + key);
      Handle<StressBlock> read = StressBlock.lookup(cache, 1 + key);
      if (read != null) {
        read.close();
      }
      handle.adjustCharge((1 + key % 3) * StressBlock.CHARGE_BYTES);
    }
    handle.close();
  }

  /** Inserts and erases. */
  @Actor
  public void second() {
    for (long key = 0; key < MORE; key++) {
      insert(200 + key);
      StressBlock.erase(cache, 10 + key);
      insert(1 + key);
    }
  }

  /**
   * Empties the cache.
   *
   * @param result inconsistencies, then inconsistencies and entries when it should be empty
   */
  @Arbiter
  public void count(II_Result result) {
    result.r1 = StressBlock.inconsistencies(cache);
    cache.setCapacityBytes(1);
    result.r2 = StressBlock.left(cache);
  }
}
