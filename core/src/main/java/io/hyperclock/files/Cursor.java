/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Reads a file, or a part of it, at any position. A cursor remembers the block it was in and reads
 * it again without asking the cache, but holds nothing: it looks after each read whether the block
 * was still there, and if not looks it up again. So it need not be closed, and may be forgotten.
 *
 * <pre>{@code
 * Cursor cursor = cachedFile.cursor();  // one for each thread
 * int length = cursor.readInt(offset);
 * cursor.read(offset + 4, bytes, 0, length);
 * }</pre>
 *
 * <p>Positions count from where the part begins. Numbers are little-endian. Each thread has its own
 * cursor; making one costs two small objects.
 *
 * <p>All reads throw {@link EOFException} where they would go past the end or before the beginning,
 * {@link IllegalStateException} once the file or its {@link BlockFiles} is closed (reads within a
 * block that the cursor is in may still succeed), and what the source throws.
 */
public final class Cursor extends CurrentBlock {
  Cursor(CachedFile file, ReadMode mode, long base, long length) {
    super(file, mode, base, length);
  }

  /**
   * A cursor of the same range and mode, for another thread or another place: it starts in the same
   * block.
   *
   * @return a new cursor
   */
  public Cursor copy() {
    return part(0, length());
  }

  /**
   * A cursor of a part, which starts in the same block.
   *
   * @param offset where the part begins in this one's
   * @param length bytes of the part
   * @return a new cursor
   * @throws IndexOutOfBoundsException if the part is not inside
   */
  public Cursor part(long offset, long length) {
    if (offset < 0 || length < 0 || offset > length() - length) {
      throw new IndexOutOfBoundsException(
          "a part must be inside: offset=" + offset + ", length=" + length + ", of=" + length());
    }
    Cursor part = new Cursor(file, mode, base + offset, length);
    part.startWhere(this, offset);
    return part;
  }

  /**
   * Length of the file, or of the part of it.
   *
   * @return bytes
   */
  public long length() {
    return length;
  }

  /**
   * Loads a range for later, as {@link CachedFile#prefetch}. Only a cursor that admits does so.
   *
   * @param position where the range begins
   * @param bytes its length; what lies outside is ignored
   * @return whether something was missing and is being loaded
   */
  public boolean prefetch(long position, long bytes) {
    long from = Math.min(Math.max(0, position), length);
    long end = position + Math.max(0, bytes);
    long to = end < position ? length : Math.min(length, end);
    return mode == ReadMode.ADMIT && file.prefetch(base + from, to - from);
  }

  /**
   * Reads a byte.
   *
   * @param position in the file or part
   * @return the byte
   * @throws IOException see above
   */
  public byte readByte(long position) throws IOException {
    long at = position - start;
    if ((position | at | limit - Byte.BYTES - at) >= 0) {
      byte value = bytes.get((int) (position + skew));
      if (block.isValid()) {
        return value;
      }
    }
    return (byte) search(position, Byte.BYTES);
  }

  /**
   * Reads two bytes.
   *
   * @param position in the file or part
   * @return a number
   * @throws IOException see above
   */
  public short readShort(long position) throws IOException {
    long at = position - start;
    long last = limit - Short.BYTES;
    if ((position | at | last | last - at) >= 0) {
      short value = bytes.getShort((int) (position + skew));
      if (block.isValid()) {
        return value;
      }
    }
    return (short) find(position, Short.BYTES);
  }

  /**
   * Reads four bytes.
   *
   * @param position in the file or part
   * @return a number
   * @throws IOException see above
   */
  public int readInt(long position) throws IOException {
    long at = position - start;
    long last = limit - Integer.BYTES;
    if ((position | at | last | last - at) >= 0) {
      int value = bytes.getInt((int) (position + skew));
      if (block.isValid()) {
        return value;
      }
    }
    return (int) find(position, Integer.BYTES);
  }

  /**
   * Reads eight bytes.
   *
   * @param position in the file or part
   * @return a number
   * @throws IOException see above
   */
  public long readLong(long position) throws IOException {
    long at = position - start;
    long last = limit - Long.BYTES;
    if ((position | at | last | last - at) >= 0) {
      long value = bytes.getLong((int) (position + skew));
      if (block.isValid()) {
        return value;
      }
    }
    return find(position, Long.BYTES);
  }

  /** A number in another block, which this need not move to. */
  private long find(long position, int size) throws IOException {
    BlockTable.Place passed = passing(position, size);
    if (passed != null) {
      long value = number(passed.memory, passed.offset + offsetInBlock(position), size);
      if (passed.block.isValid()) {
        return value;
      }
    }
    return search(position, size);
  }

  /** Moves to the block; a number that lies in two blocks is read byte by byte. */
  private long search(long position, int size) throws IOException {
    if (crosses(position, size)) {
      long value = 0;
      for (int i = 0; i < size; i++) {
        value |= (readByte(position + i) & 0xFFL) << i * Byte.SIZE;
      }
      return value;
    }
    for (; ; ) {
      moveTo(position, size);
      long value = number(bytes, (int) (position + skew), size);
      if (block.isValid()) {
        return value;
      }
    }
  }

  private static long number(ByteBuffer from, int at, int size) {
    return switch (size) {
      case Byte.BYTES -> from.get(at);
      case Short.BYTES -> from.getShort(at);
      case Integer.BYTES -> from.getInt(at);
      default -> from.getLong(at);
    };
  }

  /**
   * Reads bytes into an array. Blocks that are missing next to each other are read together.
   *
   * @param position in the file or part
   * @param into takes the bytes
   * @param offset where in the array
   * @param count how many
   * @throws IOException see above; the array is then partly filled
   */
  public void read(long position, byte[] into, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, into.length);
    requireInside(position, count);
    for (int done = 0; done < count; ) {
      long at = position + done - start;
      if (at >= 0 && at < limit) {
        int part = (int) Math.min(count - done, limit - at);
        bytes.get((int) (position + done + skew), into, offset + done, part);
        if (block.isValid()) {
          done += part;
          continue;
        }
      }
      moveTo(position + done, count - done);
    }
  }

  /**
   * Reads longs into an array.
   *
   * @param position in the file or part
   * @param into takes the numbers
   * @param offset where in the array
   * @param count how many
   * @throws IOException see above; the array is then partly filled
   */
  public void read(long position, long[] into, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, into.length);
    requireInside(position, (long) count * Long.BYTES);
    for (int done = 0; done < count; ) {
      long from = position + (long) done * Long.BYTES;
      int part = whole(from, count - done, Long.BYTES);
      int at = (int) (from + skew);
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
   * @param position in the file or part
   * @param into takes the numbers
   * @param offset where in the array
   * @param count how many
   * @throws IOException see above; the array is then partly filled
   */
  public void read(long position, int[] into, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, into.length);
    requireInside(position, (long) count * Integer.BYTES);
    for (int done = 0; done < count; ) {
      long from = position + (long) done * Integer.BYTES;
      int part = whole(from, count - done, Integer.BYTES);
      int at = (int) (from + skew);
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

  @Override
  public String toString() {
    return "Cursor[" + mode + ", " + file + "]";
  }
}
