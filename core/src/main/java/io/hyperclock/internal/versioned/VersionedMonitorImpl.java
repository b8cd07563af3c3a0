/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.sizing.SlotStores;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.versioned.NamespaceStats;
import io.hyperclock.versioned.VersionVisitor;
import io.hyperclock.versioned.VersionedMonitor;
import io.hyperclock.versioned.VersionedStats;
import io.hyperclock.versioned.Versions;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** What can be seen of a cache of two versions. */
record VersionedMonitorImpl<V>(
    VersionedShard[] shards, VersionedCounts counts, Leases leases, VersionedConfig config)
    implements VersionedMonitor<V> {
  @Override
  public void forEach(VersionVisitor<V> visitor) {
    Objects.requireNonNull(visitor, "visitor must not be null");
    for (VersionedShard shard : shards) {
      SlotStore store = shard.store();
      for (int slot = 0; slot < store.slots(); slot++) {
        StackReserve.requireLittle();
        if (shard.pinAny(slot)) {
          long hi = store.keyHiOpaque(slot);
          long lo = store.keyLoOpaque(slot);
          Versions<V> versions = shard.pinnedVersions(slot);
          if (versions.committed() != null || versions.prepared() != null) {
            visitor.visit(hi, lo, versions);
          }
        }
      }
    }
  }

  @Override
  public NamespaceStats namespaceStats(int namespace) {
    return counts.stats(namespace);
  }

  private long sum(ToLongFunction<CapacityLedger> figure) {
    return Stream.of(shards).map(shard -> shard.ledger).mapToLong(figure).sum();
  }

  @Override
  public VersionedStats stats() {
    long[] inDoubt = {0};
    leases.forEachPrepare(
        prepare -> inDoubt[0] += prepare.isPending() && prepare.isInDoubt() ? 1 : 0);
    return new VersionedStats(
        config.capacityBytes(),
        sum(CapacityLedger::usage),
        sum(CapacityLedger::metadataBytes),
        sum(CapacityLedger::occupancy),
        (long) shards.length * shards[0].store().slots(),
        counts.sum(its -> its.items),
        counts.sum(its -> its.itemBytes),
        leases.inFlight.get(),
        counts.sum(its -> its.preparedBytes),
        leases.maxPrepares,
        inDoubt[0],
        counts.commits.sum(),
        counts.aborts.sum(),
        counts.expirations.sum(),
        counts.refusedInProgress.sum(),
        counts.refusedNoRoom.sum(),
        counts.evictions.sum(),
        SlotStores.access(config.storage()));
  }
}
