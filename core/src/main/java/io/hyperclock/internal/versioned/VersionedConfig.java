/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.shard.CacheConfig;
import io.hyperclock.internal.shard.Observation;
import io.hyperclock.internal.shard.TableSizing;
import io.hyperclock.versioned.NamespaceFunction;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Checked settings of a cache of two versions.
 *
 * @param shards number of shards, 0 for the default
 */
public record VersionedConfig(
    long capacityBytes,
    long estimatedEntryCharge,
    CapacityMode mode,
    int shards,
    MetadataCharge metadataCharge,
    SlotStorage storage,
    ReplacementPolicy policy,
    HashSeed seed,
    double maxPreparedShare,
    Duration lease,
    LongSupplier nanoClock,
    int namespaces,
    NamespaceFunction namespaceOf) {
  static final int EFFORT_CAP = 30;

  /** Sizes of the tables: those of a plain cache with these settings. */
  TableSizing sizing() {
    return TableSizing.of(
        new CacheConfig<>(
            capacityBytes,
            estimatedEntryCharge,
            mode,
            shards,
            EFFORT_CAP,
            metadataCharge,
            storage,
            policy,
            seed,
            false,
            EntryType.of("version"),
            null,
            new Observation.Settings(null, LeakDetection.off(), lease)));
  }

  /** Refuses a capacity out of range. */
  public static long requireCapacity(long capacityBytes) {
    return TableSizing.requireCapacity(capacityBytes);
  }
}
