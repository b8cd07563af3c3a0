/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.hash.BijectiveHash;
import io.hyperclock.internal.hash.ProductHash;

/**
 * Where the entries of a key may lie: its hash, home slot and the order in which slots are probed.
 * Immutable.
 *
 * <p><b>Paired</b> (the default): a bucket is the two slots of one cache line; both are probed,
 * then double hashing goes on to the next bucket. The number of buckets is prime, so that every
 * increment visits every bucket, and it can be as close to what the capacity needs as primes are.
 *
 * <p><b>RocksDB</b>: a power of two of slots, an odd increment, RocksDB's own hash.
 */
public final class Probing {
  private static final long REMIX = 0x9E3779B97F4A7C15L;

  private final int slots;
  private final boolean paired;
  private final int pair;
  private final long seed;
  private final ProductHash product;

  private Probing(int slots, boolean paired, long seed) {
    this.slots = slots;
    this.paired = paired;
    this.pair = paired ? 1 : 0;
    this.seed = seed;
    this.product = new ProductHash(seed);
  }

  /**
   * Pairs of slots.
   *
   * @param slots twice a prime, or 2
   */
  public static Probing paired(int slots, long seed) {
    return new Probing(slots, true, seed);
  }

  /**
   * RocksDB's fixed table.
   *
   * @param slots a power of two
   */
  public static Probing rocksDb(int slots, long seed) {
    return new Probing(slots, false, seed);
  }

  /**
   * Which slot of the home pair to look at first: the home slot if its key has this low word, else
   * the other one; the home slot where there are no pairs. Without a branch.
   */
  public int likely(int home, long keyLoAtHome, long lo) {
    long difference = keyLoAtHome ^ lo;
    return home ^ (int) ((difference | -difference) >>> 63) & pair;
  }

  /** Number of slots. */
  public int slots() {
    return slots;
  }

  /** Hash of a key, for the other methods. */
  public long hash(long hi, long lo) {
    return paired ? product.hash(hi, lo) : BijectiveHash.word0(hi, lo, seed);
  }

  /** Shard of a hash: any number of shards when paired, a power of two otherwise. */
  public int shard(long hash, int shards) {
    return paired ? (int) ((hash >>> 32) * shards >>> 32) : (int) (hash >>> 32) & (shards - 1);
  }

  /** First slot to probe. */
  public int home(long hash, long hi, long lo) {
    return paired
        ? (int) ((hash & 0xffffffffL) * slots >>> 32)
        : (int) BijectiveHash.word1(hi, lo, seed) & (slots - 1);
  }

  /** Distance for {@link #next}. */
  public int increment(long hash) {
    if (!paired) {
      return (int) (hash | 1) & (slots - 1);
    }
    int buckets = slots >>> 1;
    return 2 * (1 + (int) ((hash * REMIX >>> 32) * (buckets - 1) >>> 32));
  }

  /** Third slot of a path: where there are pairs, the first of the next one. */
  public int third(int home, long hash) {
    int increment = increment(hash);
    return next(next(home, increment, 0), increment, 1);
  }

  /** Slot to probe after {@code slot}, which was the {@code step}-th from 0. */
  public int next(int slot, int increment, int step) {
    if (paired && (step & 1) == 0) {
      return slot ^ 1;
    }
    int next = slot + increment;
    return next >= slots ? next - slots : next;
  }
}
