/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.CapacityEnforcer;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Migration;
import io.hyperclock.internal.table.OptimisticReads;
import io.hyperclock.internal.table.PinnedReads;
import io.hyperclock.internal.table.TableScan;
import io.hyperclock.internal.table.TableView;
import io.hyperclock.internal.table.ValueRelease;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache: a table with its ledger and hand, and what handles on its
 * entries and on standalone ones need. {@link ShardWriter} adds entries.
 *
 * <p>In a cache that sizes itself a shard has a successor for each other size of its table, see
 * {@link Resizing}. Both have the same ledger; while entries are moved to the newer one a key may
 * be in either.
 */
final class Shard {
  private final Buckets buckets;
  private final ClockTable table;
  private final ValueRelease valueRelease;
  private final SlotStore store;
  private final CapacityLedger ledger;
  private final CapacityEnforcer enforcer;
  private final TableScan scan;
  private final TableEntries held;
  private final ShardWriter writes;
  private final Replacement replacement;
  private final long occupancyLimit;
  private final TypeRegistry types;
  private final UserCallbacks callbacks;
  private final IncidentLog doubleCloses;
  private final @Nullable HandleTracker tracker;
  private final TableSizing sizing;
  private final @Nullable Resizing resizing;
  private final @Nullable Migration migration;
  private final PinnedReads pinnedReads;
  private final PinnedReads movingReads;

  /** Changes the cold word of an entry that the caller holds. */
  interface ColdWord {
    boolean compareAndSet(long expected, long changed);
  }

  /**
   * A shard without entries.
   *
   * @param cache what it is part of; has all parts but its shards
   */
  Shard(ManagedCache<?> cache, TableSizing sizing, long capacity, SlotStore store) {
    this(cache, sizing, sizing.ledger(capacity, cache.config.mode()), store, null, null);
  }

  /**
   * A shard without entries, for a cache that sizes itself.
   *
   * @param before the one that it takes the place of, or null for the first
   */
  Shard(
      ManagedCache<?> cache,
      TableSizing sizing,
      CapacityLedger ledger,
      SlotStore store,
      @Nullable Resizing resizing,
      @Nullable Shard before) {
    CacheConfig<?> config = cache.config;
    StatsRecorder stats = cache.stats;
    ObserverNotifier observation = cache.observation;
    this.types = cache.types;
    this.callbacks = cache.callbacks;
    this.doubleCloses = cache.doubleCloses;
    this.tracker = observation.tracker();
    this.occupancyLimit = sizing.occupancyLimit();
    this.store = store;
    this.ledger = ledger;
    this.sizing = sizing;
    this.resizing = resizing;
    SlotProtocol slots = sizing.slotsOf(store);
    this.replacement =
        before == null
            ? sizing.replacement(slots, ledger)
            : before.replacement.resized(slots, sizing.entries());
    StatsRecorder recorder = config.recordHits() ? stats : null;
    this.valueRelease =
        before == null
            ? new ValueRelease(ledger, callbacks, cache.scopes.reclaimer())
            : before.valueRelease;
    this.buckets = resizing == null ? cache.buckets : cache.buckets.withCount(sizing.buckets());
    this.table =
        new ClockTable(
            buckets,
            slots,
            valueRelease,
            replacement,
            callbacks,
            recorder,
            resizing == null ? TableView.FIXED : TableView.SETTLED,
            before == null ? null : before.table);
    table.belongTo(this);
    this.enforcer =
        new CapacityEnforcer(
            ledger,
            valueRelease,
            replacement,
            table,
            slots,
            occupancyLimit,
            Math.max(1, config.evictionEffortCap()),
            stats.effortExceeded,
            observation.sweepWatch());
    this.scan = new TableScan(table);
    this.held = new TableEntries(this, table, replacement);
    this.pinnedReads =
        table.pinnedReadsOf(held, resizing == null ? TableView.FIXED : TableView.SETTLED);
    this.movingReads = table.pinnedReadsOf(held, TableView.MOVING);
    this.migration = before == null ? null : new Migration(before.table, table);
    enforcer.comesAfter(before == null ? null : before.enforcer, migration);
    this.writes = new ShardWriter(this, stats, callbacks, observation);
  }

  Buckets buckets() {
    return buckets;
  }

  TableSizing sizing() {
    return sizing;
  }

  /** How the table comes by another size, or null if it keeps the one it has. */
  @Nullable Resizing resizing() {
    return resizing;
  }

