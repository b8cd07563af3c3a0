/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.slot.ChargeWord;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** Gives each entry type of one cache a small number on first use. Copy on write, never shrinks. */
public final class TypeRegistry {
  private final AtomicReference<EntryType<?>[]> types = new AtomicReference<>(new EntryType<?>[0]);

  public int idOf(EntryType<?> type) {
    for (; ; ) {
      EntryType<?>[] known = types.get();
      for (int id = 0; id < known.length; id++) {
        if (known[id] == type) {
          return id;
        }
      }
      if (known.length == ChargeWord.MAX_TYPES) {
        throw new IllegalStateException(
            "a cache must have at most "
                + ChargeWord.MAX_TYPES
                + " entry types: types="
                + known.length);
      }
      EntryType<?>[] more = Arrays.copyOf(known, known.length + 1);
      more[known.length] = type;
      // Release: pairs with the volatile reads. If another thread was first, look again.
      types.compareAndSet(known, more);
    }
  }

  /** The type of an entry with this cold word. */
  public EntryType<?> of(long cold) {
    return types.get()[ChargeWord.typeId(cold)];
  }
}
