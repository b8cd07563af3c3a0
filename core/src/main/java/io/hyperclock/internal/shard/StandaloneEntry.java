/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.slot.ChargeWord;

/** An entry outside the table, charged, and freed by the release that leaves no reference. */
final class StandaloneEntry extends OffTableEntry {
  private final Object value;

  /** An entry with one reference, whose charge the shard has on its ledger. */
  StandaloneEntry(Shard shard, long hi, long lo, Object value, long cold) {
    super(shard, hi, lo, cold);
    this.value = value;
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
