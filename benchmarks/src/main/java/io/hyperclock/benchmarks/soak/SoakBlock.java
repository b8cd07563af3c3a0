/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A value that knows which key and version it is of, and cannot be read once it is freed. */
final class SoakBlock {
  private static final AtomicIntegerFieldUpdater<SoakBlock> FREES =
      AtomicIntegerFieldUpdater.newUpdater(SoakBlock.class, "frees");
  private static final int WORDS = 4;
  private static final long POISON = 0xDEAD_F4EE_DEAD_F4EEL;

  final long hi;
  final long lo;
  final long version;

  /** Whether a disposer must free it. */
  final boolean counted;

  private final String origin;
  private final long[] words = new long[WORDS];

  @SuppressWarnings("unused")
  private volatile int frees;

  private volatile @Nullable String freedBy;

  SoakBlock(long hi, long lo, long version, boolean counted, String origin) {
    this.hi = hi;
    this.lo = lo;
    this.version = version;
    this.counted = counted;
    this.origin = origin;
    for (int i = 0; i < WORDS; i++) {
      words[i] = word(i);
    }
  }

  private long word(int i) {
    long mixed = (hi ^ Long.rotateLeft(lo, 21) ^ Long.rotateLeft(version, 42)) + i;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    return mixed ^ mixed >>> 27;
  }

  /** Takes note of a free and spoils the contents; false if it had been freed before. */
  boolean free() {
    if (!FREES.compareAndSet(this, 0, 1)) {
      return false;
    }
    freedBy = Thread.currentThread().getName();
    for (int i = 0; i < WORDS; i++) {
      words[i] = POISON;
    }
    return true;
  }

  boolean isFreed() {
    return frees != 0;
  }

  /** What is wrong with a value that must be whole, or null. */
  @Nullable String damage() {
    if (frees != 0) {
      return "was freed";
    }
    for (int i = 0; i < WORDS; i++) {
      if (words[i] != word(i)) {
        return words[i] == POISON ? "was freed" : "was changed";
      }
    }
    return null;
  }

  @Override
  public String toString() {
    String freed = freedBy == null ? "" : ", freed by " + freedBy;
    return "value of key %x:%x, version %d, made by %s%s".formatted(hi, lo, version, origin, freed);
  }
}
