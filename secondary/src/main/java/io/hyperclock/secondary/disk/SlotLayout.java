/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

/**
 * The bits of a slot of the index. 0 is an empty slot; a taken one has a size class, so is not 0.
 *
 * <pre>
 *  63  62                47 - x  46 - x    40 - x  39 - x       20 - x  19 - x          0
 *  +---+---------------------+--------------------+-------------------+------------------+
 *  |hit| fingerprint  16 + x |    size class 7    |     region 20     |  offset  20 - x  |
 *  +---+---------------------+--------------------+-------------------+------------------+
 * </pre>
 *
 * <p>Offsets count units of 64 bytes; {@code x} is what a region smaller than 64 MiB leaves of
 * them. The size class is the size of the record in units, rounded up to a number of four
 * significant bits: {@code class = exponent * 8 + mantissa}. Immutable.
 */
final class SlotLayout {
  static final int UNIT = 64;
  static final int MAX_REGIONS = 1 << 20;

  /** Units of the largest size class: 15 MiB. */
  static final int MAX_UNITS = units(127);

  private static final long HIT = 1L << 63;
  private static final int REGION_BITS = 20;
  private static final int CLASS_BITS = 7;
  private static final long REGION_MASK = (1L << REGION_BITS) - 1;
  private static final long CLASS_MASK = (1L << CLASS_BITS) - 1;

  private final long offsetMask;
  private final int regionShift;
  private final int classShift;
  private final int printShift;
  private final long printMask;

  SlotLayout(int regionBytes) {
    regionShift = 32 - Integer.numberOfLeadingZeros(regionBytes / UNIT - 1);
    offsetMask = (1L << regionShift) - 1;
    classShift = regionShift + REGION_BITS;
    printShift = classShift + CLASS_BITS;
    printMask = (1L << 63 - printShift) - 1;
  }

  /**
   * Checks that a capacity is of regions that can be numbered, and of two at least.
   *
   * @throws IllegalArgumentException if it is not
   */
  static void requireRegions(long capacityBytes, int regionBytes) {
    String values = ": capacityBytes=" + capacityBytes + ", regionBytes=" + regionBytes;
    if (capacityBytes > 0 && capacityBytes / 2 < regionBytes) {
      throw new IllegalArgumentException("capacityBytes must be 0 or >= 2 * regionBytes" + values);
    }
    if (capacityBytes > (long) MAX_REGIONS * regionBytes) {
      throw new IllegalArgumentException(
          "capacityBytes must be <= " + MAX_REGIONS + " * regionBytes" + values);
    }
  }

  long slot(long hash, int region, int offset, int bytes) {
    return (hash & printMask) << printShift
        | (long) sizeClass(bytes / UNIT) << classShift
        | (long) region << regionShift
        | offset / UNIT;
  }

  boolean hasPrint(long slot, long hash) {
    return slot != 0 && ((slot >>> printShift ^ hash) & printMask) == 0;
  }

  int region(long slot) {
    return (int) (slot >>> regionShift & REGION_MASK);
  }

  int offset(long slot) {
    return (int) (slot & offsetMask) * UNIT;
  }

  /** Size of the record or a little more. */
  int bytes(long slot) {
    return units((int) (slot >>> classShift & CLASS_MASK)) * UNIT;
  }

  /** Size of the smallest record of the slot's size class; 0 for none. */
  int leastBytes(long slot) {
    int sizeClass = (int) (slot >>> classShift & CLASS_MASK);
    return sizeClass == 0 ? 0 : (units(sizeClass - 1) + 1) * UNIT;
  }

  static boolean isHit(long slot) {
    return (slot & HIT) != 0;
  }

  static long withHit(long slot) {
    return slot | HIT;
  }

  /** Whether two slots are of the same record, hit or not. */
  static boolean same(long slot, long other) {
    return ((slot ^ other) & ~HIT) == 0;
  }

  /** Smallest class with room for so many units, 1 to {@link #MAX_UNITS}. */
  static int sizeClass(int units) {
    if (units < 8) {
      return units;
    }
    int exponent = 31 - Integer.numberOfLeadingZeros(units) - 2;
    int mantissa = (units - 1 >>> exponent - 1) + 1 - 8;
    return (exponent << 3) + mantissa;
  }

  static int units(int sizeClass) {
    int exponent = sizeClass >>> 3;
    int mantissa = sizeClass & 7;
    return exponent == 0 ? mantissa : 8 + mantissa << exponent - 1;
  }
}
