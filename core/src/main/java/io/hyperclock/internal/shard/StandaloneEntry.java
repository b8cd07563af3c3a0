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
import java.util.concurrent.atomic.AtomicLong;

/**
 * An entry outside the table: reachable through its handles only, so a plain reference count is
 * enough. It can only grow from a held reference and is freed by the step that makes it zero.
 */
final class StandaloneEntry implements HandleOwner {
  private final Shard shard;
  private final long hi;
  private final long lo;
  private final Object value;
  private final AtomicLong cold;
  private final AtomicInteger references = new AtomicInteger(1);

  /** An entry with one reference, whose charge the shard has on its ledger. */
  StandaloneEntry(Shard shard, long hi, long lo, Object value, long cold) {
    this.shard = shard;
    this.hi = hi;
    this.lo = lo;
    this.value = value;
    this.cold = new AtomicLong(cold);
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
    return Cold.chargeBytes(cold.get());
  }

  @Override
  public EntryType<?> type(int slot) {
    return shard.type(cold.get());
  }

  @Override
  public boolean isStandalone() {
    return true;
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
    return shard.adjustCharge(
        cold::get,
        (expected, changed) -> {
          boolean swapped = cold.compareAndSet(expected, changed);
          if (swapped) {
            long difference = Cold.chargeBytes(changed) - Cold.chargeBytes(expected);
            shard.ledger().addStandaloneUsage(difference);
          }
          return swapped;
        },
        newChargeBytes);
  }

  @Override
  public boolean release(int slot, boolean useful, boolean eraseIfLast) {
    if (references.decrementAndGet() != 0) {
      return false;
    }
    long charge = Cold.chargeBytes(cold.get());
    shard.ledger().removeStandalone(charge);
    shard.dispose(hi, lo, value, cold.get());
    return true;
  }

  @Override
  public void reportDoubleClose(int slot) {
    shard.reportDoubleClose("standalone entry", hi, lo);
  }
}
