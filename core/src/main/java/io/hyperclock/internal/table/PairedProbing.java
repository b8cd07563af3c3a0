/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.hash.ProductHash;

/**
 * The default: a bucket is the two slots of one cache line; both are probed, then double hashing
 * goes on to the next bucket. The number of buckets is prime, so that every increment visits every
 * bucket, and it can be as close to what the capacity needs as primes are.
 */
public final class PairedProbing extends Probing {
  private static final long REMIX = 0x9E3779B97F4A7C15L;

  private final long seedHi;
  private final long seedLo;

  private PairedProbing(int slots, long seed) {
    super(slots);
    this.seedHi = ProductHash.seedHi(seed);
    this.seedLo = ProductHash.seedLo(seed);
  }

  /**
   * Pairs of slots.
   *
   * @param slots twice a prime, or 2
   */
  public static Probing create(int slots, long seed) {
    return new PairedProbing(slots, seed);
  }

  @Override
  public int pair() {
    return 1;
  }

  @Override
  public long hash(long hi, long lo) {
    return ProductHash.hash(hi ^ seedHi, lo ^ seedLo);
  }

  /** {@inheritDoc} Any number of them. */
  @Override
  public int shard(long hash, int shards) {
    return (int) ((hash >>> 32) * shards >>> 32);
  }

  @Override
  public int home(long hash, long hi, long lo) {
    return (int) ((hash & 0xffffffffL) * slots >>> 32);
  }

  @Override
  public int increment(long hash) {
    int buckets = slots >>> 1;
    return 2 * (1 + (int) ((hash * REMIX >>> 32) * (buckets - 1) >>> 32));
  }

  @Override
  public int next(int slot, int increment, int step) {
    return (step & 1) == 0 ? slot ^ 1 : step(slot, increment);
  }
}
