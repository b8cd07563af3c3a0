/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import io.hyperclock.SlotStorage;
import org.junit.jupiter.api.Tag;

@Tag("versioned")
class HeapVersionedCacheTest extends VersionedGroupContractTest {
  @Override
  VersionedCache<String> newCache() {
    return VersionedCaches.forContract(SlotStorage.HEAP, () -> now);
  }
}
