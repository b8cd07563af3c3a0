/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Settings of a small, strict cache of one shard, without leases that end. */
final class StrictConfig {
  private StrictConfig() {}

  static VersionedConfig of(LongSupplier clock) {
    return new VersionedConfig(
        2000,
        100,
        CapacityMode.STRICT,
        1,
        MetadataCharge.NONE,
        SlotStorage.HEAP,
        ReplacementPolicy.CLASSIC,
        HashSeed.fixed(7),
        1,
        Duration.ofDays(1),
        clock,
        1,
        (hi, lo) -> 0);
  }
}
