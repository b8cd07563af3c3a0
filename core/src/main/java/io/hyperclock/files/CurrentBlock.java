/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.Handle;
import io.hyperclock.memory.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The block that a {@link Cursor} is in, and how it gets into another. For one thread. */
abstract class CurrentBlock {
  private static final PooledBuffer NOTHING = PooledBuffer.unpooled(0);
  private static final int MAX_OWN_BYTES = 64 << 10;

  final CachedFile file;
  final ReadMode mode;

  /** Where the part that is read begins in the file. */
  final long base;

  /** Bytes of the part. */
  final long length;

  PooledBuffer block = NOTHING;

  /** Memory of the block, and of others. */
  ByteBuffer bytes = NOTHING.memory();

  /** What is to be added to a position in the part for an index of the bytes. */
  long skew;

  /** Position in the part of the first byte of the block; may be negative. */
  long start;

  /** Bytes that may be read, up to the end of the part; 0 if the block is to be found first. */
  int limit;

  private final BlockLoads loads;
  private final HitCounter hits;
  private final int hitPlace = HitCounter.place();
  private final int shift;
  private final int blockMask;

  /** The block that this moved to last. */
  private long lastIndex = -2;

  /** The block in which a value was read without moving there. */
  private long passedIndex = -2;

  private int repeats;
  private int window = 1;
  private PooledBuffer own = NOTHING;

  CurrentBlock(CachedFile file, ReadMode mode, long base, long length) {
    this.file = file;
    this.loads = file.loads;
    this.hits = file.counters.hits;
    this.mode = mode;
    this.shift = Integer.numberOfTrailingZeros(file.files.blockBytes());
    this.blockMask = (1 << shift) - 1;
    this.base = base;
    this.length = length;
  }

  /** Begins in the block of another. */
  final void startWhere(CurrentBlock other, long offset) {
    if (other.block != other.own) {
      block = other.block;
      bytes = other.bytes;
      start = other.start - offset;
      skew = other.skew + offset;
      limit = (int) Math.max(0, Math.min(other.limit, length - start));
    }
  }

  final void requireInside(long position, long count) throws IOException {
    if (position < 0 || count > length - position) {
      throw new EOFException(
          String.format(
              "a read must be inside the file: position=%s, bytes=%s, length=%s, file=%s",
              position, count, length, file));
    }
  }

  /** Whether some bytes do not lie in one block. */
  final boolean crosses(long position, int size) throws IOException {
    requireInside(position, size);
    return offsetInBlock(position) + size > 1 << shift;
  }

  /**
   * Where to read a value in another block without moving there, for readers that go from block to
   * block; at a second read of a block it is worth to move.
   *
   * @return a place that has all the bytes, or null
   */
  final BlockTable.@Nullable Place passing(long position, int size) {
    long at = base + position;
    long index = at >>> shift;
    if (index == passedIndex || position < 0 || position > length - size || file.closed) {
      return null;
    }
    BlockTable.Place place = recent(index);
    if (place == null || offsetInBlock(position) > place.length - size) {
      return null;
    }
    passedIndex = index;
    hits.add(hitPlace, 1);
    return place;
  }

  final int offsetInBlock(long position) {
    return (int) (base + position) & blockMask;
  }

  private BlockTable.@Nullable Place recent(long index) {
    return mode == ReadMode.BYPASS ? null : loads.recent(index << shift, mode == ReadMode.ADMIT);
  }

  /**
   * Moves to the block of a position, or finds it again.
   *
   * @param wanted bytes that will be read
   */
  final void moveTo(long position, long wanted) throws IOException {
    long index = base + position >>> shift;
    if (index != lastIndex && position >= 0 && position < length && !file.closed) {
      BlockTable.Place place = recent(index);
      if (place != null) {
        lastIndex = index;
        if (index != passedIndex) {
          hits.add(hitPlace, 1);
        }
        use(place.block, place.memory, place.offset, index << shift, place.length);
        return;
      }
    }
    search(position, wanted);
  }

  private void search(long position, long wanted) throws IOException {
    limit = 0;
    file.requireOpen();
    requireInside(position, 1);
    long index = base + position >>> shift;
    boolean next = index == lastIndex + 1;
    repeats = index == lastIndex ? repeats + 1 : 0;
    lastIndex = index;
    long from = index << shift;
    if (mode != ReadMode.BYPASS) {
      PooledBuffer found = loads.find(from, mode == ReadMode.ADMIT);
      if (found != null && repeats < 3) {
        hits.add(hitPlace, 1);
        if (mode == ReadMode.ADMIT) {
          loads.remember(from, found);
        }
        use(found, from);
        return;
      }
      if (mode == ReadMode.ADMIT) {
        load(from, blocksToLoad(base + position, wanted, next));
        return;
      }
    }
    readOwn(from, grownWindow(next, Math.max(MAX_OWN_BYTES >> shift, file.maxReadAhead)));
  }

  private void use(PooledBuffer found, long from) {
    use(found, found.memory(), found.offset(), from, found.length());
  }

  private void use(PooledBuffer found, ByteBuffer memory, int offset, long from, int count) {
    block = found;
    bytes = memory;
    start = from - base;
    skew = offset - start;
    limit = (int) Math.min(count, length - start);
  }

  private int blocksToLoad(long position, long wanted, boolean next) {
    long spanned = (position + wanted - 1 >>> shift) - (position >>> shift) + 1;
    int ahead = grownWindow(next, file.maxReadAhead);
    return (int) Math.min(file.files.maxWindow, Math.max(spanned, ahead));
  }

  /** More blocks at a time while the cursor goes on in order. */
  private int grownWindow(boolean next, int most) {
    window = next ? Math.max(1, Math.min(most, window * 2)) : 1;
    return window;
  }

  private void load(long from, int blocks) throws IOException {
    file.counters.misses.increment();
    try (Handle<PooledBuffer> held = loads.load(from, blocks)) {
      if (held == null) {
        readOwn(from, 1);
      } else if (held.isStandalone() || repeats > 1) {
        // It goes when the pin ends, or has gone twice before it could be read.
        int count = held.value().length();
        own(count).bytes().put(0, held.value().bytes(), 0, count);
        use(own, from);
      } else {
        loads.remember(from, held.value());
        use(held.value(), from);
      }
    }
  }

  /** Reads past the cache. */
  private void readOwn(long from, int blocks) throws IOException {
    int count = (int) Math.min((long) blocks << shift, file.length() - from);
    ByteBuffer into = own(count).bytes().slice(0, count);
    file.counters.uncachedReads.increment();
    loads.read(from, into);
    lastIndex = from + count - 1 >>> shift;
    use(own, from);
  }

  private PooledBuffer own(int count) {
    if (own.capacity() < count) {
      own = PooledBuffer.unpooled(Math.max(count, (int) Math.min(1L << shift, file.length())));
    }
    return own.length(count);
  }
}
