/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.table.ClockTable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a lookup found whose value was just being exchanged in its slot. The collector owns the
 * value and the slot goes on without it, so it is not charged any more and nothing is freed when
 * its last handle is released.
 */
final class OverwrittenEntry implements HandleOwner {
  private final Shard shard;
  private final long hi;
  private final long lo;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile long cold;

  /** An entry with one reference. */
  OverwrittenEntry(Shard shard, long hi, long lo, long cold) {
    this.shard = shard;
    this.hi = hi;
    this.lo = lo;
    this.cold = cold;
  }

  @Override
  public long keyHi(int slot) {
    return hi;
  }

  @Override
  public long keyLo(int slot) {
    return lo;
  }

  @Override
  public long chargeBytes(int slot) {
    return Cold.chargeBytes(cold);
  }

  @Override
  public EntryType<?> type(int slot) {
    return shard.type(cold);
  }

  @Override
  public boolean isStandalone() {
    return false;
  }

  @Override
  public void ref(int slot) {
    if (references.getAndIncrement() >= Meta.MAX_PINS) {
      references.getAndDecrement();
      throw ClockTable.tooManyPins();
    }
  }

  @Override
  public boolean adjustCharge(int slot, long newChargeBytes) {
    CacheConfig.requireCharge(newChargeBytes);
    cold = Cold.withCharge(cold, newChargeBytes);
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
