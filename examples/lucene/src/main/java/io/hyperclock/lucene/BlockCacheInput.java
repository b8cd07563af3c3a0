/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lucene;

import io.hyperclock.files.CachedFile;
import io.hyperclock.files.Cursor;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * A part of a cached file. Lucene forgets clones and slices, so an input holds nothing but a
 * cursor. Closing the input that was opened closes the file, and with it all inputs made from it.
 */
final class BlockCacheInput extends IndexInput implements RandomAccessInput {
  /** How many floats are read at a time, which takes 1 KiB. */
  private static final int MOST_FLOATS = 256;

  private static final int[] NO_BITS = {};

  private final CachedFile file;
  private final boolean opened;
  private final long length;

  /** Null once this is closed, which is thus found out without a look at each read. */
  private @Nullable Cursor cursor;

  private long position;

  /** Floats that are read, as numbers. */
  private int[] bits = NO_BITS;

  BlockCacheInput(String description, CachedFile file, Cursor cursor) {
    this(description, file, true, cursor);
  }

  private BlockCacheInput(String description, CachedFile file, boolean opened, Cursor cursor) {
    super(description);
    this.file = file;
    this.opened = opened;
    this.cursor = cursor;
    this.length = cursor.length();
  }

  @Override
  public byte readByte() throws IOException {
    byte value = readByte(position);
    position++;
    return value;
  }

  @Override
  public byte readByte(long at) throws IOException {
    try {
      return cursor.readByte(at);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
  }

  @Override
  public short readShort() throws IOException {
    short value = readShort(position);
    position += Short.BYTES;
    return value;
  }

  @Override
  public short readShort(long at) throws IOException {
    try {
      return cursor.readShort(at);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
  }

  @Override
  public int readInt() throws IOException {
    int value = readInt(position);
    position += Integer.BYTES;
    return value;
  }

  @Override
  public int readInt(long at) throws IOException {
    try {
      return cursor.readInt(at);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
  }

  @Override
  public long readLong() throws IOException {
    long value = readLong(position);
    position += Long.BYTES;
    return value;
  }

  @Override
  public long readLong(long at) throws IOException {
    try {
      return cursor.readLong(at);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
  }

  @Override
  public void readBytes(byte[] into, int offset, int count) throws IOException {
    readBytes(position, into, offset, count);
    position += count;
  }

  /**
   * Reads bytes at a position into an array. Lucene 10 calls it.
   *
   * @param at where the bytes begin in this input
   * @param into takes the bytes
   * @param offset where in the array
   * @param count how many
   */
  public void readBytes(long at, byte[] into, int offset, int count) throws IOException {
    try {
      cursor.read(at, into, offset, count);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
  }

  @Override
  public void readLongs(long[] into, int offset, int count) throws IOException {
    try {
      cursor.read(position, into, offset, count);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
    position += (long) count * Long.BYTES;
  }

  @Override
  public void readInts(int[] into, int offset, int count) throws IOException {
    try {
      cursor.read(position, into, offset, count);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
    position += (long) count * Integer.BYTES;
  }

  @Override
  public void readFloats(float[] into, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, into.length);
    if (bits.length < count && bits.length < MOST_FLOATS) {
      bits = new int[Math.min(count, MOST_FLOATS)];
    }
    for (int done = 0; done < count; ) {
      int part = Math.min(count - done, bits.length);
      readInts(bits, 0, part);
      for (int i = 0; i < part; i++) {
        into[offset + done + i] = Float.intBitsToFloat(bits[i]);
      }
      done += part;
    }
  }

  private IOException outside(long at) {
    if (at < 0) {
      throw new IllegalArgumentException("negative position: position=" + at + ", input=" + this);
    }
    return new EOFException("read past EOF: position=" + at + ", input=" + this);
  }

  private RuntimeException closedOr(RuntimeException failure) {
    return failure instanceof NullPointerException && cursor != null ? failure : closed(failure);
  }

  private AlreadyClosedException closed(@Nullable Throwable cause) {
    return new AlreadyClosedException("already closed: " + this, cause);
  }

  @Override
  public long getFilePointer() {
    return position;
  }

  @Override
  public void seek(long to) throws IOException {
    if (to < 0 || to > length) {
      throw outside(to);
    }
    position = to;
  }

  @Override
  public long length() {
    return length;
  }

  /**
   * Loads a range for later. Lucene 10 calls it.
   *
   * @param offset where the range begins in this input
   * @param count its length
   */
  public void prefetch(long offset, long count) throws IOException {
    if (offset < 0 || count < 0 || offset > length - count) {
      throw new EOFException(
          "prefetch past EOF: offset=" + offset + ", count=" + count + ", input=" + this);
    }
    try {
      cursor.prefetch(offset, count);
    } catch (IllegalStateException | NullPointerException e) {
      throw closedOr(e);
    }
  }

  @Override
  public BlockCacheInput clone() {
    BlockCacheInput clone = part(toString(), 0, length);
    clone.position = position;
    return clone;
  }

  @Override
  public BlockCacheInput slice(String description, long offset, long count) {
    if (offset < 0 || count < 0 || offset > length - count) {
      throw new IllegalArgumentException(
          "slice() "
              + description
              + " out of bounds: offset="
              + offset
              + ", length="
              + count
              + ", of="
              + length
              + ": "
              + this);
    }
    return part(getFullSliceDescription(description), offset, count);
  }

  private BlockCacheInput part(String description, long offset, long count) {
    if (cursor == null || file.isClosed()) {
      throw closed(null);
    }
    return new BlockCacheInput(description, file, false, cursor.part(offset, count));
  }

  @Override
  public void close() throws IOException {
    cursor = null;
    if (opened) {
      file.close();
    }
  }
}
