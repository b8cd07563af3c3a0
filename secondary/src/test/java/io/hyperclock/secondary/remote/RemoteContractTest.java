/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.testing.SecondaryCacheContractTest;

class RemoteContractTest extends SecondaryCacheContractTest {
  @Override
  protected SecondaryCache open(long capacityBytes) {
    RemoteSecondaryCache tier =
        RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared())).build();
    tier.setCapacity(capacityBytes);
    return tier;
  }

  @Override
  protected boolean isInMemory() {
    return false;
  }

  @Override
  protected boolean countsEntries() {
    return false;
  }

  @Override
  protected int steps() {
    return 2_000;
  }
}
