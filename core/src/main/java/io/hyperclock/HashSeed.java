/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.util.SplittableRandom;

/**
 * Where the seed of the key hash comes from. The hash of a key chooses its shard and its slots. So
 * a set of keys that crowds into few of them in one cache does not do so in one with another seed.
 *
 * <p>Source: RocksDB {@code ShardedCacheOptions::hash_seed}; changed: 64 bits, random by default.
 *
 * @param value the 64-bit seed
 */
public record HashSeed(long value) {
  /**
   * A seed of the caller's choice: the same order of slots in each run.
   *
   * @param value any value
   * @return the seed
   */
  public static HashSeed fixed(long value) {
    return new HashSeed(value);
  }

  /**
   * A new seed for each cache, the default.
   *
   * @return a random seed
   */
  public static HashSeed random() {
    return new HashSeed(new SplittableRandom().nextLong());
  }
}
