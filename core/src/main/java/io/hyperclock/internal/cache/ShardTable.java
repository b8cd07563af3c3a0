/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.handle.HandleSupport;
import io.hyperclock.internal.handle.PinnedHandle;
import io.hyperclock.internal.handle.TableEntries;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Migration;
import io.hyperclock.internal.table.PinnedReads;
import io.hyperclock.internal.table.TableScan;
import io.hyperclock.internal.table.TableView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a shard is made of: a table with its ledger and hand, and what handles on its entries and on
 * standalone ones need.
 */
abstract class ShardTable {
  final ClockTable table;
  private final ValueRelease valueRelease;
  final SlotStore store;
  final CapacityLedger ledger;
  final CapacityEnforcer enforcer;
  final TableScan scan;
  final Replacement replacement;
  final TypeRegistry types;
  final TableSizing sizing;

  /** For handles on standalone entries. */
  final HandleSupport handles;

  /** The entries of its table as handles see them. */
  final TableEntries held;

  /**
   * How the entries of the table before come here; null if there are none to come. No longer than
   * until it ends: it leads to the table before, and that to the ones before it.
   */
  volatile @Nullable Migration migration;

  private final long searchedBefore;
  private final PinnedReads pinnedReads;
  final PinnedReads movingReads;

  /**
   * A table without entries.
   *
   * @param present makes room, whichever table is there by then; null if it is always this one
   * @param before the one that it takes the place of, or null for the first
   */
  ShardTable(
      CacheParts parts,
      TableSizing sizing,
      CapacityLedger ledger,
      @Nullable Supplier<CapacityEnforcer> present,
      @Nullable ShardTable before) {
    TableView kind = present == null ? TableView.FIXED : TableView.SETTLED;
    this.types = parts.types;
    this.store = parts.stores.apply(sizing.slots());
    this.ledger = ledger;
    this.sizing = sizing;
    SlotProtocol slots = sizing.slotsOf(store);
    this.replacement =
        before == null
            ? sizing.replacement(slots, ledger)
            : before.replacement.resized(slots, sizing.entries());
    // The last round there may not have met what comes here.
    this.searchedBefore =
        before == null
            ? 0
            : before.searchedBefore
                + Math.max(0, before.replacement.searchedForDead() - before.store.slots());
    this.valueRelease =
        before == null
            ? new ValueRelease(ledger, parts.callbacks, parts.scopes.reclaimer())
            : before.valueRelease;
    Buckets buckets = present == null ? parts.buckets : parts.buckets.withCount(sizing.buckets());
    this.table =
        new ClockTable(
            buckets,
            slots,
            valueRelease,
            replacement,
            parts.callbacks,
            parts.config.recordHits() ? parts.stats : null,
            kind,
            before == null ? null : before.table);
    table.belongTo(this);
    this.enforcer =
        new CapacityEnforcer(
            ledger,
            valueRelease,
            replacement,
            table,
            slots,
            sizing.occupancyLimit(),
            Math.max(1, parts.config.evictionEffortCap()),
            parts.stats.effortExceeded,
            parts.observation);
    this.scan = new TableScan(table);
    // Not by this shard where others follow: a standalone entry may be held longer than its table.
    Supplier<CapacityEnforcer> enforcers = present == null ? () -> enforcer : present;
    this.handles =
        new HandleSupport(
            types, parts.callbacks, ledger, enforcers, parts.doubleCloses, parts.tracker);
    this.held = new TableEntries(handles, table, replacement);
    this.pinnedReads = table.pinnedReadsOf(held, kind);
    this.movingReads = table.pinnedReadsOf(held, TableView.MOVING);
    if (before != null) {
      Migration coming = new Migration(before.table, table);
      this.migration = coming;
      enforcer.comesAfter(before.enforcer, coming::left);
    }
  }

  /** No entry is to come any more. */
  final void settled() {
    enforcer.comesFirst();
    table.settled();
    migration = null;
  }

  /**
   * Slots searched for dead entries, in the tables before too. Where a table has taken the place of
   * another it is less than it was, so that it grows by all slots of this one only where the hand
   * has gone round one table.
   */
  final long searchedForDead() {
    return searchedBefore + replacement.searchedForDead();
  }

  /** Reads that pin, as they are now. */
  final PinnedReads currentPinnedReads() {
    return table.before() == null ? pinnedReads : movingReads;
  }

  /** A handle on the entry of a key in this table; null if it is not in it. Not tracked yet. */
  final <V> @Nullable PinnedHandle<V> lookupHere(long hi, long lo, long hash, boolean counted) {
    int slot = movingReads.lookupHere(hi, lo, hash, counted);
    if (slot >= 0) {
      return held.pinned(slot);
    }
    return slot == PinnedReads.ABSENT ? null : held.pinnedValue(slot - PinnedReads.BEING_EXCHANGED);
  }

  final CapacityExceededException capacityExceeded(long chargeBytes) {
    return new CapacityExceededException(
        "entry must fit into its shard's capacity: chargeBytes="
            + chargeBytes
            + ", usageBytes="
            + ledger.usage()
            + ", capacityBytes="
            + ledger.capacity());
  }
}
