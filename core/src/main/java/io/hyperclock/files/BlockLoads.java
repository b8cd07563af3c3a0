/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.BufferPool;
import io.hyperclock.memory.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/** Brings the blocks of one file from its source into the cache. */
final class BlockLoads {
  /** Thrown by the loaders where the pool has no memory; each caller then reads for itself. */
  private static final class PoolExhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PoolExhausted() {
      super("the pool must have room for a block", null, false, false);
    }
  }

  /**
   * What a source threw while it loaded for all readers of a key. Those of another file of that key
   * try their own source.
   */
  private static final class SourceFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient BlockLoads of;

    SourceFailure(BlockLoads of, Exception cause) {
      super(cause.getMessage(), cause);
      this.of = of;
    }
  }

  /** How often a reader tries where sources of other files fail or load blocks of other lengths. */
  private static final int MOST_TRIES = 4;

  private final BlockFiles files;
  private final BlockCache<PooledBuffer> cache;
  private final BufferPool pool;
  private final BlockTable table;
  private final FileKey key;
  private final BlockSource source;
  private final long length;
  private final int blockBytes;
  private final FileCounters counters;

  BlockLoads(
      BlockFiles files, FileKey key, BlockSource source, long length, FileCounters counters) {
    this.files = files;
    this.cache = files.cache();
    this.pool = files.pool();
    this.table = files.table;
    this.key = key;
    this.source = source;
    this.length = length;
    this.blockBytes = files.blockBytes();
    this.counters = counters;
  }

  /** Bytes of the block that begins at a position. */
  int blockLength(long start) {
    return (int) Math.min(blockBytes, length - start);
  }

  /**
   * The place of a block that a reader has found before and that is probably still cached, or null.
   * A use is reported to the cache, unless one was a moment ago.
   */
  BlockTable.@Nullable Place recent(long start, boolean use) {
    BlockTable.Place place = table.find(key.hi(), key.lo(start));
    if (place == null || place.length != blockLength(start)) {
      return null;
    }
    if (use && table.isFirstUse(place)) {
      table.reportUse(place, cache);
    }
    return place;
  }

  /** Lets a cached block be found by {@link #recent}. */
  void remember(long start, PooledBuffer block) {
    table.put(key.hi(), key.lo(start), block);
  }

  /** A cached block that was not pinned, or null. */
  @Nullable PooledBuffer find(long start, boolean use) {
    long lo = key.lo(start);
    PooledBuffer block = use ? cache.get(key.hi(), lo) : cache.peek(key.hi(), lo);
    if (block != null && block.length() != blockLength(start)) {
      // From a time when the identity was of a file of another length, or of other blocks.
      cache.erase(key.hi(), lo, block);
      return null;
    }
    return block;
  }

  /** As {@link #find}: a pin, or null if the block is of a file of another length. */
  private @Nullable Handle<PooledBuffer> fitting(long start, @Nullable Handle<PooledBuffer> held) {
    if (held != null && held.value().length() != blockLength(start)) {
      try {
        cache.erase(key.hi(), key.lo(start), held.value());
      } finally {
        held.discard();
      }
      return null;
    }
    return held;
  }

  boolean contains(long start) {
    return cache.contains(key.hi(), key.lo(start));
  }

  /** A pin on a cached block, or null. */
  @Nullable Handle<PooledBuffer> pin(long start) {
    return fitting(start, cache.lookup(key.hi(), key.lo(start)));
  }

  /**
   * Loads a block that is missing, and those behind it as far as they are missing too, by one read
   * of the source.
   *
   * @param blocks most blocks to load
   * @return a pin on the first, or null if there is no room for it, in the pool or by the strict
   *     capacity, or readers of another file of the same key always come first
   */
  @Nullable Handle<PooledBuffer> load(long start, int blocks) throws IOException {
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
      try {
        Handle<PooledBuffer> held = fitting(start, loadOnce(start, blocks));
        if (held != null) {
          return held;
        }
      } catch (PoolExhausted | CapacityExceededException e) {
        return null;
      } catch (BlockLoadException e) {
        if (e.getCause() instanceof PoolExhausted) {
          return null;
        }
        boolean isOfAnother = e.getCause() instanceof SourceFailure failure && failure.of != this;
        if (!isOfAnother || tries == MOST_TRIES) {
          throw unwrapped(e);
        }
      }
    }
    return null;
  }

  private @Nullable Handle<PooledBuffer> loadOnce(long start, int blocks) {
    int count = missing(start, blocks);
    if (count > 1) {
      try {
        return loadSeveral(start, count);
      } catch (PoolExhausted | CapacityExceededException e) {
        // One is enough.
      }
    }
    return cache.lookup(key.hi(), key.lo(start), this::loadOne);
  }

  private int missing(long start, int blocks) {
    long last = (length - 1 - start) / blockBytes + 1;
    int most = (int) Math.min(blocks, last);
    int count = 1;
    while (count < most && !contains(start + (long) count * blockBytes)) {
      count++;
    }
    return count;
  }

  private Handle<PooledBuffer> loadSeveral(long start, int count) {
    long[] keys = new long[2 * count];
    for (int i = 0; i < count; i++) {
      keys[2 * i] = key.hi();
      keys[2 * i + 1] = key.lo(start + (long) i * blockBytes);
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Handle<PooledBuffer>[] handles = new Handle[count];
    try {
      cache.lookupAll(keys, handles, PooledBuffer[]::new, this::loadRuns);
    } catch (BlockLoadException e) {
      if (e.getCause() instanceof PoolExhausted exhausted) {
        throw exhausted;
      }
      throw e;
    }
    try {
      for (int i = 1; i < count; i++) {
        handles[i].discard();
      }
      counters.blocksAhead.add(count - 1L);
      return handles[0];
    } catch (Throwable e) {
      // Nobody else has them, and a pinned block is never evicted.
      for (Handle<PooledBuffer> handle : handles) {
        try {
          if (handle != null && !handle.isReleased()) {
            handle.discard();
          }
        } catch (Throwable another) {
          // The first one is thrown.
        }
      }
      throw e;
    }
  }

  private static IOException unwrapped(BlockLoadException e) throws IOException {
    Throwable cause = e.getCause();
    boolean isOfReader = cause instanceof SourceFailure || cause instanceof InterruptedException;
    Throwable thrown = isOfReader ? cause.getCause() : cause;
    if (thrown == null) {
      // Interrupted while another thread loaded: no source has thrown.
      InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
      interrupted.initCause(e);
      return interrupted;
    }
    throw new BlockLoadException(e.getMessage(), thrown)
        .throwIf(IOException.class)
        .throwIf(RuntimeException.class)
        .throwIf(Error.class);
  }

  /**
   * Reads for all who wait for the blocks. The interrupt of this thread is its own affair, so the
   * others try again: that is what an {@link InterruptedException} of a loader says.
   */
  private void readForAll(long start, ByteBuffer... into) throws IOException, InterruptedException {
    try {
      read(start, into);
    } catch (IOException | RuntimeException e) {
      boolean isInterrupt =
          e instanceof InterruptedIOException || e instanceof ClosedByInterruptException;
      if (isInterrupt && Thread.currentThread().isInterrupted()) {
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        throw interrupted;
      }
      throw new SourceFailure(this, e);
    }
  }

  /** Fills buffers from the source, whose answers may be short. */
  void read(long start, ByteBuffer... into) throws IOException {
    long wanted = 0;
    for (ByteBuffer buffer : into) {
      wanted += buffer.remaining();
    }
    int first = 0;
    for (long done = 0; done < wanted; ) {
      while (!into[first].hasRemaining()) {
        first++;
      }
      ByteBuffer[] rest = java.util.Arrays.copyOfRange(into, first, into.length);
      counters.sourceReads.increment();
      long count = source.readAt(start + done, rest);
      if (count <= 0) {
        throw new EOFException(
            String.format(
                "a file must not shrink: lengthWhenOpened=%s, position=%s, source=%s",
                length, start + done, source));
      }
      counters.sourceBytes.add(count);
      done += count;
      requireFilled(into, wanted - done);
    }
  }

  /** A source that says it read what it did not would leave another's bytes in a block. */
  private void requireFilled(ByteBuffer[] into, long left) throws IOException {
    long remaining = 0;
    for (ByteBuffer buffer : into) {
      remaining += buffer.remaining();
    }
    if (remaining != left) {
      throw new IOException(
          String.format(
              "a source must fill what it says: left=%s, remaining=%s, source=%s",
              left, remaining, source));
    }
  }

  private PooledBuffer take(int bytes) {
    table.loaded();
    PooledBuffer buffer = pool.take(bytes);
    if (buffer == null) {
      table.holdsOnly((int) pool.outstanding());
      files.makeRoom();
      buffer = pool.take(bytes);
    }
    if (buffer == null) {
      throw new PoolExhausted();
    }
    return buffer.length(bytes);
  }

  private static ByteBuffer writable(PooledBuffer buffer) {
    return buffer.bytes().duplicate().position(0).limit(buffer.length());
  }

  private PooledBuffer loadOne(long keyHi, long keyLo) throws IOException, InterruptedException {
    long start = key.offset(keyLo);
    PooledBuffer buffer = take(blockLength(start));
    boolean done = false;
    try {
      readForAll(start, writable(buffer));
      done = true;
      return buffer;
    } finally {
      if (!done) {
        pool.give(buffer);
      }
    }
  }

  /** Loads blocks that follow each other, with gaps where others were faster. */
  private void loadRuns(long[] keys, @Nullable PooledBuffer[] blocks)
      throws IOException, InterruptedException {
    for (int from = 0; from < blocks.length; ) {
      long start = key.offset(keys[2 * from + 1]);
      int to = from + 1;
      while (to < blocks.length
          && key.offset(keys[2 * to + 1]) == start + (long) (to - from) * blockBytes) {
        to++;
      }
      ByteBuffer[] run = new ByteBuffer[to - from];
      for (int i = from; i < to; i++) {
        PooledBuffer buffer = take(blockLength(start + (long) (i - from) * blockBytes));
        blocks[i] = buffer;
        run[i - from] = writable(buffer);
      }
      readForAll(start, run);
      from = to;
    }
  }
}
