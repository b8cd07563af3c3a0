/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityMode;
import io.hyperclock.EntryVisitor;
import io.hyperclock.OpenHandle;
import io.hyperclock.OpenScope;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.LoadStats;
import io.hyperclock.stats.Problem;
import java.util.ArrayList;
import java.util.List;

/** What can be seen of a {@link FakeCache}, under its lock; its visits break the contract too. */
record FakeMonitor(FakeCache cache) implements CacheMonitor<ModelValue> {
  @Override
  public void forEachEntry(EntryVisitor<? super ModelValue> visitor) {
    List<FakeHandle> pinned = new ArrayList<>();
    synchronized (cache) {
      cache.requireOpen();
      cache.table.values().forEach(entry -> pinned.add(new FakeHandle(cache, entry)));
      if (!pinned.isEmpty() && cache.strikes(Fault.VISIT_LEAVES_AN_ENTRY_OUT)) {
        pinned.remove(pinned.size() - 1).close();
      }
      if (!pinned.isEmpty() && cache.strikes(Fault.VISIT_SEES_AN_ENTRY_TWICE)) {
        pinned.add(pinned.get(0).ref());
      }
    }
    try {
      for (FakeHandle handle : pinned) {
        FakeEntry entry = handle.entry;
        if (cache.isVisible(entry)) {
          visitor.visit(entry.hi, entry.lo, entry.value, entry.type, entry.charge);
        }
      }
    } finally {
      boolean keep = cache.strikes(Fault.VISIT_KEEPS_THE_PIN);
      pinned.stream().skip(keep ? 1 : 0).forEach(FakeHandle::close);
    }
  }

  @Override
  public long capacityBytes() {
    synchronized (cache) {
      cache.requireOpen();
      return cache.capacityBytes;
    }
  }

  @Override
  public CapacityMode capacityMode() {
    synchronized (cache) {
      cache.requireOpen();
      return cache.mode;
    }
  }

  @Override
  public long usageBytes() {
    synchronized (cache) {
      cache.requireOpen();
      return cache.usageBytes;
    }
  }

  @Override
  public long pinnedUsageBytes() {
    return stats().pinnedUsageBytes();
  }

  @Override
  public long droppedFileBytes() {
    return 0;
  }

  @Override
  public long occupancy() {
    synchronized (cache) {
      cache.requireOpen();
      return cache.occupancy;
    }
  }

  @Override
  public long slots() {
    synchronized (cache) {
      cache.requireOpen();
      return 2L * cache.settings.size().entries;
    }
  }

  @Override
  public CacheStats stats() {
    synchronized (cache) {
      cache.requireOpen();
      return cache.counters.snapshot(
          cache, cache.table.values(), cache.hidden, cache.strikes(Fault.INSERTS_ARE_MISCOUNTED));
    }
  }

  @Override
  public void forEachHottest(int most, EntryVisitor<? super ModelValue> visitor) {
    throw new UnsupportedOperationException("the model does not rank entries");
  }

  @Override
  public LoadStats loadStats() {
    throw new UnsupportedOperationException("the model never loads");
  }

  @Override
  public List<OpenHandle> longestHeld(int max) {
    return List.of();
  }

  @Override
  public List<Problem> problems() {
    return List.of();
  }

  @Override
  public ReadScopeStats scopeStats() {
    throw new UnsupportedOperationException("this cache has no read scopes");
  }

  @Override
  public List<OpenScope> openScopes() {
    throw new UnsupportedOperationException("this cache has no read scopes");
  }
}
