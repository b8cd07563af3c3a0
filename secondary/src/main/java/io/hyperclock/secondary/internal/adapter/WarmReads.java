/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.WarmRestart;

/** Reads what a restart list names: from the tiers, else by the loader. */
final class WarmReads implements WarmUp.Reads {
  private final BlockCache<Object> primary;
  private final WarmRestart<Object> settings;
  private final TierLookups reads;
  private final TierWrites writes;

  /** Charge of the value read last: as much room is asked for before the next. */
  private long charge;

  WarmReads(
      BlockCache<Object> primary,
      WarmRestart<Object> settings,
      TierLookups reads,
      TierWrites writes) {
    this.primary = primary;
    this.settings = settings;
    this.reads = reads;
    this.writes = writes;
  }

  @Override
  public long read(long hi, long lo, int type) {
    try {
      if (primary.monitor().usageBytes() + charge > primary.monitor().capacityBytes()) {
        return WarmUp.FULL;
      }
      return readInto(hi, lo, TieredCache.untyped(settings.types().get(type)));
    } catch (RuntimeException failedOrClosed) {
      return 0;
    } catch (Error outOfMemory) {
      return WarmUp.FULL;
    }
  }

  private long readInto(long hi, long lo, EntryType<Object> type) {
    if (primary.contains(hi, lo)) {
      return 0;
    }
    writes.expect(type);
    try (Handle<Object> found = reads.lookup(hi, lo, type, null)) {
      if (found != null) {
        return noted(found);
      }
    }
    BlockLoader<?> loader = settings.loader();
    if (loader == null) {
      return 0;
    }
    try (Handle<Object> loaded = writes.lookup(hi, lo, type, TieredCache.untyped(loader))) {
      return loaded == null ? 0 : noted(loaded);
    }
  }

  private long noted(Handle<Object> handle) {
    charge = handle.chargeBytes();
    return charge;
  }
}