  /** How the entries of {@link #before} come here, or null for the first shard. */
  @Nullable Migration migration() {
    return migration;
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

  /** Reads that do not pin, as they are now. */
  OptimisticReads currentReads() {
    return table.readsOf(table.before() != null);
  }

  /** Reads that pin, as they are now. */
  PinnedReads currentPinnedReads() {
    return table.before() == null ? pinnedReads : movingReads;
  }

  /**
   * A handle on the entry of a key that a look at one table has not found, but may be in another;
   * null if it is in none. See [view]. Not tracked yet.
   */
  <V> @Nullable PinnedHandle<V> lookupAll(long hi, long lo, long hash) {
    for (; ; ) {
      Shard newest = newest();
      Shard before = newest.before();
      PinnedHandle<V> found = before == null ? null : before.lookupBefore(hi, lo, hash);
      if (found == null) {
        found = newest.lookupHere(hi, lo, hash);
      }
      if (found != null) {
        return found;
      }
      if (newest.table.next() == null && (before == null || !before.table.shows(hi, lo, hash))) {
        movingReads.missed();
        return null;
      }
    }
  }

  private <V> @Nullable PinnedHandle<V> lookupBefore(long hi, long lo, long hash) {
    PinnedHandle<V> found = lookupHere(hi, lo, hash);
    // [view] what was not found here is found in the newest table, if it has moved.
    VarHandle.acquireFence();
    return found;
  }

  private <V> @Nullable PinnedHandle<V> lookupHere(long hi, long lo, long hash) {
    int slot = movingReads.lookupHere(hi, lo, hash);
    if (slot >= 0) {
      return held.pinned(slot);
    }
    return slot == PinnedReads.ABSENT ? null : pinnedValue(slot - PinnedReads.BEING_EXCHANGED);
  }

  Replacement replacement() {
    return replacement;
  }

  ClockTable table() {
    return table;
  }

  SlotStore store() {
    return store;
  }

  CapacityLedger ledger() {
    return ledger;
  }

  CapacityEnforcer enforcer() {
    return enforcer;
  }

  ShardWriter writes() {
    return writes;
  }

  TableScan scan() {
    return scan;
  }

  long occupancyLimit() {
    return occupancyLimit;
  }

  private Object value(int slot) {
    Object value = store.valueAcquire(slot);
    if (value == null) {
      throw new AssertionError("a pinned slot must have a value: slot=" + slot);
    }
    return value;
  }

  /** The entries of its table as handles see them. */
  TableEntries held() {
    return held;
  }

  /** A handle on a pinned slot; the pin is given back if the handle cannot be made. */
  <V> Handle<V> handle(int slot, V value) {
    return handle(held, slot, value);
  }

  /**
   * A handle on a pinned slot; the pin is given back if the handle cannot be made.
   *
   * @param owner {@link #held}, which costs less if loaded before the pin
   */
  <V> Handle<V> handle(PinTarget owner, int slot, V value) {
    try {
      return tracked(new PinnedHandle<>(owner, slot, value));
    } catch (Throwable e) {
      table.release(slot, false, false);
      throw e;
    }
  }

  /**
   * A handle on the value that a pinned slot shows, even if another takes its place meanwhile; ends
   * the pin. The charge is read first: no thread changes it while an exchange is under way. Not
   * tracked yet.
   */
  @SuppressWarnings("unchecked")
  <V> PinnedHandle<V> pinnedValue(int slot) {
    long cold = store.coldAcquire(slot);
    V value = (V) value(slot);
    try {
      return new PinnedHandle<>(overwritten(slot, cold), 0, value);
    } finally {
      table.release(slot, true, false);
    }
  }

  private PinTarget overwritten(int slot, long cold) {
    return new OverwrittenEntry(this, store.keyHiOpaque(slot), store.keyLoOpaque(slot), cold);
  }

  /** Released if it cannot be tracked. */
  <V> Handle<V> trackedOrReleased(PinnedHandle<V> handle) {
    try {
      return tracked(handle);
    } catch (Throwable e) {
      // Not discard(): where the stack ends there may be no room for its frame.
      handle.release(false, false);
      throw e;
    }
  }

  private <V> Handle<V> tracked(PinnedHandle<V> handle) {
    return tracker == null ? handle : tracker.track(handle);
  }

  /** A standalone entry whose charge is already in the usage. */
  <V> Handle<V> standalone(long hi, long lo, V value, long cold) {
    try {
      StandaloneEntry entry = new StandaloneEntry(this, hi, lo, value, cold);
      Handle<V> handle = tracked(new PinnedHandle<>(entry, 0, value));
      ledger.addStandaloneUsage(ChargeWord.chargeBytes(cold));
      return handle;
    } catch (Throwable e) {
      ledger.addUsage(-ChargeWord.chargeBytes(cold));
      throw e;
    }
  }

  boolean adjustCharge(LongSupplier current, ColdWord word, long newChargeBytes) {
    CacheConfig.requireCharge(newChargeBytes);
    for (; ; ) {
      long before = current.getAsLong();
      long difference = newChargeBytes - ChargeWord.chargeBytes(before);
      if (difference > 0 && !enforcer.reserveUsage(difference)) {
        return false;
      }
      if (word.compareAndSet(before, ChargeWord.withCharge(before, newChargeBytes))) {
        ledger.addUsage(Math.min(0, difference));
        return true;
      }
      ledger.addUsage(-Math.max(0, difference));
    }
  }

  EntryType<?> type(long cold) {
    return types.type(ChargeWord.typeId(cold));
  }

  void dispose(long hi, long lo, Object value, long cold) {
    callbacks.dispose(hi, lo, value, cold);
  }

  void reportDoubleClose(String what, long hi, long lo) {
    doubleCloses.report(what, hi + ":" + lo, null);
  }
}
