/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.policy.RoomRequest;

/**
 * Puts new entries on the ledger of one shard: usage and occupancy, or neither.
 *
 * <p>Far from the limit of the occupancy it is raised at the end only, by the difference of what
 * came and what left, which is mostly nothing. Near it the place is reserved first, so that inserts
 * at once do not fill the last slots.
 */
public final class Arrivals {
  /** Inserts at once that may pass the limit together; the table has slots to spare for more. */
  private static final int AT_ONCE = 256;

  private final CapacityLedger ledger;
  private final Charging charging;
  private final long occupancyLimit;

  /**
   * Arrivals in one shard.
   *
   * @param occupancyLimit entries from which on each new one must evict another
   */
  public Arrivals(CapacityLedger ledger, Charging charging, long occupancyLimit) {
    this.ledger = ledger;
    this.charging = charging;
    this.occupancyLimit = occupancyLimit;
  }

  /** A request for the room of one entry, to be ended. */
  public RoomRequest request(long charge) {
    return charging.requests().begin(charge);
  }

  /**
   * Raises occupancy and usage for a new entry, or neither.
   *
   * @param room the entry's charge; takes what left. If true is returned, only the replacement and
   *     the statistics have still to be told of it
   */
  public boolean charge(RoomRequest room) {
    boolean reserves = ledger.occupancy() + AT_ONCE > occupancyLimit;
    boolean needSlot = reserves && ledger.getAndAddOccupancy(1) >= occupancyLimit;
    if (!reserves) {
      room.arrives();
    }
    boolean charged = false;
    try {
      charged = charge(room, needSlot);
    } finally {
      int arrived = charged ? 1 : 0;
      int reserved = reserves ? 1 : 0;
      ledger.addOccupancyUnlessZero(arrived - reserved - room.takeOwedEntries());
      if (!charged) {
        charging.tell(room);
        room.end();
      }
    }
    return charged;
  }

  private boolean charge(RoomRequest room, boolean needSlot) {
    long charge = room.chargeBytes();
    if (charging.charge(charge, needSlot, room)) {
      return true;
    }
    // Others may have evicted what this sweep was to find.
    return needSlot && ledger.occupancy() <= occupancyLimit && charging.charge(charge, false, room);
  }
}
