/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

class HeapSlotsTest extends SlotsContractTest {
  @Override
  SlotStore newStore(int slots) {
    return new HeapSlotStore(slots);
  }
}
