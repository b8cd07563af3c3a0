/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

class ReferenceVersionedCacheTest extends VersionedGroupContractTest {
  @Override
  VersionedCache<String> newCache() {
    return new ReferenceVersionedCache<>(
        MAX_PREPARES, LEASE_NANOS, () -> now, (hi, lo) -> (int) (lo % NAMESPACES));
  }
}
