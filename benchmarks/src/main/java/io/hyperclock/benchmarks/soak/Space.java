/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

/** A part of the keys with the same high word, such as a file, and the versions of its keys. */
final class Space {
  private static final int OFFSET_BITS = 12;

  final long hi;
  final SoakVersions versions;

  Space(long hi, SoakVersions versions) {
    this.hi = hi;
    this.versions = versions;
  }

  /** Low word of a key. */
  static long lo(int key) {
    return (long) key << OFFSET_BITS;
  }

  /** Key of a low word. */
  static int key(long lo) {
    return (int) (lo >>> OFFSET_BITS);
  }

  /** Whether a disposer must free the values of a key. */
  static boolean isCounted(int key) {
    return key % 3 != 0;
  }

  /** A key whose values belong to the collector, near another. */
  static int collected(int key) {
    return key - key % 3;
  }

  /**
   * What is wrong with a value that a read has found, or an empty string.
   *
   * @param key what was asked for
   * @param floor oldest version allowed when the read began
   * @param block what was found
   */
  String wrong(int key, long floor, SoakBlock block) {
    String damage = block.damage();
    if (damage != null) {
      return "found a value that " + damage;
    }
    if (block.hi != hi || block.lo != lo(key)) {
      return "found the value of another key than %x:%x".formatted(hi, lo(key));
    }
    if (block.version < floor) {
      return "found a version older than " + floor + ", which had taken its place";
    }
    if (block.version > versions.newest(key)) {
      return "found a version newer than " + versions.newest(key) + ", the newest begun";
    }
    return "";
  }
}
