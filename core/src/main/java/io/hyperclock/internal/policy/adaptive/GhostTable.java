/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers how often keys have come and were used: four 16-bit cells a word, the newest lowest.
 *
 * <pre>
 *  15         6 5      4 3         0
 * +------------+--------+-----------+
 * | fingerprint| epoch  | frequency |      0: empty
 * +------------+--------+-----------+
 * </pre>
 *
 * <p>A guess, not a record: two keys may share a fingerprint, an old entry may look fresh after
 * four epochs, and where two threads change one word at once one of the changes is lost.
 */
final class GhostTable {
  private static final int CELL_BITS = 16;
  private static final int CELLS = Long.SIZE / CELL_BITS;
  private static final long CELL_MASK = (1L << CELL_BITS) - 1;
  private static final int EPOCH_SHIFT = 4;
  private static final int EPOCH_MASK = 3;
  private static final int FINGERPRINT_SHIFT = 6;
  private static final int FINGERPRINTS = (1 << (CELL_BITS - FINGERPRINT_SHIFT)) - 1;

  static final int NOWHERE = -1;

  private final AtomicLongArray words;

  /** Empty, with room for four times {@code words}. */
  GhostTable(int words) {
    this.words = new AtomicLongArray(words);
  }

  /** A table of another size that knows the same keys, as far as it has room for them. */
  GhostTable resized(int words) {
    GhostTable other = new GhostTable(words);
    long present = this.words.length();
    for (int i = 0; i < words; i++) {
      // Opaque: what is remembered meanwhile is lost. The index grows with the hash.
      other.words.setOpaque(i, this.words.getOpaque((int) (i * present / words)));
    }
    return other;
  }

  private int index(long mixed) {
    return (int) ((mixed >>> 32) * words.length() >>> 32);
  }

  private static long fingerprint(long mixed) {
    return 1 + ((mixed & 0xffffffffL) * FINGERPRINTS >>> 32);
  }

  /**
   * How often a key has come or was used.
   *
   * @param mixed its hash, all bits of which count
   * @return its frequency as of an epoch, or {@link #NOWHERE}
   */
  int frequency(long mixed, long epoch) {
    // Opaque: a stale word costs one remembered key.
    long word = words.getOpaque(index(mixed));
    int shift = find(word, fingerprint(mixed));
    return shift < 0 ? NOWHERE : frequencyOf(word >>> shift & CELL_MASK, epoch);
  }

  /** Remembers how often a key has come or was used, as the newest of its word. */
  void remember(long mixed, int frequency, long epoch) {
    int index = index(mixed);
    // Opaque: a stale word costs one remembered key.
    long word = words.getOpaque(index);
    int found = find(word, fingerprint(mixed));
    int shift = found < 0 ? leaving(word, epoch) : found;
    long cell =
        fingerprint(mixed) << FINGERPRINT_SHIFT | (epoch & EPOCH_MASK) << EPOCH_SHIFT | frequency;
    // Opaque: of two changes at once one is lost, a key more or fewer is remembered.
    words.setOpaque(index, without(word, shift) << CELL_BITS | cell);
  }

  private static int find(long word, long fingerprint) {
    for (int shift = 0; shift < Long.SIZE; shift += CELL_BITS) {
      if ((word >>> shift & CELL_MASK) >>> FINGERPRINT_SHIFT == fingerprint) {
        return shift;
      }
    }
    return NOWHERE;
  }

  private static int leaving(long word, long epoch) {
    int oldest = (CELLS - 1) * CELL_BITS;
    int next = oldest - CELL_BITS;
    // No cell is less frequent than an empty one.
    return frequencyOf(word >>> next & CELL_MASK, epoch) < frequencyOf(word >>> oldest, epoch)
        ? next
        : oldest;
  }

  /** The word without one cell; the older ones move down. */
  private static long without(long word, int shift) {
    long newer = (1L << shift) - 1;
    return word & newer | word >>> CELL_BITS & ~newer;
  }

  private static int frequencyOf(long cell, long epoch) {
    int written = (int) (cell >>> EPOCH_SHIFT) & EPOCH_MASK;
    return (int) (cell & PolicyBits.MAX_FREQUENCY) >>> (epoch - written & EPOCH_MASK);
  }
}
