/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;
import org.junit.jupiter.api.Nested;

/** Off-heap slots, strict, 1 shard. */
final class OffHeapStrictTest extends OneShardVariantTest {
  OffHeapStrictTest() {
    super(new Variant(SlotStorage.OFF_HEAP, CapacityMode.STRICT, 1));
  }

  @Nested
  class PinCount extends PinCountContractTest {
    PinCount() {
      super(tested);
    }
  }
}
