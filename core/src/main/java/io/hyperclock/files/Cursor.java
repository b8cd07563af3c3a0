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

/**
 * Reads a file at any position. A cursor remembers the block it was in and reads it again without
 * asking the cache, but holds nothing: it looks after each read whether the block was still there,
 * and if not looks it up again. So it need not be closed, and may be forgotten.
 *
 * <pre>{@code
 * Cursor cursor = cachedFile.cursor();  // one for each thread
 * int length = cursor.readInt(offset);
 * cursor.read(offset + 4, bytes, 0, length);
 * }</pre>
 *
 * <p>Numbers are little-endian. Each thread has its own cursor; making one costs two small objects.
 *
 * <p>All reads throw {@link EOFException} where they would go past the end or before the beginning,
 * {@link IllegalStateException} once the file or its {@link BlockFiles} is closed (reads within a
 * block that the cursor is in may still succeed), and what the source throws.
 */
public final class Cursor {
  private static final PooledBuffer NOTHING = PooledBuffer.unpooled(0);
  private static final int MAX_OWN_BYTES = 64 << 10;

  private final CachedFile file;
  private final BlockLoads loads;
  private final ReadMode mode;
  private final int shift;

  private PooledBuffer block = NOTHING;
  private ByteBuffer bytes = NOTHING.bytes();

  /** Position in the file of the first of the bytes. */
  private long start;

  /** Bytes that may be read, 0 if the block is to be looked up first. */
  private int limit;

  private long lastIndex = -2;
  private int repeats;
  private int window = 1;
  private PooledBuffer own = NOTHING;

  Cursor(CachedFile file, ReadMode mode) {
    this.file = file;
    this.loads = file.loads();
    this.mode = mode;
    this.shift = file.shift();
  }

  /**
   * A cursor of the same file and mode, for another thread or another place: it starts in the same
   * block.
   *
   * @return a new cursor
   */
  public Cursor copy() {
    Cursor copy = new Cursor(file, mode);
    if (block != own) {
      copy.block = block;
      copy.bytes = bytes;
      copy.start = start;
      copy.limit = limit;
    }
    return copy;
  }

  /**
   * Length of the file.
   *
   * @return bytes
   */
  public long length() {
    return file.length();
  }

  /**
   * Reads a byte.
   *
   * @param position in the file
   * @return the byte
   * @throws IOException see above
   */
  public byte readByte(long position) throws IOException {
    for (; ; ) {
      long at = position - start;
      if (at >= 0 && at < limit) {
        byte value = bytes.get((int) at);
        if (block.isValid()) {
          return value;
        }
      }
      resolve(position, 1);
    }
  }

  /**
   * Reads two bytes.
   *
   * @param position in the file
   * @return a number
   * @throws IOException see above
   */
  public short readShort(long position) throws IOException {
    for (; ; ) {
      long at = position - start;
      if (at >= 0 && at <= limit - Short.BYTES) {
        short value = bytes.getShort((int) at);
        if (block.isValid()) {
          return value;
        }
      } else if (crosses(position, Short.BYTES)) {
        return (short) (readByte(position) & 0xFF | readByte(position + 1) << 8);
      }
      resolve(position, Short.BYTES);
    }
  }

  /**
   * Reads four bytes.
   *
   * @param position in the file
   * @return a number
   * @throws IOException see above
   */
  public int readInt(long position) throws IOException {
    for (; ; ) {
      long at = position - start;
      if (at >= 0 && at <= limit - Integer.BYTES) {
        int value = bytes.getInt((int) at);
        if (block.isValid()) {
          return value;
        }
      } else if (crosses(position, Integer.BYTES)) {
        return readShort(position) & 0xFFFF | readShort(position + 2) << 16;
      }
      resolve(position, Integer.BYTES);
    }
  }

  /**
   * Reads eight bytes.
   *
   * @param position in the file
   * @return a number
   * @throws IOException see above
   */
  public long readLong(long position) throws IOException {
    for (; ; ) {
      long at = position - start;
      if (at >= 0 && at <= limit - Long.BYTES) {
        long value = bytes.getLong((int) at);
        if (block.isValid()) {
          return value;
        }
      } else if (crosses(position, Long.BYTES)) {
        return readInt(position) & 0xFFFFFFFFL | (long) readInt(position + 4) << 32;
      }
      resolve(position, Long.BYTES);
    }
  }

  /**
   * Reads bytes into an array. Blocks that are missing next to each other are read together.
   *
   * @param position in the file
   * @param into takes the bytes
   * @param offset where in the array
   * @param count how many
   * @throws IOException see above; the array is then partly filled
   */
  public void read(long position, byte[] into, int offset, int count) throws IOException {
    java.util.Objects.checkFromIndexSize(offset, count, into.length);
    requireInside(position, count);
    for (int done = 0; done < count; ) {
      long at = position + done - start;
      if (at >= 0 && at < limit) {
        int part = (int) Math.min(count - done, limit - at);
        bytes.get((int) at, into, offset + done, part);
        if (block.isValid()) {
          done += part;
          continue;
        }
      }
      resolve(position + done, count - done);
    }
  }

  /**
   * Reads longs into an array.
   *
   * @param position in the file
   * @param into takes the numbers
   * @param offset where in the array
   * @param count how many
   * @throws IOException see above; the array is then partly filled
   */
  public void read(long position, long[] into, int offset, int count) throws IOException {
    java.util.Objects.checkFromIndexSize(offset, count, into.length);
    requireInside(position, (long) count * Long.BYTES);
    for (int done = 0; done < count; ) {
      long from = position + (long) done * Long.BYTES;
      int part = whole(from, count - done, Long.BYTES);
      int at = (int) (from - start);
      for (int i = 0; i < part; i++) {
        into[offset + done + i] = bytes.getLong(at + i * Long.BYTES);
      }
      if (part > 0 && block.isValid()) {
        done += part;
      } else {
        into[offset + done++] = readLong(from);
      }
    }
  }

