/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.internal.slot.ChargeWord;

/**
 * What a lookup found whose value was just being exchanged in its slot. The collector owns the
 * value and the slot goes on without it, so it is not charged any more and nothing is freed when
 * its last handle is released.
 */
public final class OverwrittenEntry extends OffTableEntry {
  /** An entry with one reference. */
  OverwrittenEntry(HandleSupport shard, long hi, long lo, long cold) {
    super(shard, hi, lo, cold);
  }

  @Override
  public boolean isStandalone() {
    return false;
  }

  @Override
  public boolean adjustCharge(int slot, long newChargeBytes) {
    ChargeWord.requireCharge(newChargeBytes);
    cold.set(ChargeWord.withCharge(cold.get(), newChargeBytes));
    return true;
  }

  @Override
  public boolean release(int slot, boolean useful, boolean eraseIfLast) {
    references.getAndDecrement();
    return false;
  }

  @Override
  public void reportDoubleClose(int slot) {
    shard.reportDoubleClose("overwritten entry", hi, lo);
  }
}
