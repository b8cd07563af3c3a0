/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.handle.StandaloneEntry;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Insertion;
import org.jspecify.annotations.Nullable;

/**
 * Writes whose value the caller holds when they return: by a pin of its entry, or outside the table
 * where no entry could be had. Under strict capacity such a value is refused instead.
 */
final class PinnedWrites {
  private PinnedWrites() {}

  /** Adds a value unless its key is present. */
  static <V> Handle<V> insert(
      Shard shard, long hi, long lo, long hash, V value, long cold, Priority priority) {
    int slot = shard.add(hi, lo, hash, value, cold, priority, true);
    if (slot >= 0) {
      return shard.held.handle(slot, value);
    }
    if (slot == ClockTable.LEFT) {
      return insert(shard.newest(), hi, lo, hash, value, cold, priority);
    }
    if (slot == Shard.NO_ROOM && shard.ledger.isStrict()) {
      throw refused(shard, hi, lo, cold);
    }
    shard.ledger.addUsage(slot == Shard.NO_ROOM ? ChargeWord.chargeBytes(cold) : 0);
    return StandaloneEntry.create(shard.handles, hi, lo, value, cold);
  }

  /**
   * Adds a value in place of an older one of its key. Without room the older one has to go first.
   *
   * @param again whether to try again, once, when it has gone
   */
  static <V> Handle<V> put(
      Shard shard,
      long hi,
      long lo,
      long hash,
      V value,
      long cold,
      Priority priority,
      boolean again) {
    StackReserve.require();
    long charge = ChargeWord.chargeBytes(cold);
    boolean isOversize = shard.enforcer.isOversize(charge);
    int outcome =
        isOversize
            ? Shard.NO_ROOM
            : shard.overwrite(hi, lo, hash, value, cold, priority, true, true, null);
    if (outcome >= 0) {
      return shard.held.handle(outcome & ~Insertion.OVER_OLDER, value);
    }
    if (outcome == ClockTable.LEFT) {
      return put(shard.newest(), hi, lo, hash, value, cold, priority, again);
    }
    if (shard.ledger.isStrict()) {
      throw refused(shard, hi, lo, cold);
    }
    if (shard.table.erase(hi, lo, hash) && again && !isOversize) {
      return put(shard, hi, lo, hash, value, cold, priority, false);
    }
    if (outcome == ClockTable.NO_SLOT) {
      shard.stats.withoutSlot.increment();
    }
    shard.ledger.addUsage(charge);
    return StandaloneEntry.create(shard.handles, hi, lo, value, cold);
  }

  /** Makes an entry outside the table; null if strict capacity refused it. */
  static <V> @Nullable Handle<V> createStandalone(
      Shard shard, long hi, long lo, V value, long cold, boolean allowUncharged) {
    StackReserve.requireLittle();
    if (shard.enforcer.reserveUsage(ChargeWord.chargeBytes(cold))) {
      return StandaloneEntry.create(shard.handles, hi, lo, value, cold);
    }
    if (shard.isLeft()) {
      return createStandalone(shard.newest(), hi, lo, value, cold, allowUncharged);
    }
    if (allowUncharged) {
      return StandaloneEntry.create(shard.handles, hi, lo, value, ChargeWord.withCharge(cold, 0));
    }
    shard.refused(hi, lo, cold);
    return null;
  }

  private static CapacityExceededException refused(Shard shard, long hi, long lo, long cold) {
    shard.refused(hi, lo, cold);
    return shard.capacityExceeded(ChargeWord.chargeBytes(cold));
  }
}
