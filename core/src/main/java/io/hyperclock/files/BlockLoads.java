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
import io.hyperclock.memory.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings the blocks of one file from its source into the cache. */
final class BlockLoads {
  /**
   * What a source threw while it loaded for all readers of a key. Those of another file of that key
   * try their own source.
   */
  private static final class SourceFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient BlockLoads of;

    SourceFailure(BlockLoads of, Throwable cause) {
      super(cause.getMessage(), cause);
      this.of = of;
    }
  }

  /** How often a reader tries where sources of other files fail or load blocks of other lengths. */
  private static final int MOST_TRIES = 4;

  private final CachedFile file;
  private final BlockCache<PooledBuffer> cache;
  private final BlockTable table;
  private final FileKey key;
  private final BlockSource source;
  private final long length;
  private final int blockBytes;

  BlockLoads(CachedFile file, BlockSource source) {
    this.file = file;
    this.cache = file.files.cache();
    this.table = file.files.table;
    this.key = file.key();
    this.source = source;
    this.length = file.length();
    this.blockBytes = file.files.blockBytes();
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
        Handle<PooledBuffer> loaded = loadOnce(start, blocks);
        Handle<PooledBuffer> held = fitting(start, loaded);
        if (loaded == null || held != null) {
          return held;
        }
      } catch (CapacityExceededException e) {
        return null;
      } catch (BlockLoadException e) {
        boolean isOfAnother = e.getCause() instanceof SourceFailure failure && failure.of != this;
        if (!isOfAnother || tries == MOST_TRIES) {
          throw unwrapped(e);
        }
      }
    }
    return null;
  }

  private @Nullable Handle<PooledBuffer> loadOnce(long start, int blocks) {
    int count = 1 + missing(start + blockBytes, length, blocks - 1);
    Handle<PooledBuffer> first = null;
    if (count > 1) {
      try {
        first = loadSeveral(start, count);
      } catch (CapacityExceededException e) {
        // One is enough.
      }
    }
    return first == null ? cache.lookup(key.hi(), key.lo(start), this::loadOne) : first;
  }

  /** How many blocks are missing from a position on, up to the first that is not, or to the end. */
  int missing(long start, long end, int most) {
    int count = 0;
    for (long left = end - start; left > 0 && count < most && !contains(end - left); count++) {
      left -= blockBytes;
    }
    return count;
  }

  private @Nullable Handle<PooledBuffer> loadSeveral(long start, int count) {
    long[] keys = new long[2 * count];
    for (int i = 0; i < count; i++) {
      keys[2 * i] = key.hi();
      keys[2 * i + 1] = key.lo(start + (long) i * blockBytes);
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    @Nullable Handle<PooledBuffer>[] handles = new Handle[count];
    cache.lookupAll(keys, handles, PooledBuffer[]::new, this::loadRuns);
    try {
      for (int i = 1; i < count; i++) {
        Handle<PooledBuffer> ahead = handles[i];
        if (ahead != null) {
          ahead.discard();
          file.counters.blocksAhead.increment();
        }
      }
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
    Throwable thrown =
        cause instanceof SourceFailure || cause instanceof InterruptedException
            ? cause.getCause()
            : cause;
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
  private void readForAll(long start, List<ByteBuffer> into)
      throws IOException, InterruptedException {
    try {
      read(start, into.toArray(ByteBuffer[]::new));
    } catch (IOException | RuntimeException | Error e) {
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

  /**
   * Fills buffers from the source; if it fails because it was closed, throws {@link
   * IllegalStateException}.
   */
  void read(long start, ByteBuffer... into) throws IOException {
    try {
      fill(start, into);
    } catch (IOException e) {
      if (file.closed) {
        throw file.hasBeenClosed(e);
      }
      throw e;
    }
  }

  /** The answers of the source may be short. */
  private void fill(long start, ByteBuffer[] into) throws IOException {
    long wanted = remaining(into);
    int first = 0;
    for (long left = wanted; left > 0; ) {
      while (!into[first].hasRemaining()) {
        first++;
      }
      ByteBuffer[] rest = Arrays.copyOfRange(into, first, into.length);
      file.counters.sourceReads.increment();
      long position = start + wanted - left;
      long count = source.readAt(position, rest);
      if (count <= 0) {
        throw new EOFException(
            String.format(
                "a file must not shrink: lengthWhenOpened=%s, position=%s, source=%s",
                length, position, source));
      }
      file.counters.sourceBytes.add(count);
      left -= count;
      // A source that says it read what it did not would leave another's bytes in a block.
      if (remaining(into) != left) {
        throw new IOException(
            String.format(
                "a source must fill what it says: left=%s, remaining=%s, source=%s",
                left, remaining(into), source));
      }
    }
  }

  static long remaining(ByteBuffer[] buffers) {
    long sum = 0;
    for (ByteBuffer buffer : buffers) {
      sum += buffer.remaining();
    }
    return sum;
  }

  /** Memory for a block, or null if the pool has none: each caller then reads for itself. */
  private @Nullable PooledBuffer take(int bytes) {
    table.loaded();
    PooledBuffer buffer = file.files.pool().take(bytes);
    if (buffer == null) {
      table.holdsOnly((int) file.files.pool().outstanding());
      file.files.makeRoom();
      buffer = file.files.pool().take(bytes);
    }
    return buffer == null ? null : buffer.length(bytes);
  }

  private static ByteBuffer writable(PooledBuffer buffer) {
    return buffer.bytes().slice(0, buffer.length());
  }

  private @Nullable PooledBuffer loadOne(long keyHi, long keyLo)
      throws IOException, InterruptedException {
    long start = key.offset(keyLo);
    PooledBuffer buffer = take(blockLength(start));
    if (buffer == null) {
      return null;
    }
    try {
      readForAll(start, List.of(writable(buffer)));
      return buffer;
    } catch (Throwable e) {
      file.files.pool().give(buffer);
      throw e;
    }
  }

  /**
   * Loads blocks that follow each other, with gaps where others were faster; as many as there is
   * memory for.
   */
  private void loadRuns(long[] keys, @Nullable PooledBuffer[] blocks)
      throws IOException, InterruptedException {
    List<ByteBuffer> run = new ArrayList<>();
    long start = 0;
    for (int i = 0; i < blocks.length; i++) {
      long next = key.offset(keys[2 * i + 1]);
      if (next != start + (long) run.size() * blockBytes) {
        readForAll(start, run);
        run.clear();
        start = next;
      }
      PooledBuffer buffer = take(blockLength(next));
      if (buffer == null) {
        break;
      }
      blocks[i] = buffer;
      run.add(writable(buffer));
    }
    readForAll(start, run);
  }
}
