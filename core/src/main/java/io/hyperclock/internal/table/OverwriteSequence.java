/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.PaddedCounters;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts overwrites, so that a search that found nothing can tell whether its key may have moved
 * from a slot it had yet to look at to one it had passed.
 *
 * <p>An overwrite counts after the newer entry is visible and before the older one is hidden
 * ([one-entry]). A search that meets an unchanged count on its way has seen one of the two.
 */
final class OverwriteSequence {
  private static final int STRIPES = 16;
  private static final int STRIPE_SHIFT = 32;

  /** Made by the first overwrite. */
  private final AtomicReference<@Nullable PaddedCounters> counters = new AtomicReference<>();

  private static int stripe(long hash) {
    return (int) (hash >>> STRIPE_SHIFT) & STRIPES - 1;
  }

  /** Whether anything was overwritten, or is about to be. */
  boolean areAny() {
    // [one-entry] a look that has missed an entry because it was overwritten sees the flag.
    return counters.get() != null;
  }

  /** Overwrites of keys with a hash like this one. */
  long of(long hash) {
    // [one-entry] a search that starts after the step sees the newer entry.
    PaddedCounters present = counters.get();
    return present == null ? 0 : present.get(stripe(hash));
  }

  /** Makes the counters, so that nothing has to be allocated in the middle of an overwrite. */
  void ensure() {
    while (counters.get() == null) {
      // [one-entry] the flag for the first overwrite; before the older entry is hidden.
      counters.compareAndSet(null, new PaddedCounters(STRIPES));
    }
  }

  /** Counts an overwrite; without counters nothing was overwritten: what is finished is a move. */
  void step(long hash) {
    PaddedCounters present = counters.get();
    if (present != null) {
      // [one-entry] between publishing the newer entry and hiding the older one.
      present.getAndAdd(stripe(hash), 1);
    }
  }
}
