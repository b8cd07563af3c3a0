/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.AskedRoom;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;

/**
 * The room of a table whose sums a test sets as it likes, and whose policy tells what it is asked.
 */
final class RoomFixture {
  static final long CAPACITY = 10_240;
  static final long METADATA = 40;
  static final int LIMIT = 1000;

  final CapacityLedger ledger;
  final AskedRoom room = new AskedRoom();
  final Buckets buckets;
  final SlotProtocol slots;
  final ClockTable table;
  final Figure effort = new Figure();
  final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
  final CapacityEnforcer enforcer;

  /** A table with so many slots. */
  RoomFixture(CapacityLedger ledger, int slotCount) {
    this.ledger = ledger;
    this.buckets = new Buckets(slotCount / 8, 7);
    this.slots = new SlotProtocol(new HeapSlotStore(8 * buckets.count()), 1);
    SilentCallbacks callbacks = new SilentCallbacks() {};
    ValueRelease release = new ValueRelease(ledger, callbacks, reclaimer);
    this.table =
        new ClockTable(buckets, slots, release, room, callbacks, null, TableView.FIXED, null);
    this.enforcer =
        new CapacityEnforcer(ledger, release, room, table, slots, LIMIT, 1, effort, null);
  }

  /** A shard's sums. */
  static CapacityLedger ledger(boolean strict) {
    return new CapacityLedger(CAPACITY, strict, METADATA);
  }

  /** Sets both sums. */
  void use(long usage, int entries) {
    ledger.addUsage(usage - ledger.usage());
    ledger.addOccupancyUnlessZero(entries - ledger.occupancy());
  }

  /** Raises the sums for a new entry; whether there was room. */
  static boolean reserve(CapacityEnforcer enforcer, long charge) {
    EvictionRequest request = enforcer.request(charge);
    boolean reserved = enforcer.reserveSlotAndUsage(request);
    if (reserved) {
      enforcer.end(request);
    }
    return reserved;
  }

  /** An entry that is on no sum. */
  void insert(long key, long charge, boolean pinned) {
    long hash = buckets.hash(0, key);
    long meta = MetaWord.visible(0, pinned, true, 0);
    EvictionRequest request = new EvictionRequest(charge);
    int slot =
        table.insertion().insert(0, key, hash, "v", ChargeWord.of(0, charge), meta, 0, request);
    assertThat(slot).isNotNegative();
  }

  /** Held entries without a charge, on no sum. */
  void hold(int entries) {
    for (int i = 0; i < entries; i++) {
      insert(1000 + i, 0, true);
    }
  }

  /** Makes a sweep find too little, so that all that is there by now counts as pinned. */
  void findTooLittle() {
    room.left = bytes -> -1;
    room.looks = 5000;
    enforcer.reserveUsage(100);
    assertThat(room.asked).hasSize(1);
    room.asked.clear();
    room.left = bytes -> bytes;
  }
}
