/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.capacity;

import io.hyperclock.internal.observe.EntryCallbacks;
import io.hyperclock.internal.observe.RemovalCause;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.scope.RetiredValue;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of the values of one shard. A value goes at once unless it is freed explicitly and a read
 * scope is open that may have shown it to a reader: then it <em>retires</em>. A retired value keeps
 * its charge, as that of a standalone entry, until all scopes open at that moment have ended; then
 * the charge is taken off and the user's code is called.
 *
 * <p>Usage never goes down before it is known which of the two it will be, so that strict usage
 * stays within the capacity. The user's code runs last: slot and ledger are whole even if it
 * throws.
 */
public final class ValueRelease {
  private final CapacityLedger ledger;
  private final EntryCallbacks callbacks;
  final Reclaimer reclaimer;

  /** The departures from one shard. */
  public ValueRelease(CapacityLedger ledger, EntryCallbacks callbacks, Reclaimer reclaimer) {
    this.ledger = ledger;
    this.callbacks = callbacks;
    this.reclaimer = reclaimer;
  }

  /**
   * A value leaves with its entry of the table, whose slot is empty by now.
   *
   * @param request for which it leaves, or null; takes the sums that need not change at once
   * @param reserve made by {@link #reserve}: no step from here on needs memory
   */
  public void leaveTable(
      long hi,
      long lo,
      Object value,
      long cold,
      RemovalCause ending,
      @Nullable EvictionRequest request,
      @Nullable Object reserve) {
    if (request != null) {
      if (!callbacks.isHeard(cold)) {
        leaveUnheard(cold, ending, request);
        return;
      }
      flush(request);
    }
    if (ending.isEviction()) {
      callbacks.countEviction(cold);
    }
    if (reserve != null) {
      ledger.retireEntry(ChargeWord.chargeBytes(cold));
      EntryValue retired = (EntryValue) reserve;
      retired.hi = hi;
      retired.lo = lo;
      retired.value = value;
      retired.cold = cold;
      retired.ending = ending;
      reclaimer.retire(retired);
    } else {
      ledger.removeEntry(ChargeWord.chargeBytes(cold));
      callbacks.end(hi, lo, value, cold, ending);
    }
  }

  private void leaveUnheard(long cold, RemovalCause ending, EvictionRequest request) {
    request.defer(ChargeWord.chargeBytes(cold));
    if (ending.isEviction()) {
      countEviction(request);
      request.evicted(cold);
    }
  }

  /** Tells the ledger what has left, so that it is right for others and for the user's code. */
  void flush(EvictionRequest request) {
    ledger.addUsage(-request.takeDeferredBytes());
    ledger.addOccupancyUnlessZero(-request.takeDeferredEntries());
    countEviction(request);
  }

  private void countEviction(EvictionRequest request) {
    if (request.hasEvicted()) {
      callbacks.countEviction(request.takeEvicted());
    }
  }

  /**
   * Decides whether a value must retire, and makes what it needs for that. The caller has taken the
   * slot, so no scope opened behind this call can show the value.
   *
   * @return null if the value goes at once
   */
  public @Nullable Object reserve(long cold) {
    return callbacks.hasDisposer(cold) && reclaimer.mustRetire()
        ? new EntryValue(ChargeWord.chargeBytes(cold))
        : null;
  }

  /** All that the end of a value needs. */
  private final class EntryValue extends RetiredValue {
    private long hi;
    private long lo;
    private long cold;
    private @Nullable Object value;
    private RemovalCause ending = RemovalCause.FREED;

    EntryValue(long bytes) {
      super(bytes);
    }

    @Override
    public void free() {
      ledger.removeRetired(ChargeWord.chargeBytes(cold));
      callbacks.end(hi, lo, Objects.requireNonNull(value), cold, ending);
    }
  }
}
