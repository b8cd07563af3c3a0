/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import io.hyperclock.secondary.SecondaryCache;

final class MapSecondaryCacheTest extends SecondaryCacheContractTest {
  @Override
  protected SecondaryCache open(long capacityBytes) {
    return new MapSecondaryCache(capacityBytes);
  }
}
