/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryType;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that were found in the cache before, by their keys: one look at one place instead of a
 * search. A block has one place, and the last one that was put there has it; all others are found
 * by the cache. What is here is not held. A reader looks at the stamp of the block after it has
 * read, as always.
 *
 * <p><b>Uses.</b> Replacement does not see reads that end here, so a reader reports to the cache
 * the first use of a block in each {@linkplain #loaded epoch}. Epochs end by loads: 32 of them pass
 * while the cache takes in as many blocks as it holds, and none while everything is found. Where
 * {@linkplain #holdsOnly memory is short} it holds fewer than its capacity has room for.
 */
final class BlockTable {
  private static final int PLACES_PER_BLOCK = 4;
  private static final int MAX_PLACES = 1 << 24;
  private static final int EPOCHS = 32;

  /** A block and its key. */
  static final class Place {
    final PooledBuffer block;

    /** As those of the block: read here the reader need not wait for it. */
    final ByteBuffer memory;

    final int offset;
    final int length;
    private final long hi;
    private final long lo;

    /**
     * The epoch in which a use was reported to the cache. Plain: a stale one costs a use or a call.
     */
    private int reportedIn;

    Place(PooledBuffer block, long hi, long lo, int reportedIn) {
      this.block = block;
      this.memory = block.memory();
      this.offset = block.offset();
      this.length = block.length();
      this.hi = hi;
      this.lo = lo;
      this.reportedIn = reportedIn;
    }
  }

  private final AtomicReferenceArray<@Nullable Place> places;
  private final int shift;
  private final int mostPerEpoch;
  private int loadsPerEpoch;
  private int loads;
  private int epoch;

  /**
   * A table without blocks.
   *
   * @param blocks how many the cache holds
   * @param shift bits of an offset in a block
   */
  BlockTable(long blocks, int shift) {
    long wanted = Math.max(64, Math.min(MAX_PLACES, PLACES_PER_BLOCK * blocks));
    this.places = new AtomicReferenceArray<>((int) Long.highestOneBit(2 * wanted - 1));
    this.shift = shift;
    this.mostPerEpoch = (int) Math.max(1, Math.min(Integer.MAX_VALUE, blocks / EPOCHS));
    this.loadsPerEpoch = mostPerEpoch;
  }

  /** Of the cache's blocks: one that is given up goes back to the pool and leaves this table. */
  EntryType<PooledBuffer> type(BufferPool pool) {
    EntryType<PooledBuffer> pooled = pool.entryType("file block");
    return EntryType.<PooledBuffer>named(pooled.name())
        .disposer(
            (keyHi, keyLo, block) -> {
              pool.give(block);
              // Behind the end of the loan: a reader that puts it here now sees that it has ended.
              forget(keyHi, keyLo, block);
            })
        .stamped()
        .codec(Objects.requireNonNull(pooled.codec()))
        .build();
  }

  private int index(long hi, long lo) {
    return (int) (hi ^ lo >>> shift) & places.length() - 1;
  }

  /** The place of a block, or null. */
  @Nullable Place find(long hi, long lo) {
    // [stamp] behind the reader that put it there, who had it from the cache.
    Place place = places.getAcquire(index(hi, lo));
    return place != null && place.lo == lo && place.hi == hi ? place : null;
  }

  /** Whether a use of a block should be reported to the cache. */
  boolean isFirstUse(Place place) {
    return place.reportedIn != epoch;
  }

  /** Reports a use to the cache. */
  void reportUse(Place place, BlockCache<?> cache) {
    place.reportedIn = epoch;
    cache.touch(place.hi, place.lo);
  }

  /** Takes in a block that was found in the cache or loaded, of whose use the cache knows. */
  void put(long hi, long lo, PooledBuffer block) {
    // [stamp] what this reader saw of the block comes before it.
    places.setRelease(index(hi, lo), new Place(block, hi, lo, epoch));
    // [stamp] the place comes before the look at the stamp; pairs with the fence of forget.
    VarHandle.fullFence();
    if (!block.isValid()) {
      // The thread that freed it may have looked before it was here.
      forget(hi, lo, block);
    }
  }

  /** Gives up a block that has been given back, so that its memory can be unmapped. */
  void forget(long hi, long lo, PooledBuffer block) {
    // [stamp] the end of the loan comes before the look at the place; pairs with the fence of put.
    VarHandle.fullFence();
    int index = index(hi, lo);
    // [stamp] as in find; the block of a place is set before it.
    Place place = places.getAcquire(index);
    if (place != null && place.block == block) {
      // [stamp] nothing is handed on: only that place, and none that came after it, is taken out.
      places.compareAndSet(index, place, null);
    }
  }

  /** Counts a load. Plain, from many threads: one that is lost makes an epoch longer by one. */
  void loaded() {
    if (++loads >= loadsPerEpoch) {
      loads = 0;
      epoch++;
      // Until memory is short again, which is several times in an epoch if it is.
      loadsPerEpoch = (int) Math.min(mostPerEpoch, 1L + loadsPerEpoch + loadsPerEpoch / EPOCHS);
    }
  }

  /** There is no memory for more blocks than these at present. Plain, as the other figures. */
  void holdsOnly(int blocks) {
    loadsPerEpoch = Math.max(1, Math.min(mostPerEpoch, blocks / EPOCHS));
  }
}
