/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What the stress classes of two versions share: a small cache, and values published by it only.
 */
final class TwoVersions {
  static final long CHARGE_BYTES = 1024;

  static final int MISS = 0;
  static final int OLD = 1;
  static final int NEW = 2;
  static final int IN_DOUBT = 3;

  private TwoVersions() {}

  /** Its number is written to a plain field on purpose: only the cache orders it. */
  static final class Value {
    private int number;

    Value(int number) {
      this.number = number;
    }
  }

  static VersionedCache<Value> cache() {
    VersionedCacheBuilder<Value> builder = VersionedCache.builder();
    return builder
        .capacityBytes(4 * CHARGE_BYTES)
        .estimatedEntryCharge(CHARGE_BYTES)
        .metadataCharge(MetadataCharge.NONE)
        .shards(1)
        .maxPreparedShare(1)
        .hashSeed(HashSeed.fixed(Keys.SEED))
        .nanoClock(() -> 0) // No lease ends, however long the machine stands still.
        .build();
  }

  static int number(@Nullable Value value) {
    return value == null ? MISS : value.number;
  }

  static int read(VersionedCache<Value> cache, long key) {
    try {
      return number(cache.get(Keys.HI, key));
    } catch (InDoubtException e) {
      return IN_DOUBT;
    }
  }
}
