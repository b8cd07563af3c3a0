/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import io.hyperclock.Handle;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.observe.UserCallbacks;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What handles need of the shard of their entry, in its table or outside. */
public record HandleSupport(
    TypeRegistry types,
    UserCallbacks callbacks,
    CapacityLedger ledger,
    Supplier<CapacityEnforcer> enforcer,
    IncidentLog doubleCloses,
    @Nullable HandleTracker tracker) {
  /** Changes the cold word of an entry that the caller holds. */
  interface ColdWord {
    boolean compareAndSet(long expected, long changed);
  }

  /** A handle itself, or one in its place that is tracked. */
  <V> Handle<V> tracked(PinnedHandle<V> handle) {
    return tracker == null || !tracker.isChosen() ? handle : new TrackedHandle<>(tracker, handle);
  }

  boolean adjustCharge(LongSupplier current, ColdWord word, long newChargeBytes) {
    ChargeWord.requireCharge(newChargeBytes);
    for (; ; ) {
      long before = current.getAsLong();
      long difference = newChargeBytes - ChargeWord.chargeBytes(before);
      CapacityEnforcer room = enforcer.get();
      if (difference > 0 && !room.reserveUsage(difference)) {
        if (room == enforcer.get()) {
          return false;
        }
        continue; // The entries that could be evicted are in another table by now.
      }
      // Fails if another thread has changed the word: then the difference is another one.
      if (word.compareAndSet(before, ChargeWord.withCharge(before, newChargeBytes))) {
        ledger.addUsage(Math.min(0, difference));
        return true;
      }
      ledger.addUsage(-Math.max(0, difference));
    }
  }

  void reportDoubleClose(String what, long hi, long lo) {
    doubleCloses.report(what, hi + ":" + lo, null);
  }
}
