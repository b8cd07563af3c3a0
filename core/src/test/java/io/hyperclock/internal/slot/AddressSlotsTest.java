/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.hyperclock.internal.slot.AllMemory#isUsable")
class AddressSlotsTest extends SlotsContractTest {
  @Override
  SlotStore newStore(int slots) {
    return new AddressSlotStore(slots);
  }
}
