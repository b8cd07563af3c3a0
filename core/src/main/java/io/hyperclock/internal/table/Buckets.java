/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.hash.ProductHash;

/**
 * Where keys may lie: each in one of two buckets, chosen by two parts of its hash, and nowhere
 * else. The two are never the same.
 *
 * <p>Bits of the hash: shards are chosen by the high half, first buckets by the low half from its
 * top down, tags are the lowest eight bits; second buckets are chosen by all of it, mixed once
 * more.
 *
 * <p>Source: MemC3 (Fan, Andersen, Kaminsky, NSDI 2013); changed: nothing is ever moved, since in a
 * cache an entry may leave instead.
 */
public record Buckets(int count, long seedHi, long seedLo) {
  /** Fewest buckets of a table. */
  public static final int LEAST = 2;

  private static final long REMIX = 0x9E3779B97F4A7C15L;

  /**
   * Buckets of one table.
   *
   * @param count any number from {@value #LEAST} on
   */
  public Buckets(int count, long seed) {
    this(count, ProductHash.seedHi(seed), ProductHash.seedLo(seed));
  }

  /** Buckets with this hash of keys and another number of buckets. */
  public Buckets withCount(int other) {
    return new Buckets(other, seedHi, seedLo);
  }

  /** Hash of a key, for the other methods. */
  public long hash(long hi, long lo) {
    return ProductHash.hash(hi ^ seedHi, lo ^ seedLo);
  }

  /**
   * Shard of a hash.
   *
   * @param shards any number
   */
  public static int shard(long hash, int shards) {
    return (int) ((hash >>> 32) * shards >>> 32);
  }

  /** One bucket of a key. */
  public int first(long hash) {
    return (int) ((hash & 0xffffffffL) * count >>> 32);
  }

  /** The other bucket of a key. */
  public int second(long hash) {
    int other = (int) ((hash * REMIX >>> 32) * (count - 1) >>> 32);
    return other < first(hash) ? other : other + 1;
  }
}
