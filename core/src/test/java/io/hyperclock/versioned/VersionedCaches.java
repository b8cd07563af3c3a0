/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import io.hyperclock.MetadataCharge;
import io.hyperclock.SlotStorage;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Caches for tests. */
final class VersionedCaches {
  private VersionedCaches() {}

  /** A cache in which as many prepares may be in flight as the contract wants. */
  static VersionedCache<String> forContract(SlotStorage storage, LongSupplier clock) {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    VersionedCache<String> cache =
        builder
            .capacityBytes(100_000)
            .estimatedEntryCharge(100)
            .metadataCharge(MetadataCharge.NONE)
            .storage(storage)
            .maxPreparedShare((VersionedCacheContractTest.MAX_PREPARES + 0.5) / 1438)
            .lease(Duration.ofNanos(VersionedCacheContractTest.LEASE_NANOS))
            .nanoClock(clock)
            .namespaces(
                VersionedCacheContractTest.NAMESPACES,
                (hi, lo) -> (int) (lo % VersionedCacheContractTest.NAMESPACES))
            .build();
    if (cache.monitor().stats().maxPrepares() != VersionedCacheContractTest.MAX_PREPARES) {
      throw new IllegalStateException(
          "slots have changed: slots=" + cache.monitor().stats().slots());
    }
    return cache;
  }
}
