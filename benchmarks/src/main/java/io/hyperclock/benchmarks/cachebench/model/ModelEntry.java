/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench.model;

/**
 * An entry of {@link RocksDbModel}, in the table or, where it found no place, outside. Its shard's
 * lock guards what changes.
 *
 * @param <V> type of the value
 */
public final class ModelEntry<V> {
  final long hi;
  final long lo;
  final RocksDbHash hash;
  private final V value;

  /** Whether it can be found; never if it is outside the table. */
  boolean visible;

  /** Whether it is in a slot. */
  boolean placed;

  /** Its countdown if nobody holds it: then both counts are the same. */
  long acquires;

  long releases;

  ModelEntry(long hi, long lo, RocksDbHash hash, V value) {
    this.hi = hi;
    this.lo = lo;
    this.hash = hash;
    this.value = value;
  }

  /**
   * The value.
   *
   * @return what was inserted
   */
  public V value() {
    return value;
  }

  boolean isHeld() {
    return acquires != releases;
  }

  boolean shows(long hi, long lo) {
    return visible && this.hi == hi && this.lo == lo;
  }
}
