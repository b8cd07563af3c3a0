/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.slot.ChargeWord;

/** An entry outside the table, charged, and freed by the release that leaves no reference. */
public final class StandaloneEntry extends OffTableEntry {
  private final Object value;

  /** An entry with one reference, whose charge the shard has on its ledger. */
  StandaloneEntry(HandleSupport shard, long hi, long lo, Object value, long cold) {
    super(shard, hi, lo, cold);
    this.value = value;
  }

  /** A handle on a new entry, whose charge is already in the usage. */
  public static <V> Handle<V> create(HandleSupport shard, long hi, long lo, V value, long cold) {
    CapacityLedger ledger = shard.ledger();
    try {
      StandaloneEntry entry = new StandaloneEntry(shard, hi, lo, value, cold);
      Handle<V> handle = shard.tracked(new PinnedHandle<>(entry, 0, value));
      ledger.addStandaloneUsage(ChargeWord.chargeBytes(cold));
      return handle;
    } catch (Throwable e) {
      ledger.addUsage(-ChargeWord.chargeBytes(cold));
      throw e;
    }
  }

  @Override
  public boolean isStandalone() {
    return true;
  }

  @Override
  public boolean adjustCharge(int slot, long newChargeBytes) {
    return shard.adjustCharge(
        cold::get,
        (expected, changed) -> {
          boolean swapped = cold.compareAndSet(expected, changed);
          if (swapped) {
            long difference = ChargeWord.chargeBytes(changed) - ChargeWord.chargeBytes(expected);
            shard.ledger().addStandaloneUsage(difference);
          }
          return swapped;
        },
        newChargeBytes);
  }

  @Override
  public boolean release(int slot, boolean useful, boolean eraseIfLast) {
    int before;
    do {
      before = references.get();
      if (before == 1) {
        StackReserve.requireLittle();
      }
    } while (!references.compareAndSet(before, before - 1));
    if (before != 1) {
      return false;
    }
    long charge = ChargeWord.chargeBytes(cold.get());
    shard.ledger().removeStandalone(charge);
    shard.dispose(hi, lo, value, cold.get());
    return true;
  }

  @Override
  public void reportDoubleClose(int slot) {
    shard.reportDoubleClose("standalone entry", hi, lo);
  }
}
