/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.keys;

/**
 * Key of a block: a file's number and an offset. Caches that take two longs get the words, caches
 * that take objects get instances.
 *
 * @param file number of the file
 * @param offset place of the block in it
 */
public record KeyObject(long file, long offset) {
  private static final int BLOCKS_PER_FILE_BITS = 12;
  private static final int BLOCK_BITS = 14;
  private static final long FIRST_FILE = 1001;

  /**
   * File of the block with a number: 4096 blocks a file.
   *
   * @param number number of a key
   * @return the key's high word
   */
  public static long file(int number) {
    return FIRST_FILE + (number >>> BLOCKS_PER_FILE_BITS);
  }

  /**
   * Offset of the block with a number: blocks of 16 KiB.
   *
   * @param number number of a key
   * @return the key's low word
   */
  public static long offset(int number) {
    return (long) (number & ((1 << BLOCKS_PER_FILE_BITS) - 1)) << BLOCK_BITS;
  }

  /**
   * Key with a number.
   *
   * @param number number of a key
   * @return a new key
   */
  public static KeyObject of(int number) {
    return new KeyObject(file(number), offset(number));
  }

  /**
   * Number of this key.
   *
   * @return what {@link #of} made it from
   */
  public int number() {
    return number(file, offset);
  }

  /**
   * Number of a key.
   *
   * @param file what {@link #file} returned
   * @param offset what {@link #offset} returned
   * @return the number
   */
  public static int number(long file, long offset) {
    return (int) ((file - FIRST_FILE) << BLOCKS_PER_FILE_BITS | offset >>> BLOCK_BITS);
  }

  @Override
  public int hashCode() {
    long h = (file * 0x9E3779B97F4A7C15L + offset) * 0xD6E8FEB86659FD93L;
    return (int) (h ^ (h >>> 32));
  }
}
