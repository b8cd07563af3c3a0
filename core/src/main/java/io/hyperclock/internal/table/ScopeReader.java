/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tail;
import org.jspecify.annotations.Nullable;

/**
 * Reads within read scopes: the pin-free read of {@link ClockTable#get}, of any visible entry. What
 * it finds of values freed by hand is not freed before the scope ends, because the tear-down ends
 * the generation before it looks for open scopes ([S11]).
 */
public final class ScopeReader {
  private final Probing probing;
  private final SlotStore store;
  private final Slots slots;
  private final int slotCount;
  private final OverwriteCounts overwrites;
  private final ClockTable table;

  /** A reader of a table. */
  public ScopeReader(ClockTable table) {
    this.probing = table.probing();
    this.slots = table.slots();
    this.store = slots.store();
    this.slotCount = probing.slots();
    this.overwrites = table.overwrites();
    this.table = table;
  }

  /**
   * Reads on behalf of an open scope, counting as a use.
   *
   * @return what the slot holds as value, or null
   */
  public @Nullable Object get(long hi, long lo, long hash) {
    Object value = getOnce(hi, lo, hash);
    while (value == null && overwrites.any()) {
      long before = overwrites.of(hash);
      value = getOnce(hi, lo, hash);
      if (overwrites.of(hash) == before) {
        break;
      }
    }
    if (value == null) {
      table.missed();
    }
    return value;
  }

  private @Nullable Object getOnce(long hi, long lo, long hash) {
    SlotStore words = store;
    int slot = probing.home(hash, hi, lo);
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    for (int step = 1; ; step++) {
      long tail = words.tailAcquire(slot);
      long meta = words.metaAcquire(slot);
      if (Meta.isVisible(meta) && words.keyLoOpaque(slot) == lo && words.keyHiOpaque(slot) == hi) {
        Object value = words.valueOpaque(slot);
        if (slots.stillTenant(slot, tail) && value != null) {
          if (step > 1 && Meta.isSuperseding(meta) && table.isPreceded(hi, lo, hash, slot)) {
            slot = probing.home(hash, hi, lo);
            step = 0;
            continue;
          }
          table.used(slot, meta);
          return value;
        }
      }
      if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
        return null;
      }
      slot = probing.next(slot, increment, step - 1);
    }
  }
}
