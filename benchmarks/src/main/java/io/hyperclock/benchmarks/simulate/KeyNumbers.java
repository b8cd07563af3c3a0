/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

/**
 * Numbers keys 0, 1, 2, … by first appearance: a hash table with linear probing, at most half full.
 * Not thread-safe.
 */
final class KeyNumbers {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private long[] keys = new long[1024];
  private int[] numbersPlusOne = new int[1024];
  private int size;

  /**
   * Number of a key, a new one if it has none.
   *
   * @param key any value
   * @return its number
   */
  int of(long key) {
    int slot = slot(key);
    if (numbersPlusOne[slot] == 0) {
      if (2 * size >= keys.length) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
      numbersPlusOne[slot] = ++size;
    }
    return numbersPlusOne[slot] - 1;
  }

  /**
   * Keys so far.
   *
   * @return a count
   */
  int size() {
    return size;
  }

  private int slot(long key) {
    long mixed = key * MIX;
    int slot = (int) (mixed ^ mixed >>> 32) & keys.length - 1;
    while (numbersPlusOne[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & keys.length - 1;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbersPlusOne;
    keys = new long[2 * oldKeys.length];
    numbersPlusOne = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        numbersPlusOne[slot] = oldNumbers[i];
      }
    }
  }
}
