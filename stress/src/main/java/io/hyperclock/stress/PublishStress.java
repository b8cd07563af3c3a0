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
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Edge [publish], publish: an insert against the first reads of its key.
 *
 * <p><b>Hunted:</b> a reader that finds the entry before the fields of its value, its key or its
 * charge are written. The value is built with plain stores right before the insert, so that nothing
 * but the publishing store of the slot orders them.
 *
 * <p><b>Forbidden:</b> a found value whose fields are not all written, or a handle with another
 * charge than the one inserted.
 *
 * <p><b>Planted faults:</b> {@code publish-opaque}, which x86 hides: {@code OrderOfAccessesTest} in
 * {@code core} notices it, and {@code PinnedReadModelTest} shows what it would break.
 */
public class PublishStress {
  private PublishStress() {}

  /** A cache with nothing in it and a key for both actors. */
  public static class Empty {
    final BlockCache<StressBlock> cache = StressBlock.cache(2);

    /** Starts a cache. */
    public Empty() {}

    final void insertNew() {
      StressBlock block = new StressBlock(Keys.A);
      block.usedByFirst = 1;
      block.usedBySecond = 2;
      StressBlock.insert(cache, block, StressBlock.COLLECTED);
    }
  }

  /** Read without a pin. */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "Not there yet.")
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "Complete.")
  @Outcome(expect = FORBIDDEN, desc = "Found before it was built.")
  @State
  public static class ByGet extends Empty {
    /** Starts a cache. */
    public ByGet() {}

    /** Inserts a block whose fields were written just before. */
    @Actor
    public void insert() {
      insertNew();
    }

    /**
     * Reads.
     *
     * @param result sum of the fields, or -1
     */
    @Actor
    public void get(I_Result result) {
      StressBlock block = StressBlock.get(cache, Keys.A);
      result.r1 = block == null ? -1 : block.usedByFirst + block.usedBySecond;
    }
  }

  /** Read with a pin. */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "Not there yet.")
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "Complete.")
  @Outcome(expect = FORBIDDEN, desc = "Found before it was built.")
  @State
  public static class ByLookup extends Empty {
    /** Starts a cache. */
    public ByLookup() {}

    /** Inserts a block whose fields were written just before. */
    @Actor
    public void insert() {
      insertNew();
    }

    /**
     * Reads.
     *
     * @param result sum of the fields, or -1, or -2 for a wrong charge
     */
    @Actor
    public void lookup(I_Result result) {
      try (Handle<StressBlock> handle = StressBlock.lookup(cache, Keys.A)) {
        if (handle == null) {
          result.r1 = -1;
        } else if (handle.chargeBytes() != StressBlock.CHARGE_BYTES) {
          result.r1 = -2;
        } else {
          StressBlock block = handle.value();
          result.r1 = block.usedByFirst + block.usedBySecond;
        }
      }
    }
  }
}
