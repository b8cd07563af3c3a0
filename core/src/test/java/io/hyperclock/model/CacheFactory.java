/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.BlockCache;
import io.hyperclock.EvictionListener;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.entry.EntryType;
import java.util.List;

/** Where the model gets its caches from: the real ones, or broken ones that prove the model. */
interface CacheFactory {
  BlockCache<ModelValue> make(
      ModelSettings settings,
      long hashSeed,
      EntryType<ModelValue> defaultType,
      EvictionListener<ModelValue> listener);

  /** What the cache's own checker says while nothing else happens; empty if it is whole. */
  List<String> violations(BlockCache<?> cache);

  /**
   * Whether a handle holds a value alone, which an exchange took out of its entry while the lookup
   * met it: such a value is neither charged nor counted.
   */
  default boolean isOverwritten(Handle<?> handle) {
    return false;
  }

  /** A cache from the builder. */
  static BlockCache<ModelValue> build(
      ModelSettings settings,
      long hashSeed,
      EntryType<ModelValue> defaultType,
      EvictionListener<ModelValue> listener) {
    return BlockCache.<ModelValue>builder()
        .capacityBytes(settings.capacityBytes())
        .estimatedEntryCharge(ModelSettings.ENTRY_BYTES)
        .capacityMode(settings.mode())
        .shards(settings.shards())
        .metadataCharge(settings.metadataCharge())
        .storage(settings.storage())
        .hashSeed(HashSeed.fixed(hashSeed))
        .recordHits(true)
        .replacementPolicy(settings.replacement())
        .defaultType(defaultType)
        .evictionListener(listener)
        .build();
  }
}
