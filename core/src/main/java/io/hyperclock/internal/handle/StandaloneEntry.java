/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.table.ClockTable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What handles pin outside the table: reachable through them only, so a plain reference count is
 * enough. It can only grow from a held reference.
 *
 * <p>Either an entry that is charged, and freed by the release that leaves no reference. Or what a
 * lookup found whose value was just being exchanged in its slot: the collector owns the value and
 * the slot goes on without it, so it is not charged and nothing is freed.
 */
public final class StandaloneEntry implements PinTarget {
  private final HandleSupport shard;
  private final long hi;
  private final long lo;

  /** Null if it was overwritten in its slot. */
  private final @Nullable Object value;

  private final AtomicLong cold;
  private final AtomicInteger references = new AtomicInteger(1);

  /**
   * An entry, or what remains of one for a reader of its overwritten value.
   *
   * @param value null if it was overwritten
   */
  StandaloneEntry(HandleSupport shard, long hi, long lo, @Nullable Object value, long cold) {
    this.shard = shard;
    this.hi = hi;
    this.lo = lo;
    this.value = value;
    this.cold = new AtomicLong(cold);
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
  public long keyHi(int slot) {
    return hi;
  }

  @Override
  public long keyLo(int slot) {
    return lo;
  }

  @Override
  public long chargeBytes(int slot) {
    return ChargeWord.chargeBytes(cold.get());
  }

  @Override
  public EntryType<?> type(int slot) {
    return shard.types().of(cold.get());
  }

  @Override
  public boolean isStandalone() {
    return value != null;
  }

  @Override
  public void ref(int slot) {
    if (references.getAndIncrement() >= MetaWord.MAX_PINS) {
      references.getAndDecrement();
      throw ClockTable.tooManyPins();
    }
  }

  @Override
  public <V> Handle<V> handle(int slot, V value) {
    try {
      return shard.tracked(new PinnedHandle<>(this, slot, value));
    } catch (Throwable e) {
      release(slot, false, false);
      throw e;
    }
  }

  @Override
  public boolean adjustCharge(int slot, long newChargeBytes) {
    if (value == null) {
      ChargeWord.requireCharge(newChargeBytes);
      cold.set(ChargeWord.withCharge(cold.get(), newChargeBytes));
      return true;
    }
    return shard.adjustCharge(
        cold::get,
        (expected, changed) -> {
          // The one thread whose exchange succeeds adds its difference to the sum.
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
      // Release: uses of the value come before. Acquire: the last one sees all of them, then frees.
    } while (!references.compareAndSet(before, before - 1));
    if (before != 1) {
      return false;
    }
    if (value != null) {
      shard.ledger().removeStandalone(ChargeWord.chargeBytes(cold.get()));
      shard.callbacks().dispose(hi, lo, value, cold.get());
    }
    return value != null;
  }

  @Override
  public void reportDoubleClose(int slot) {
    shard.reportDoubleClose(value == null ? "overwritten entry" : "standalone entry", hi, lo);
  }
}
