/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

import java.nio.ByteBuffer;

/**
 * Makes blocks of bytes smaller and back, each block by itself. {@link Compression} has the ones
 * that come with this module.
 *
 * <p>Implementations must be thread-safe and must not keep the arrays they are given. What they
 * throw costs a declined insert or a miss. They need not detect damage: a tier checks a block
 * before it hands it back.
 */
public interface Compressor {
  /** Smallest {@link #id()} of a compressor that does not come with this module. */
  int MIN_FOREIGN_ID = 16;

  /** Largest {@link #id()}. */
  int MAX_ID = 127;

  /**
   * What tells the blocks of this compressor from others.
   *
   * @return the same in [{@link #MIN_FOREIGN_ID}, {@link #MAX_ID}] at every call
   */
  int id();

  /**
   * A short name for statistics and messages.
   *
   * @return the name, not blank
   */
  String name();

  /**
   * Room that {@link #compress} needs at worst.
   *
   * @param rawBytes size of a block, at least 1
   * @return bytes
   */
  int maxCompressedLength(int rawBytes);

  /**
   * Compresses one block.
   *
   * @param raw holds the block
   * @param rawOffset where it begins
   * @param rawBytes its size, at least 1
   * @param target takes the compressed block from its start; at least {@link #maxCompressedLength}
   *     bytes long
   * @return size of the compressed block, or -1 if it would not be smaller than the block
   */
  int compress(byte[] raw, int rawOffset, int rawBytes, byte[] target);

  /**
   * Restores one block. The implementation MUST NOT write beyond {@code rawBytes}.
   *
   * @param packed holds the compressed block
   * @param packedOffset where it begins
   * @param packedBytes its size
   * @param target takes the block from its start
   * @param rawBytes size that the block had
   * @return number of bytes written; any other than {@code rawBytes} means that the block is
   *     damaged
   */
  int decompress(byte[] packed, int packedOffset, int packedBytes, byte[] target, int rawBytes);

  /**
   * Restores one block that is in a buffer, on the heap or outside of it. The same as {@link
   * #decompress(byte[], int, int, byte[], int)} of a copy of the block, which is what it does
   * unless it is overridden to save that copy.
   *
   * @param packed holds the compressed block; neither its position nor its limit is changed
   * @param packedOffset index of its first byte
   * @param packedBytes its size
   * @param target takes the block from its start
   * @param rawBytes size that the block had
   * @return number of bytes written; any other than {@code rawBytes} means that the block is
   *     damaged
   */
  default int decompress(
      ByteBuffer packed, int packedOffset, int packedBytes, byte[] target, int rawBytes) {
    byte[] copy = new byte[packedBytes];
    packed.get(packedOffset, copy);
    return decompress(copy, 0, packedBytes, target, rawBytes);
  }
}
