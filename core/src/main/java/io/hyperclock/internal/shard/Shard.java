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
import io.hyperclock.internal.table.CapacityEnforcer;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableScan;
import io.hyperclock.internal.table.ValueRelease;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache: a table with its ledger and hand, and what handles on its
 * entries and on standalone ones need. {@link Writes} adds entries.
 */
final class Shard {
  private final ClockTable table;
  private final ValueRelease valueRelease;
  private final SlotStore store;
  private final CapacityLedger ledger;
  private final CapacityEnforcer enforcer;
  private final TableScan scan;
  private final HeldSlots held;
  private final Writes writes;
  private final Replacement replacement;
  private final long occupancyLimit;
  private final TypeRegistry types;
  private final UserCallbacks callbacks;
  private final IncidentLog doubleCloses;
  private final @Nullable HandleTracker tracker;

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
    CacheConfig<?> config = cache.config;
    StatsRecorder stats = cache.stats;
    Observation observation = cache.observation;
    this.types = cache.types;
    this.callbacks = cache.callbacks;
    this.doubleCloses = cache.doubleCloses;
    this.tracker = observation.tracker();
    this.occupancyLimit = sizing.occupancyLimit();
    this.store = store;
    this.ledger = sizing.ledger(capacity, config.mode());
    SlotProtocol slots = sizing.slotsOf(store);
    this.replacement = sizing.replacement(slots, ledger);
    StatsRecorder recorder = config.recordHits() ? stats : null;
    this.valueRelease = new ValueRelease(ledger, callbacks, cache.scopes.reclaimer());
    this.table =
        new ClockTable(cache.buckets, slots, valueRelease, replacement, callbacks, recorder);
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
    this.held = new HeldSlots(this, table, replacement);
    this.writes = new Writes(this, stats, callbacks, observation);
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

  Writes writes() {
    return writes;
  }

  TableScan scan() {
    return scan;
  }

  long occupancyLimit() {
    return occupancyLimit;
  }

  Object value(int slot) {
    Object value = store.valueAcquire(slot);
    if (value == null) {
      throw new AssertionError("a pinned slot must have a value: slot=" + slot);
    }
    return value;
  }

  /** The entries of its table as handles see them. */
  HandleOwner held() {
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
  <V> Handle<V> handle(HandleOwner owner, int slot, V value) {
    try {
      return tracked(new PinnedHandle<>(owner, slot, value));
    } catch (Throwable e) {
      table.release(slot, false, false);
      throw e;
    }
  }

  /**
   * A handle on the value that a pinned slot shows, even if another takes its place meanwhile; ends
   * the pin. The charge is read first: no thread changes it while an exchange is under way.
   */
  @SuppressWarnings("unchecked")
  <V> Handle<V> handleOfValue(int slot) {
    long cold = store.coldAcquire(slot);
    V value = (V) value(slot);
    try {
      return tracked(new PinnedHandle<>(overwritten(slot, cold), 0, value));
    } finally {
      table.release(slot, true, false);
    }
  }

  /** The same with a handle that was made before. */
  @SuppressWarnings("unchecked")
  <V> void reuseForValue(PinnedHandle<V> handle, int slot) {
    long cold = store.coldAcquire(slot);
    V value = (V) value(slot);
    try {
      handle.reuse(overwritten(slot, cold), 0, value);
    } finally {
      table.release(slot, true, false);
    }
  }

  private HandleOwner overwritten(int slot, long cold) {
    return new OverwrittenEntry(this, store.keyHiOpaque(slot), store.keyLoOpaque(slot), cold);
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
