/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.EvictionListener;
import java.util.ArrayList;
import java.util.List;

/** What a thread has to free when it has left the lock of a {@link FakeCache}. */
final class FakeGarbage {
  private final ThreadLocal<List<FakeEntry>> entries = ThreadLocal.withInitial(ArrayList::new);
  private final EvictionListener<ModelValue> listener;
  private final FakeStats counters;
  private final ModelFaults faults;

  FakeGarbage(EvictionListener<ModelValue> listener, FakeStats counters, ModelFaults faults) {
    this.listener = listener;
    this.counters = counters;
    this.faults = faults;
  }

  void add(FakeEntry entry) {
    entries.get().add(entry);
  }

  /** Leaves an entry unfreed if this fault strikes. */
  void forget(FakeEntry entry, Fault fault) {
    entries.get().removeIf(other -> other == entry && faults.strikes(fault));
  }

  /** Calls back; not to be called under the lock. */
  void collect() {
    List<FakeEntry> free = List.copyOf(entries.get());
    entries.get().clear();
    for (FakeEntry entry : free) {
      boolean told = entry.evicted && !faults.strikes(Fault.LISTENER_IS_NOT_CALLED);
      boolean taken = told && listen(entry);
      if (!taken || faults.strikes(Fault.LISTENERS_VALUE_IS_FREED_TOO)) {
        counters.guard(entry::dispose);
      }
    }
  }

  private boolean listen(FakeEntry entry) {
    boolean[] taken = new boolean[1];
    long lo = faults.strikes(Fault.LISTENER_GETS_ANOTHER_KEY) ? entry.lo + 1 : entry.lo;
    counters.guard(
        () ->
            taken[0] =
                listener.onEviction(
                    entry.hi, lo, entry.value, entry.type, entry.charge, entry.hit));
    return taken[0];
  }
}
