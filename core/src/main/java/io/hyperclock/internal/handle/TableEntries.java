/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.ClockTable;
import java.util.Objects;

/** The entries of one shard as handles see them. The pin of the handle keeps the slot's tenant. */
public final class TableEntries implements PinTarget {
  private final HandleSupport shard;
  private final ClockTable table;
  private final SlotProtocol slots;
  private final SlotStore store;
  private final Replacement replacement;

  public TableEntries(HandleSupport shard, ClockTable table, Replacement replacement) {
    this.shard = shard;
    this.table = table;
    this.slots = table.slots();
    this.store = slots.store();
    this.replacement = replacement;
  }

  @Override
  public long keyHi(int slot) {
    return store.keyHiOpaque(slot);
  }

  @Override
  public long keyLo(int slot) {
    return store.keyLoOpaque(slot);
  }

  @Override
  public long chargeBytes(int slot) {
    return ChargeWord.chargeBytes(table.coldOf(slot));
  }

  @Override
  public long chargeBytesSoon(int slot) {
    return ChargeWord.chargeBytes(table.coldSoon(slot));
  }

  @Override
  public EntryType<?> type(int slot) {
    return shard.types().of(store.coldAcquire(slot));
  }

  @Override
  public boolean isStandalone() {
    return false;
  }

  @Override
  public void ref(int slot) {
    if (!slots.ref(slot)) {
      throw ClockTable.tooManyPins();
    }
  }

  @Override
  public boolean adjustCharge(int slot, long newChargeBytes) {
    return shard.adjustCharge(
        () -> table.coldOf(slot),
        (expected, changed) -> {
          boolean done = table.compareAndSetColdOf(slot, expected, changed);
          if (done) {
            replacement.recharged(expected, changed);
          }
          return done;
        },
        newChargeBytes);
  }

  @Override
  public boolean release(int slot, boolean useful, boolean eraseIfLast) {
    if (eraseIfLast || !MetaWord.isVisible(store.metaOpaque(slot))) {
      // To free the entry takes more stack than the step that decides on it.
      StackReserve.requireLittle();
    } else {
      StackReserve.requireToRelease();
    }
    // Not through the table: what leads to the slot is loaded again behind the pin.
    boolean owned = slots.release(slot, useful, eraseIfLast);
    return owned && table.free(slot, useful, eraseIfLast);
  }

  /** Returns if there is stack to pin an entry and to make its handle, or to let go of the pin. */
  public void requireStackToPin() {
    if (shard.tracker() == null) {
      StackReserve.requireToPin();
    } else {
      StackReserve.require();
    }
  }

  @Override
  public <V> Handle<V> handle(int slot, V value) {
    return handleOn(this, slot, value);
  }

  /** A handle on what is pinned, here or elsewhere; the pin is given back if it cannot be made. */
  public <V> Handle<V> handleOn(PinTarget target, int slot, V value) {
    try {
      return shard.tracked(new PinnedHandle<>(target, slot, value));
    } catch (Throwable e) {
      if (target == this) {
        table.release(slot, false);
      } else {
        target.release(slot, false, false);
      }
      throw e;
    }
  }

  /**
   * A handle on the value that a pinned slot shows, even if another takes its place meanwhile; ends
   * the pin. The charge is read first: no thread changes it while an exchange is under way. A value
   * that is freed explicitly is never exchanged: the thread that is inside came for a former tenant
   * of the slot, and the handle keeps the pin. Not tracked yet.
   */
  public <V> PinnedHandle<V> pinnedValue(int slot) {
    long cold = table.coldSoon(slot);
    if (shard.types().of(cold).disposer() != null) {
      return pinned(slot);
    }
    V value = value(slot);
    try {
      PinTarget overwritten =
          new StandaloneEntry(shard, store.keyHiOpaque(slot), store.keyLoOpaque(slot), null, cold);
      return new PinnedHandle<>(overwritten, 0, value);
    } finally {
      table.release(slot, true);
    }
  }

  /** A handle that is tracked if that is wanted; released if it cannot be tracked. */
  public <V> Handle<V> trackedOrReleased(PinnedHandle<V> handle) {
    try {
      return shard.tracked(handle);
    } catch (Throwable e) {
      // Not discard(): where the stack ends there may be no room for its frame.
      handle.release(false, false);
      throw e;
    }
  }

  /** An untracked handle on a pinned slot; the pin is given back if it cannot be made. */
  public <V> PinnedHandle<V> pinned(int slot) {
    try {
      return new PinnedHandle<>(this, slot, value(slot));
    } catch (Throwable e) {
      table.release(slot, false);
      throw e;
    }
  }

  /** The value of a pinned slot. */
  @SuppressWarnings("unchecked")
  public <V> V value(int slot) {
    return (V) Objects.requireNonNull(store.valueAcquire(slot));
  }

  @Override
  public void reportDoubleClose(int slot) {
    shard.reportDoubleClose("slot " + slot + ", now with key", keyHi(slot), keyLo(slot));
  }
}
