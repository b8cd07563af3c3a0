/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.sizing.SlotStores;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.stats.SlotAccess;
import io.hyperclock.versioned.NamespaceStats;
import io.hyperclock.versioned.VersionVisitor;
import io.hyperclock.versioned.VersionedMonitor;
import io.hyperclock.versioned.VersionedStats;
import io.hyperclock.versioned.Versions;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** What can be seen of a cache of two versions. */
final class VersionedMonitorImpl<V> implements VersionedMonitor<V> {
  private final DefaultVersionedCache<V> cache;
  private final VersionedShard[] shards;
  private final long capacityBytes;
  private final SlotAccess slotAccess;

  VersionedMonitorImpl(DefaultVersionedCache<V> cache, VersionedConfig config) {
    this.cache = cache;
    this.shards = cache.shards();
    this.capacityBytes = config.capacityBytes();
    this.slotAccess = SlotStores.access(config.storage());
  }

  @Override
  public void forEach(VersionVisitor<V> visitor) {
    Objects.requireNonNull(visitor, "visitor must not be null");
    for (VersionedShard shard : shards) {
      VersionedTable table = shard.table();
      SlotStore store = table.store();
      for (int slot = 0; slot < store.slots(); slot++) {
        StackReserve.requireLittle();
        if (table.pinAny(slot)) {
          long hi = store.keyHiOpaque(slot);
          long lo = store.keyLoOpaque(slot);
          Versions<V> versions = cache.pinnedVersions(table, slot);
          if (versions.committed() != null || versions.prepared() != null) {
            visitor.visit(hi, lo, versions);
          }
        }
      }
    }
  }

  @Override
  public NamespaceStats namespaceStats(int namespace) {
    cache.requireNamespace(namespace);
    return cache.counts.stats(namespace);
  }

  private long sum(ToLongFunction<CapacityLedger> figure) {
    return Stream.of(shards).map(VersionedShard::ledger).mapToLong(figure).sum();
  }

  @Override
  public VersionedStats stats() {
    long items = 0;
    long itemBytes = 0;
    long preparedBytes = 0;
    for (int i = 0; i < cache.counts.namespaces(); i++) {
      NamespaceStats part = cache.counts.stats(i);
      items += part.items();
      itemBytes += part.itemBytes();
      preparedBytes += part.preparedBytes();
    }
    long[] inDoubt = {0};
    cache.leases.forEachPrepare(
        prepare -> inDoubt[0] += prepare.isPending() && prepare.isInDoubt() ? 1 : 0);
    return new VersionedStats(
        capacityBytes,
        sum(CapacityLedger::usage),
        sum(CapacityLedger::metadataBytes),
        sum(CapacityLedger::occupancy),
        (long) shards.length * cache.buckets.slots(),
        items,
        itemBytes,
        cache.leases.inFlight(),
        preparedBytes,
        cache.leases.maxPrepares(),
        inDoubt[0],
        cache.counts.commits.sum(),
        cache.counts.aborts.sum(),
        cache.counts.expirations.sum(),
        cache.counts.refusedInProgress.sum(),
        cache.counts.refusedNoRoom.sum(),
        cache.counts.evictions.sum(),
        slotAccess);
  }
}
