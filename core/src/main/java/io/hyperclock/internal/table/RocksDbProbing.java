/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.hash.BijectiveHash;

/**
 * RocksDB's fixed table: a power of two of slots, an odd increment, RocksDB's own hash.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable}.
 */
public final class RocksDbProbing extends Probing {
  private final long seed;

  private RocksDbProbing(int slots, long seed) {
    super(slots);
    this.seed = seed;
  }

  /**
   * Single slots.
   *
   * @param slots a power of two
   */
  public static Probing create(int slots, long seed) {
    return new RocksDbProbing(slots, seed);
  }

  @Override
  public int pair() {
    return 0;
  }

  @Override
  public long hash(long hi, long lo) {
    return BijectiveHash.word0(hi, lo, seed);
  }

  /** {@inheritDoc} A power of two of them. */
  @Override
  public int shard(long hash, int shards) {
    return (int) (hash >>> 32) & (shards - 1);
  }

  @Override
  public int home(long hash, long hi, long lo) {
    return (int) BijectiveHash.word1(hi, lo, seed) & (slots - 1);
  }

  @Override
  public int increment(long hash) {
    return (int) (hash | 1) & (slots - 1);
  }

  @Override
  public int next(int slot, int increment, int step) {
    return step(slot, increment);
  }
}
