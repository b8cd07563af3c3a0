/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.internal.tier.TierCounters;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Lookups that have begun and not ended, and the bytes that they hold. Thread-safe. */
final class PendingLookups {
  private final TierCounters counters;
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final Set<DiskLookup<?>> pending = ConcurrentHashMap.newKeySet();

  PendingLookups(TierCounters counters, long maxBytes) {
    this.counters = counters;
    this.maxBytes = maxBytes;
  }

  /** Counts bytes in any case; false if that is too much. */
  boolean reserve(long more) {
    long sum = bytes.addAndGet(more);
    return sum <= maxBytes || sum == more;
  }

  void add(DiskLookup<?> lookup) {
    pending.add(lookup);
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Gives back what it was counted with, once; a result that comes later is freed. */
  <V> void end(DiskLookup<V> lookup, TierResult<V> result) {
    if (lookup.end()) {
      bytes.addAndGet(-lookup.countedBytes);
      counters.lookedUp(lookup.request.type().role(), result.outcome());
      complete(lookup, result);
    } else {
      lookup.free(result);
    }
  }

  private <V> void complete(DiskLookup<V> lookup, TierResult<V> result) {
    try {
      lookup.complete(result);
    } finally {
      if (lookup.batch != null) {
        lookup.batch.wake(); // First: removal may find no memory.
      }
      pending.remove(lookup);
    }
  }

  /** Ends a lookup whose future no caller gets. */
  <V> void abandon(DiskLookup<V> lookup) {
    endNow(lookup, TierResult.miss(TierOutcome.UNAVAILABLE));
    lookup.free(lookup.future.join());
  }

  /** Ends those that have waited for longer. */
  void endOlderThan(long nanos) {
    for (DiskLookup<?> lookup : pending) {
      if (lookup.isOlderThan(nanos)) {
        end(lookup, TierResult.miss(TierOutcome.TIMED_OUT));
      }
    }
  }

  /** Also those that other threads are about to complete, which may take a while to get there. */
  void endAll(TierOutcome outcome) {
    pending.forEach(lookup -> endNow(lookup, TierResult.miss(outcome)));
  }

  private <V> void endNow(DiskLookup<V> lookup, TierResult<V> miss) {
    end(lookup, miss);
    lookup.complete(miss);
  }
}