  /**
   * Reads ints into an array.
   *
   * @param position in the file
   * @param into takes the numbers
   * @param offset where in the array
   * @param count how many
   * @throws IOException see above; the array is then partly filled
   */
  public void read(long position, int[] into, int offset, int count) throws IOException {
    java.util.Objects.checkFromIndexSize(offset, count, into.length);
    requireInside(position, (long) count * Integer.BYTES);
    for (int done = 0; done < count; ) {
      long from = position + (long) done * Integer.BYTES;
      int part = whole(from, count - done, Integer.BYTES);
      int at = (int) (from - start);
      for (int i = 0; i < part; i++) {
        into[offset + done + i] = bytes.getInt(at + i * Integer.BYTES);
      }
      if (part > 0 && block.isValid()) {
        done += part;
      } else {
        into[offset + done++] = readInt(from);
      }
    }
  }

  /** How many of some numbers lie in the bytes at hand, as a whole. */
  private int whole(long position, int count, int size) {
    long at = position - start;
    return at < 0 || at >= limit ? 0 : (int) Math.min(count, (limit - at) / size);
  }

  private void requireInside(long position, long count) throws IOException {
    if (position < 0 || count > file.length() - position) {
      throw outside(position, count);
    }
  }

  private EOFException outside(long position, long count) {
    return new EOFException(
        "a read must be inside the file: position="
            + position
            + ", bytes="
            + count
            + ", length="
            + file.length()
            + ", file="
            + file);
  }

  /** Whether some bytes do not lie in one block. */
  private boolean crosses(long position, int size) throws IOException {
    requireInside(position, size);
    return (position & ((1L << shift) - 1)) + size > 1L << shift;
  }

  /** Moves to the block of a position. */
  private void resolve(long position, long wanted) throws IOException {
    long index = position >>> shift;
    if (mode != ReadMode.BYPASS
        && index != lastIndex
        && position >= 0
        && position < file.length()
        && !file.isClosed()) {
      PooledBuffer recent = loads.recent(index << shift, mode == ReadMode.ADMIT);
      if (recent != null) {
        file.counters().hits.increment();
        lastIndex = index;
        repeats = 0;
        use(recent, index << shift);
        return;
      }
    }
    search(position, wanted);
  }

  private void search(long position, long wanted) throws IOException {
    limit = 0;
    file.requireOpen();
    requireInside(position, 1);
    long index = position >>> shift;
    boolean next = index == lastIndex + 1;
    repeats = index == lastIndex ? repeats + 1 : 0;
    lastIndex = index;
    long from = index << shift;
    if (mode != ReadMode.BYPASS) {
      PooledBuffer found = loads.find(from, mode == ReadMode.ADMIT);
      if (found != null && repeats < 3) {
        file.counters().hits.increment();
        if (mode == ReadMode.ADMIT) {
          loads.remember(from, found);
        }
        use(found, from);
        return;
      }
      if (mode == ReadMode.ADMIT) {
        load(from, blocksToLoad(position, wanted, next));
        return;
      }
    }
    readOwn(from, next);
  }

  private void use(PooledBuffer found, long from) {
    block = found;
    bytes = found.bytes();
    start = from;
    limit = found.length();
  }

  private int blocksToLoad(long position, long wanted, boolean next) {
    int most = file.maxReadAhead();
    window = next && most > 0 ? Math.min(most, window * 2) : 1;
    long spanned = (position + wanted - 1 >>> shift) - (position >>> shift) + 1;
    return (int) Math.min(file.maxWindow(), Math.max(spanned, window));
  }

  private void load(long from, int blocks) throws IOException {
    file.counters().misses.increment();
    Handle<PooledBuffer> held = file.load(from, blocks);
    if (held == null) {
      readOwn(from, false);
      return;
    }
    try {
      PooledBuffer loaded = held.value();
      if (held.isStandalone() || repeats > 1) {
        // It goes when the pin ends, or has gone twice before it could be read.
        copyOwn(loaded, from);
      } else {
        loads.remember(from, loaded);
        use(loaded, from);
      }
    } finally {
      held.close();
    }
  }

  private void copyOwn(PooledBuffer loaded, long from) {
    own(loaded.length()).bytes().put(0, loaded.bytes(), 0, loaded.length());
    useOwn(from, loaded.length());
  }

  /** Reads past the cache; more at a time if the cursor goes on in order. */
  private void readOwn(long from, boolean next) throws IOException {
    int size = 1 << shift;
    if (next) {
      size = Math.max(size, Math.min(MAX_OWN_BYTES, 2 * own.capacity()));
    }
    int length = (int) Math.min(size, file.length() - from);
    ByteBuffer into = own(length).bytes().duplicate().position(0).limit(length);
    file.counters().uncachedReads.increment();
    file.read(from, into);
    lastIndex = from + length - 1 >>> shift;
    useOwn(from, length);
  }

  private PooledBuffer own(int length) {
    if (own.capacity() < length) {
      own = PooledBuffer.unpooled(Math.max(length, (int) Math.min(1L << shift, file.length())));
    }
    return own;
  }

  private void useOwn(long from, int length) {
    block = own;
    bytes = own.bytes();
    start = from;
    limit = length;
  }

  @Override
  public String toString() {
    return "Cursor[" + mode + ", " + file + "]";
  }
}
