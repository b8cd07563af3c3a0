/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;

/** The displacements that an entry has left on its path, see [S6]. */
public final class Displacements {
  private final Probing probing;
  private final Slots slots;

  /** Displacements in one table. */
  public Displacements(Probing probing, Slots slots) {
    this.probing = probing;
    this.slots = slots;
  }

  /** Takes those of a path before its last slot back. */
  public void removeUpTo(int last, long hi, long lo, long hash) {
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    int slot = probing.home(hash, hi, lo);
    for (int step = 0; slot != last; step++) {
      slots.removeDisplacement(slot, lane);
      slot = probing.next(slot, increment, step);
    }
  }
}
