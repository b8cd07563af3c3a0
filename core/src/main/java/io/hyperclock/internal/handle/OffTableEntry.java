/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.table.ClockTable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What handles pin outside the table: reachable through them only, so a plain reference count is
 * enough. It can only grow from a held reference.
 */
abstract class OffTableEntry implements PinTarget {
  final HandleSupport shard;
  final long hi;
  final long lo;
  final AtomicLong cold;
  final AtomicInteger references = new AtomicInteger(1);

  /** An entry with one reference. */
  OffTableEntry(HandleSupport shard, long hi, long lo, long cold) {
    this.shard = shard;
    this.hi = hi;
    this.lo = lo;
    this.cold = new AtomicLong(cold);
  }

  @Override
  public final long keyHi(int slot) {
    return hi;
  }

  @Override
  public final long keyLo(int slot) {
    return lo;
  }

  @Override
  public final long chargeBytes(int slot) {
    return ChargeWord.chargeBytes(cold.get());
  }

  @Override
  public final EntryType<?> type(int slot) {
    return shard.type(cold.get());
  }

  @Override
  public final void ref(int slot) {
    if (references.getAndIncrement() >= MetaWord.MAX_PINS) {
      references.getAndDecrement();
      throw ClockTable.tooManyPins();
    }
  }
}
