/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Marks entries of the primary that a tier held when they moved up: they are inserted under a twin
 * of their type, which differs in nothing but that. No user sees a twin. Few and never forgotten:
 * types times tiers that keep.
 */
final class RetainedCopyTypes {
  private record Twin(EntryType<Object> type, EntryType<Object> original, int keptBy) {}

  private static final Twin[] NONE = {};

  private volatile Twin[] twins = NONE;

  /** The twin that says that a tier, and so all below it, need not be offered the value. */
  EntryType<Object> twin(EntryType<Object> original, int keptBy) {
    EntryType<Object> known = find(original, keptBy);
    return known != null ? known : add(original, keptBy);
  }

  private @Nullable EntryType<Object> find(EntryType<Object> original, int keptBy) {
    for (Twin twin : twins) {
      if (twin.original == original && twin.keptBy == keptBy) {
        return twin.type;
      }
    }
    return null;
  }

  private synchronized EntryType<Object> add(EntryType<Object> original, int keptBy) {
    EntryType<Object> known = find(original, keptBy);
    if (known != null) {
      return known;
    }
    EntryType.Builder<Object> type = EntryType.<Object>named(original.name()).role(original.role());
    if (original.disposer() != null) {
      type.disposer(original.disposer()::dispose);
    }
    if (original.isStamped()) {
      type.stamped();
    }
    Twin[] more = Arrays.copyOf(twins, twins.length + 1);
    more[more.length - 1] = new Twin(type.build(), original, keptBy);
    twins = more;
    return more[more.length - 1].type;
  }

  /** The user's type. */
  EntryType<?> original(EntryType<?> type) {
    Twin twin = twinOf(type);
    return twin == null ? type : twin.original;
  }

  /** Index of the first tier that need not be offered a value, {@code none} if all must. */
  int keptBy(EntryType<?> type, int none) {
    Twin twin = twinOf(type);
    return twin == null ? none : twin.keptBy;
  }

  private @Nullable Twin twinOf(EntryType<?> type) {
    for (Twin twin : twins) {
      if (twin.type == type) {
        return twin;
      }
    }
    return null;
  }

  /** A handle as the user is to see it; if that cannot be made, the handle is given back. */
  <V> Handle<V> shown(Handle<V> handle) {
    if (twins.length == 0) {
      return handle;
    }
    try {
      Twin twin = twinOf(handle.type());
      return twin == null ? handle : new TierHandle<>(handle, twin.original, null);
    } catch (Throwable noMemory) {
      handle.discard();
      throw noMemory;
    }
  }
}
