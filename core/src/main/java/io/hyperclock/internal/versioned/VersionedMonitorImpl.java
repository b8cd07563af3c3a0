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
  private final VersionedShard[] shards;
  private final VersionedCounts counts;
  private final Leases leases;
  private final long capacityBytes;
  private final SlotAccess slotAccess;

  VersionedMonitorImpl(
      VersionedShard[] shards, VersionedCounts counts, Leases leases, VersionedConfig config) {
    this.shards = shards;
    this.counts = counts;
    this.leases = leases;
    this.capacityBytes = config.capacityBytes();
    this.slotAccess = SlotStores.access(config.storage());
  }

  @Override
  public void forEach(VersionVisitor<V> visitor) {
    Objects.requireNonNull(visitor, "visitor must not be null");
    for (VersionedShard shard : shards) {
      VersionedTable table = shard.table;
      SlotStore store = table.store();
      for (int slot = 0; slot < store.slots(); slot++) {
        StackReserve.requireLittle();
        if (table.pinAny(slot)) {
          long hi = store.keyHiOpaque(slot);
          long lo = store.keyLoOpaque(slot);
          Versions<V> versions = table.pinnedVersions(slot);
          if (versions.committed() != null || versions.prepared() != null) {
            visitor.visit(hi, lo, versions);
          }
        }
      }
    }
  }

  @Override
  public NamespaceStats namespaceStats(int namespace) {
    counts.requireNamespace(namespace);
    return counts.stats(namespace);
  }

  private long sum(ToLongFunction<CapacityLedger> figure) {
    return Stream.of(shards).map(shard -> shard.ledger).mapToLong(figure).sum();
  }

  @Override
  public VersionedStats stats() {
    long items = 0;
    long itemBytes = 0;
    long preparedBytes = 0;
    for (int i = 0; i < counts.namespaces(); i++) {
      NamespaceStats part = counts.stats(i);
      items += part.items();
      itemBytes += part.itemBytes();
      preparedBytes += part.preparedBytes();
    }
    long[] inDoubt = {0};
    leases.forEachPrepare(
        prepare -> inDoubt[0] += prepare.isPending() && prepare.isInDoubt() ? 1 : 0);
    return new VersionedStats(
        capacityBytes,
        sum(CapacityLedger::usage),
        sum(CapacityLedger::metadataBytes),
        sum(CapacityLedger::occupancy),
        (long) shards.length * shards[0].table.store().slots(),
        items,
        itemBytes,
        leases.inFlight(),
        preparedBytes,
        leases.maxPrepares,
        inDoubt[0],
        counts.commits.sum(),
        counts.aborts.sum(),
        counts.expirations.sum(),
        counts.refusedInProgress.sum(),
        counts.refusedNoRoom.sum(),
        counts.evictions.sum(),
        slotAccess);
  }
}
