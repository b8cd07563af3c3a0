/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.internal.table.Charging;

/** The room of one shard: what fits at all, and what it is charged with. */
final class VersionedRoom {
  private final CapacityLedger ledger;
  private final Charging charging;
  private final long occupancyLimit;

  VersionedRoom(CapacityLedger ledger, Charging charging, long occupancyLimit) {
    this.ledger = ledger;
    this.charging = charging;
    this.occupancyLimit = occupancyLimit;
  }

  boolean isOversize(long chargeBytes) {
    return !ledger.isStrict() && chargeBytes > ledger.capacity() - ledger.metadataBytes();
  }

  boolean charge(long chargeBytes) {
    return charging.charge(chargeBytes, false);
  }

  boolean chargeWithSlot(long chargeBytes) {
    boolean needSlot = ledger.getAndAddOccupancy(1) >= occupancyLimit;
    boolean charged = false;
    try {
      charged = charging.charge(chargeBytes, needSlot);
      // Others may have evicted what this sweep was to find.
      if (!charged && needSlot && ledger.occupancy() <= occupancyLimit) {
        charged = charging.charge(chargeBytes, false);
      }
    } finally {
      if (!charged) {
        ledger.getAndAddOccupancy(-1);
      }
    }
    return charged;
  }
}
