/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Edge [stamp]: a reader without a hold against the end of the loan and the next one's writes to
 * the same memory.
 *
 * <p><b>Hunted:</b> bytes of a later loan that a reader believes, because the stamp changed after
 * the memory did, or because its look at the stamp came before its reads.
 *
 * <p><b>Forbidden:</b> bytes of another key in a buffer that is valid afterwards.
 *
 * <p><b>Planted faults:</b> {@code stamp-after-give}. {@code stamp-no-fence-at-take} and {@code
 * stamp-no-fence-in-read}, which x86 hides, are noticed by {@code OrderOfAccessesTest} in {@code
 * core}.
 */
public class StampStress {
  private static final int WORDS = 8;

  private StampStress() {}

  private static PooledBuffer take(BufferPool pool, long mark) {
    PooledBuffer buffer = Objects.requireNonNull(pool.take(1024));
    for (int i = 0; i < WORDS; i++) {
      buffer.bytes().putLong(i * Long.BYTES, mark);
    }
    return buffer;
  }

  /** Reads all words; 0 if the loan had ended, 1 if they were right, 2 if not. */
  private static int read(PooledBuffer buffer, long mark) {
    boolean right = true;
    for (int i = 0; i < WORDS; i++) {
      right &= buffer.bytes().getLong(i * Long.BYTES) == mark;
    }
    return buffer.isValid() ? right ? 1 : 2 : 0;
  }

  /** One buffer that goes from loan to loan. */
  @JCStressTest
  @Outcome(id = "[01], 0", expect = ACCEPTABLE, desc = "Right, or known to be useless.")
  @Outcome(expect = FORBIDDEN, desc = "Bytes of a later loan.")
  @State
  public static class InPool {
    private final BufferPool pool = BufferPool.ofBytes(1024);
    private final PooledBuffer buffer = take(pool, 1);

    /** Starts with the buffer lent. */
    public InPool() {}

    /**
     * Reads without a hold.
     *
     * @param result whether a read was right, whether one was wrong
     */
    @Actor
    public void read(II_Result result) {
      int outcome = StampStress.read(buffer, 1);
      result.r1 = outcome & 1;
      result.r2 = outcome >> 1;
    }

    /** Gives back, takes and writes. */
    @Actor
    public void giveAndTake() {
      pool.give(buffer);
      take(pool, 2);
    }
  }

  /** Blocks of two keys that take turns in a cache and its memory. */
  @JCStressTest
  @Outcome(id = "[01], 0", expect = ACCEPTABLE, desc = "Misses and right hits.")
  @Outcome(expect = FORBIDDEN, desc = "Bytes of another key.")
  @State
  public static class InCache {
    private static final int ROUNDS = 16;

    private final BufferPool pool = BufferPool.ofBytes(1024);
    private final EntryType<PooledBuffer> type = pool.entryType("block");
    private final BlockCache<PooledBuffer> cache =
        BlockCache.<PooledBuffer>builder()
            .capacityBytes(4 * StressBlock.CHARGE_BYTES)
            .estimatedEntryCharge(4 * StressBlock.CHARGE_BYTES)
            .shards(1)
            .metadataCharge(MetadataCharge.NONE)
            .hashSeed(HashSeed.fixed(Keys.SEED))
            .defaultType(type)
            .build();

    /** Starts with key A in the cache. */
    public InCache() {
      insert(Keys.A);
    }

    private void insert(long key) {
      cache.insert(Keys.HI, key, take(pool, key), type, 1024, Priority.LOW);
    }

    /**
     * Reads key A without a hold.
     *
     * @param result whether a read was right, whether one was wrong
     */
    @Actor
    public void read(II_Result result) {
      for (int i = 0; i < ROUNDS; i++) {
        PooledBuffer found = cache.get(Keys.HI, Keys.A);
        int outcome = found == null ? 0 : StampStress.read(found, Keys.A);
        result.r1 |= outcome & 1;
        result.r2 |= outcome >> 1;
      }
    }

    /** Erases A, inserts B, erases B and so on, all in the same memory. */
    @Actor
    public void replace() {
      long key = Keys.A;
      for (int i = 0; i < ROUNDS; i++) {
        cache.erase(Keys.HI, key);
        key = key == Keys.A ? Keys.B : Keys.A;
        insert(key);
      }
    }
  }
}
