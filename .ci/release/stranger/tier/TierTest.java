/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package stranger;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.SecondaryCacheContractTest;

/** Holds a tier to the contract, as the author of a tier would. */
final class TierTest extends SecondaryCacheContractTest {
  @Override
  protected SecondaryCache open(long capacityBytes) {
    return new MapSecondaryCache(capacityBytes);
  }
}
