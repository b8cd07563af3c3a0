/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.CapacityMode;
import io.hyperclock.InsertResult;
import org.jspecify.annotations.Nullable;

/** One overwrite of a {@link FakeCache}, under its lock. */
final class FakeOverwriting {
  private final FakeCache cache;
  private final FakeEntry entry;
  private final @Nullable FakeEntry older;

  private FakeOverwriting(FakeCache cache, FakeEntry entry) {
    this.cache = cache;
    this.entry = entry;
    older = cache.find(entry.hi, entry.lo, false);
  }

  static InsertResult run(
      FakeCache cache, FakeEntry entry, boolean ifAbsentToo, @Nullable ModelValue expected) {
    InsertResult result;
    synchronized (cache) {
      result = new FakeOverwriting(cache, entry).run(ifAbsentToo, expected);
    }
    cache.garbage.collect();
    return result;
  }

  /** A put of an entry with a pin; nothing is freed yet. */
  static InsertResult runPinned(FakeCache cache, FakeEntry entry) {
    return new FakeOverwriting(cache, entry).run(true, null);
  }

  private InsertResult run(boolean ifAbsentToo, @Nullable ModelValue expected) {
    if (older == null && !ifAbsentToo) {
      return InsertResult.NOT_PRESENT;
    }
    if (expected != null
        && older.value != expected
        && !cache.strikes(Fault.COMPARE_AND_REPLACE_DOES_NOT_COMPARE)) {
      return InsertResult.NOT_EXPECTED;
    }
    if (older != null && cache.strikes(Fault.OVERWRITE_IS_LOST)) {
      return InsertResult.REPLACED;
    }
    InsertResult result = store(expected != null);
    cache.counters.inserted(result, entry);
    return result;
  }

  private InsertResult store(boolean orRefuse) {
    boolean oversize =
        cache.mode == CapacityMode.NON_STRICT
            && entry.charge > cache.capacityBytes / cache.settings.shards();
    if (!makeRoom() || oversize && orRefuse) {
      return InsertResult.REFUSED;
    }
    if (older != null) {
      supersede();
    }
    if (oversize) {
      if (entry.pins == 0) {
        cache.garbage.add(entry);
      }
      return InsertResult.DROPPED;
    }
    cache.usageBytes += entry.charge;
    cache.occupancy++;
    cache.table.put(entry.key(), entry);
    return older == null ? InsertResult.INSERTED : InsertResult.REPLACED;
  }

  private boolean makeRoom() {
    if (older == null) {
      return cache.makeRoom(entry.charge);
    }
    older.pins++;
    boolean made = cache.makeRoom(entry.charge);
    older.pins--;
    return made;
  }

  private void supersede() {
    older.freedEarly = older.pins > 0 && cache.strikes(Fault.OVERWRITE_FREES_UNDER_A_PIN);
    if (older.pins > 0 && !older.freedEarly) {
      cache.table.remove(older.key());
      cache.hidden.add(older);
    } else {
      cache.remove(older, false);
      cache.garbage.forget(older, Fault.OVERWRITE_FORGETS_TO_FREE);
    }
  }
}
