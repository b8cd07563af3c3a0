/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CapacityMode;
import io.hyperclock.EvictionListener;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.sizing.TableSizing;
import org.jspecify.annotations.Nullable;

/**
 * Checked settings of a cache.
 *
 * @param estimatedEntryCharge 0 if the tables are to size themselves
 * @param shards number of shards, 0 for the default
 * @param automatic what is known, if the tables size themselves
 */
public record CacheConfig<V>(
    long capacityBytes,
    long estimatedEntryCharge,
    CapacityMode mode,
    int shards,
    int evictionEffortCap,
    MetadataCharge metadataCharge,
    SlotStorage storage,
    ReplacementPolicy policy,
    HashSeed seed,
    boolean recordHits,
    EntryType<? super V> defaultType,
    @Nullable EvictionListener<? super V> evictionListener,
    ObserverNotifier.Settings observation,
    AutomaticSizing automatic)
    implements TableSizing.Settings {
  @Override
  public long initialEntries() {
    return automatic.initialEntries();
  }

  /** Charge of a loaded value of which neither loader nor codec knows one. */
  long loadCharge() {
    return isAutomatic() ? automatic.loadCharge() : estimatedEntryCharge;
  }

  /** Whether the tables size themselves. */
  boolean isAutomatic() {
    return estimatedEntryCharge == 0;
  }
}
