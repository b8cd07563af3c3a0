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
import io.hyperclock.internal.sizing.TableSizing;
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
    NamespaceFunction namespaceOf)
    implements TableSizing.Settings {
  static final int EFFORT_CAP = 30;
}
