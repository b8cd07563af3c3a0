/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read through the cache of its {@link BlockFiles}. All methods may be called by any
 * thread. The length is that of the moment when it was opened: a source that has become shorter
 * fails reads of what is not cached with {@link EOFException}, and one that has grown is read up to
 * the old length.
 *
 * <pre>{@code
 * try (CachedFile file = files.open("000123.sst", BlockSource.of(channel))) {
 *   file.prefetch(0, 1 << 20);        // waits for nothing
 *   file.cursor().read(offset, bytes, 0, bytes.length);
 * }
 * }</pre>
 */
public final class CachedFile implements Closeable {
  final BlockFiles files;
  private final FileKey key;
  private final BlockSource source;
  private final long length;
  final FileCounters counters = new FileCounters();
  final BlockLoads loads;
  final int maxReadAhead;

  /** By a call, or by the close of its files. */
  volatile boolean closed;

  CachedFile(BlockFiles files, FileKey key, BlockSource source) throws IOException {
    this.files = files;
    this.key = key;
    this.source = source;
    this.length = source.length();
    if (length < 0) {
      throw new IOException("length must be >= 0: length=" + length + ", source=" + source);
    }
    this.loads = new BlockLoads(this, source);
    this.maxReadAhead = source.readAheadBytes() / files.blockBytes();
  }

  /**
   * What the keys of its blocks are made of.
   *
   * @return the key it was opened with
   */
  public FileKey key() {
    return key;
  }

  /**
   * Its length when it was opened.
   *
   * @return bytes
   */
  public long length() {
    return length;
  }

  /**
   * Starts to read it, caching what is missing.
   *
   * @return a new cursor, for one thread
   */
  public Cursor cursor() {
    return cursor(ReadMode.ADMIT);
  }

  /**
   * Starts to read it.
   *
   * @param mode what becomes of what it reads
   * @return a new cursor, for one thread
   */
  public Cursor cursor(ReadMode mode) {
    requireOpen();
    Objects.requireNonNull(mode, "mode must not be null");
    return new Cursor(this, mode, 0, length);
  }

  /**
   * Pins the block of a position, for those who close what they hold.
   *
   * @param position in [0, length)
   * @return a handle that the caller must close; the byte of the position is at {@link
   *     #offsetInBlock} of its value
   * @throws EOFException if the position is outside
   * @throws CapacityExceededException if there is no memory for the block, or no room in a strict
   *     capacity
   * @throws IOException if the source fails
   * @throws IllegalStateException if the file is closed
   */
  public Handle<PooledBuffer> pin(long position) throws IOException {
    requireOpen();
    if (position < 0 || position >= length) {
      throw new EOFException(
          "position must be in [0, length): position=" + position + ", length=" + length);
    }
    long start = position - offsetInBlock(position);
    Handle<PooledBuffer> handle = loads.pin(start);
    if (handle != null) {
      counters.hits.add(HitCounter.place(), 1);
      return handle;
    }
    counters.misses.increment();
    handle = loads.load(start, 1);
    if (handle == null) {
      throw new CapacityExceededException(
          "there must be room for the block: position=" + position + ", pool=" + files.pool());
    }
    return handle;
  }

  /**
   * Where a position lies in its block.
   *
   * @param position in the file
   * @return an offset
   */
  public int offsetInBlock(long position) {
    return (int) (position & (files.blockBytes() - 1));
  }

  /**
   * Loads a range for later, on the threads of the {@linkplain BlockFiles.Builder#prefetcher
   * prefetcher}. Pins nothing, and there is nothing to wait for: what fails is counted, and so is a
   * call that ends early because there is no more room in the queue. Looks each block up, so a
   * range of very many cached blocks takes its time.
   *
   * @param position where the range begins
   * @param bytes its length; what lies outside the file is ignored
   * @return whether something was missing and is being loaded
   */
  public boolean prefetch(long position, long bytes) {
    requireOpen();
    long end = position + Math.max(0, bytes);
    long last = end < position ? length : Math.min(length, end);
    return files.prefetches.start(this, Math.max(0, position), last);
  }

  /**
   * Reads of this file so far.
   *
   * @return a new snapshot
   */
  public FileStats stats() {
    return counters.snapshot();
  }

  /**
   * Closes the source. What is cached stays, for those who open the file again; {@link
   * BlockFiles#drop} gives it up. Reads that are under way end or fail; prefetches that wait for
   * their turn read nothing. Idempotent.
   */
  @Override
  public void close() throws IOException {
    if (files.closed(this)) {
      closed = true;
      source.close();
    }
  }

  /**
   * Whether it can be read no more.
   *
   * @return true once it, or its {@link BlockFiles}, is closed
   */
  public boolean isClosed() {
    return closed || files.closed;
  }

  void requireOpen() {
    if (isClosed()) {
      throw hasBeenClosed(null);
    }
  }

  IllegalStateException hasBeenClosed(@Nullable Throwable cause) {
    return new IllegalStateException("file must not be closed: closed=true, file=" + this, cause);
  }

  @Override
  public String toString() {
    return "CachedFile[" + key + ", length=" + length + ", source=" + source + "]";
  }
}
