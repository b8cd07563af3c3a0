/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.CapacityMode;
import io.hyperclock.SlotStorage;
import org.junit.jupiter.api.Nested;

/** Heap slots, non-strict, 1 shard. */
final class HeapNonStrictTest extends OneShardVariantTest {
  HeapNonStrictTest() {
    super(new Variant(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  @Nested
  class PinCount extends PinCountContractTest {
    PinCount() {
      super(tested);
    }
  }
}
