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
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache: a table with its ledger and hand, and what handles on its
 * entries and on standalone ones need. {@link ShardWriter} adds entries.
 *
 * <p>In a cache that sizes itself a shard has a successor for each other size of its table, see
 * {@code Resizing}. Both have the same ledger; while entries are moved to the newer one a key may
 * be in either.
 */
final class Shard {
  final ClockTable table;
  private final ValueRelease valueRelease;
  final SlotStore store;
  final CapacityLedger ledger;
  final CapacityEnforcer enforcer;
  final TableScan scan;
  final ShardWriter writes;
  final Replacement replacement;
  final TypeRegistry types;
  final TableSizing sizing;

  /** The entries of its table as handles see them. */
  final TableEntries held;

  /**
   * How the entries of {@link #before} come here; null if there are none to come. No longer than
   * until it ends: it leads to the table before, and that to the ones before it.
   */
  volatile @Nullable Migration migration;

  private final long searchedBefore;
  private final PinnedReads pinnedReads;
  private final PinnedReads movingReads;

  /**
   * A shard without entries.
   *
   * @param growth makes a larger one take the place of one in which an insert finds no slot, if it
   *     can; null if none ever takes its place
   * @param present makes room, whichever table is there by then; null if it is always this one
   * @param before the one that it takes the place of, or null for the first
   */
  Shard(
      CacheParts parts,
      TableSizing sizing,
      CapacityLedger ledger,
      @Nullable Predicate<Shard> growth,
      @Nullable Supplier<CapacityEnforcer> present,
      @Nullable Shard before) {
    boolean sizesItself = growth != null;
    TableView kind = sizesItself ? TableView.SETTLED : TableView.FIXED;
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
    Buckets buckets = sizesItself ? parts.buckets.withCount(sizing.buckets()) : parts.buckets;
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
    HandleSupport handles =
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
    this.writes =
        new ShardWriter(
            parts,
            table,
            ledger,
            enforcer,
            replacement,
            handles,
            held,
            () -> growth != null && growth.test(this),
            this::writesOfNewest);
  }

  /** No entry is to come any more. */
  void settled() {
    enforcer.comesFirst();
    table.settled();
    migration = null;
  }

  /**
   * Slots searched for dead entries, in the tables before too. Where a table has taken the place of
   * another it is less than it was, so that it grows by all slots of this one only where the hand
   * has gone round one table.
   */
  long searchedForDead() {
    return searchedBefore + replacement.searchedForDead();
  }

  private static @Nullable Shard of(@Nullable ClockTable table) {
    return table == null ? null : (Shard) table.owner();
  }

  /** The one that takes the place of this, or null. */
  @Nullable Shard next() {
    return of(table.next());
  }

  /** The one whose entries are moved to this, or null. */
  @Nullable Shard before() {
    return of(table.before());
  }

  /** The one that took the place of this in the end. */
  Shard newest() {
    Shard newest = this;
    for (Shard next = next(); next != null; next = newest.next()) {
      newest = next;
    }
    return newest;
  }

  /** Reads that pin, as they are now. */
  PinnedReads currentPinnedReads() {
    return table.before() == null ? pinnedReads : movingReads;
  }

  /**
   * A handle on the entry of a key that a look at one table has not found, but may be in another;
   * null if it is in none. See [view]. Not tracked yet.
   *
   * @param counted whether it counts as a hit or a miss
   */
  <V> @Nullable PinnedHandle<V> lookupAll(long hi, long lo, long hash, boolean counted) {
    for (; ; ) {
      Shard newest = newest();
      Shard before = newest.before();
      PinnedHandle<V> found = before == null ? null : before.lookupBefore(hi, lo, hash, counted);
      if (found == null) {
        found = newest.lookupHere(hi, lo, hash, counted);
      }
      if (found != null) {
        return found;
      }
      if (newest.table.next() == null && (before == null || !before.table.shows(hi, lo, hash))) {
        if (counted) {
          movingReads.missed();
        }
        return null;
      }
    }
  }

  private <V> @Nullable PinnedHandle<V> lookupBefore(long hi, long lo, long hash, boolean counted) {
    PinnedHandle<V> found = lookupHere(hi, lo, hash, counted);
    // [view] what was not found here is found in the newest table, if it has moved.
    VarHandle.acquireFence();
    return found;
  }

  private <V> @Nullable PinnedHandle<V> lookupHere(long hi, long lo, long hash, boolean counted) {
    int slot = movingReads.lookupHere(hi, lo, hash, counted);
    if (slot >= 0) {
      return held.pinned(slot);
    }
    return slot == PinnedReads.ABSENT ? null : held.pinnedValue(slot - PinnedReads.BEING_EXCHANGED);
  }

  private ShardWriter writesOfNewest() {
    return newest().writes;
  }

  CapacityExceededException capacityExceeded(long chargeBytes) {
    return new CapacityExceededException(
        "entry must fit into its shard's capacity: chargeBytes="
            + chargeBytes
            + ", usageBytes="
            + ledger.usage()
            + ", capacityBytes="
            + ledger.capacity());
  }
}
