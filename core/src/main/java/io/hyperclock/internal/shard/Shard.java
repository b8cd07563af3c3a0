/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.AdaptiveClock;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.Newcomer;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.RoomRequest;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.LoadAhead;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.table.Arrivals;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.internal.table.Charging;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Departures;
import io.hyperclock.internal.table.Probing;
import io.hyperclock.internal.table.TableScan;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache: a table with its ledger and hand. Puts charge, table and
 * standalone entries together.
 */
final class Shard {
  private final ClockTable table;
  private final Departures departures;
  private final SlotStore store;
  private final CapacityLedger ledger;
  private final Charging charging;
  private final Arrivals arrivals;
  private final TableScan scan;
  private final HeldSlots held;
  private final Replacement replacement;
  private final long occupancyLimit;
  private final boolean rocksDbRules;
  private final TypeRegistry types;
  private final StatsRecorder stats;
  private final UserCallbacks callbacks;
  private final IncidentLog doubleCloses;
  private final Observation observation;
  private final @Nullable HandleTracker tracker;

  /** Changes the cold word of an entry that the caller holds. */
  interface ColdWord {
    boolean compareAndSet(long expected, long changed);
  }

  Shard(
      CacheConfig<?> config,
      TableSizing sizing,
      long capacity,
      SlotStore store,
      Probing probing,
      TypeRegistry types,
      StatsRecorder stats,
      UserCallbacks callbacks,
      Reclaimer reclaimer,
      IncidentLog doubleCloses,
      Observation observation) {
    this.types = types;
    this.stats = stats;
    this.callbacks = callbacks;
    this.doubleCloses = doubleCloses;
    this.observation = observation;
    this.tracker = observation.tracker();
    this.occupancyLimit = sizing.occupancyLimit();
    this.rocksDbRules = config.rocksDbParity();
    this.store = store;
    this.ledger =
        new CapacityLedger(capacity, config.mode() == CapacityMode.STRICT, sizing.metadataBytes());
    boolean adaptive = sizing.isAdaptive();
    int maxCountdown = adaptive ? AdaptiveClock.MAX_COUNTDOWN : ClassicClock.MAX_COUNTDOWN;
    Slots slots = new Slots(store, maxCountdown);
    this.replacement =
        adaptive
            ? new AdaptiveClock(slots, ledger, sizing.entries())
            : new ClassicClock(slots, rocksDbRules);
    StatsRecorder recorder = config.recordHits() ? stats : null;
    this.departures = new Departures(ledger, callbacks, reclaimer);
    this.table =
        new ClockTable(probing, slots, rocksDbRules, departures, replacement, callbacks, recorder);
    this.charging =
        new Charging(
            ledger,
            departures,
            replacement,
            table,
            callbacks,
            Math.max(1, config.evictionEffortCap()),
            rocksDbRules,
            stats.effortExceeded,
            observation.sweepWatch());
    this.arrivals = new Arrivals(ledger, charging, occupancyLimit, rocksDbRules);
    this.scan = new TableScan(table);
    this.held = new HeldSlots(this, table, replacement);
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

  Charging charging() {
    return charging;
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

  private <V> Handle<V> handle(int slot, V value) {
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
    } catch (OutOfMemoryError e) {
      table.release(slot, false, false);
      throw e;
    }
  }

  /**
   * A handle on the value that a pinned slot shows, whatever comes to stand in its place; ends the
   * pin. The charge is read first: nobody changes it while an exchange is under way.
   */
  @SuppressWarnings("unchecked")
  <V> Handle<V> handleOfValue(int slot) {
    long cold = store.coldAcquire(slot);
    V value = (V) value(slot);
    try {
      HandleOwner entry =
          new OverwrittenEntry(this, store.keyHiOpaque(slot), store.keyLoOpaque(slot), cold);
      return tracked(new PinnedHandle<>(entry, 0, value));
    } finally {
      table.release(slot, true, false);
    }
  }

  private <V> Handle<V> tracked(PinnedHandle<V> handle) {
    return tracker == null ? handle : tracker.track(handle);
  }

  /** Adds a value that nobody wants to hold. */
  InsertResult insert(long hi, long lo, long hash, Object value, long cold, Priority priority) {
    long charge = Cold.chargeBytes(cold);
    if (isOversize(charge) || isBeyondRoomOfCallback(charge)) {
      return letGo(hi, lo, value, cold);
    }
    LoadAhead.use(table.touch(hi, lo, hash) + replacement.touch(table, hash));
    if (!rocksDbRules && table.keepExisting(hi, lo, hash, replacement.countdown(priority))) {
      return keptExisting(hi, lo, value, cold);
    }
    int newcomer = replacement.newcomer(hash, priority, charge);
    RoomRequest room = arrivals.request(charge);
    if (!arrivals.charge(room)) {
      return ledger.isStrict() ? refused(hi, lo, cold) : letGo(hi, lo, value, cold);
    }
    int slot = place(hi, lo, hash, value, cold, newcomer, false, room);
    if (slot >= 0) {
      return InsertResult.INSERTED;
    }
    ledger.removeEntry(charge);
    if (slot == ClockTable.NO_SLOT) {
      return ledger.isStrict() ? refused(hi, lo, cold) : letGo(hi, lo, value, cold);
    }
    return keptExisting(hi, lo, value, cold);
  }

  private InsertResult keptExisting(long hi, long lo, Object value, long cold) {
    stats.keptExisting.increment();
    callbacks.dispose(hi, lo, value, cold);
    return InsertResult.KEPT_EXISTING;
  }

  private InsertResult refused(long hi, long lo, long cold) {
    stats.refused.increment();
    observation.refused(hi, lo, type(cold), Cold.chargeBytes(cold), ledger);
    return InsertResult.REFUSED;
  }

  private InsertResult letGo(long hi, long lo, Object value, long cold) {
    stats.dropped.increment();
    callbacks.dispose(hi, lo, value, cold);
    return InsertResult.DROPPED;
  }

  /** Adds a value and pins it; null if strict capacity refused it. */
  <V> @Nullable Handle<V> insertPinned(
      long hi, long lo, long hash, V value, long cold, Priority priority) {
    long charge = Cold.chargeBytes(cold);
    if (isOversize(charge)) {
      ledger.addUsage(charge);
      return standalone(hi, lo, value, cold);
    }
    LoadAhead.use(table.touch(hi, lo, hash) + replacement.touch(table, hash));
    int newcomer = replacement.newcomer(hash, priority, charge);
    RoomRequest room = arrivals.request(charge);
    if (!arrivals.charge(room)) {
      if (ledger.isStrict()) {
        refused(hi, lo, cold);
        return null;
      }
      ledger.addUsage(charge);
      return standalone(hi, lo, value, cold);
    }
    int slot = place(hi, lo, hash, value, cold, newcomer, true, room);
    if (slot >= 0) {
      return handle(slot, value);
    }
    ledger.getAndAddOccupancy(-1);
    if (slot == ClockTable.KEPT_EXISTING) {
      stats.keptExisting.increment();
    }
    return standalone(hi, lo, value, cold);
  }

  /**
   * Adds a value in place of an older one of its key.
   *
   * @param ifAbsentToo whether to add it also where there is none
   * @param expected the only value to take the place of, or null for any
   */
  InsertResult put(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      Priority priority,
      boolean ifAbsentToo,
      @Nullable Object expected) {
    long charge = Cold.chargeBytes(cold);
    if (!ifAbsentToo && !table.isPresent(hi, lo, hash)) {
      return InsertResult.NOT_PRESENT;
    }
    if (isOversize(charge) || isBeyondRoomOfCallback(charge)) {
      return expected == null
          ? putWithoutRoom(hi, lo, hash, value, cold, ifAbsentToo)
          : refused(hi, lo, cold);
    }
    LoadAhead.use(table.touch(hi, lo, hash) + replacement.touch(table, hash));
    int newcomer = replacement.newcomer(hash, priority, charge);
    int outcome = ClockTable.NO_SLOT;
    RoomRequest room = arrivals.request(charge);
    if (arrivals.charge(room)) {
      charging.tell(room);
      room.end();
      long meta = visibleMeta(cold, newcomer, false);
      outcome =
          table.put(hi, lo, hash, value, classed(cold, newcomer), meta, ifAbsentToo, expected);
      if (outcome >= 0) {
        stats.inserted(cold);
        return InsertResult.INSERTED;
      }
      if (outcome == ClockTable.REPLACED) {
        stats.replaced.increment();
        return InsertResult.REPLACED;
      }
      ledger.removeEntry(charge);
    }
    return switch (outcome) {
      case ClockTable.NOT_PRESENT -> InsertResult.NOT_PRESENT;
      case ClockTable.NOT_EXPECTED -> InsertResult.NOT_EXPECTED;
      default -> {
        boolean strict = ledger.isStrict();
        // Strict capacity has evicted the older entry before it gave up, unless that is held.
        if (!strict && ifAbsentToo && table.erase(hi, lo, hash)) {
          yield put(hi, lo, hash, value, cold, priority, true, null);
        }
        yield strict || expected != null
            ? refused(hi, lo, cold)
            : putWithoutRoom(hi, lo, hash, value, cold, ifAbsentToo);
      }
    };
  }

  /** Lets a value go that cannot be kept; what it was to take the place of goes too. */
  private InsertResult putWithoutRoom(
      long hi, long lo, long hash, Object value, long cold, boolean ifAbsentToo) {
    boolean erased = table.erase(hi, lo, hash);
    return erased || ifAbsentToo ? letGo(hi, lo, value, cold) : InsertResult.NOT_PRESENT;
  }

  private boolean isOversize(long charge) {
    return !rocksDbRules
        && !ledger.isStrict()
        && charge > ledger.capacity() - ledger.metadataBytes();
  }

  /** A callback of an eviction may use the room its own entry left, but may not evict others. */
  private boolean isBeyondRoomOfCallback(long charge) {
    return !ledger.isStrict()
        && ledger.usage() + charge > ledger.capacity()
        && callbacks.isEvicting();
  }

  private int place(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      int newcomer,
      boolean pinned,
      RoomRequest room) {
    long meta = visibleMeta(cold, newcomer, pinned);
    int countdown = Newcomer.countdown(newcomer);
    int slot = table.insert(hi, lo, hash, value, classed(cold, newcomer), meta, countdown, room);
    if (slot < 0) {
      charging.tell(room);
    } else if (room.hasEvicted()) {
      stats.exchanged(cold, room.takeEvicted());
    } else {
      stats.inserted(cold);
    }
    room.end();
    return slot;
  }

  private long visibleMeta(long cold, int newcomer, boolean pinned) {
    boolean readable = type(cold).disposer() == null;
    return Meta.visible(Newcomer.countdown(newcomer), pinned, readable, Newcomer.policy(newcomer));
  }

  private static long classed(long cold, int newcomer) {
    return Newcomer.isMain(newcomer) ? Cold.asMain(cold) : cold;
  }

  /** A standalone entry whose charge is already in the usage. */
  private <V> Handle<V> standalone(long hi, long lo, V value, long cold) {
    try {
      StandaloneEntry entry = new StandaloneEntry(this, hi, lo, value, cold);
      Handle<V> handle = tracked(new PinnedHandle<>(entry, 0, value));
      ledger.addStandaloneUsage(Cold.chargeBytes(cold));
      return handle;
    } catch (OutOfMemoryError e) {
      ledger.addUsage(-Cold.chargeBytes(cold));
      throw e;
    }
  }

  /** Makes a standalone entry; null if strict capacity refused it. */
  <V> @Nullable Handle<V> createStandalone(
      long hi, long lo, V value, long cold, boolean allowUncharged) {
    if (charging.charge(Cold.chargeBytes(cold), false)) {
      return standalone(hi, lo, value, cold);
    }
    if (allowUncharged) {
      return standalone(hi, lo, value, Cold.withCharge(cold, 0));
    }
    refused(hi, lo, cold);
    return null;
  }

  boolean adjustCharge(LongSupplier current, ColdWord word, long newChargeBytes) {
    CacheConfig.requireCharge(newChargeBytes);
    for (; ; ) {
      long before = current.getAsLong();
      long difference = newChargeBytes - Cold.chargeBytes(before);
      if (difference > 0 && !charging.charge(difference, false)) {
        return false;
      }
      if (word.compareAndSet(before, Cold.withCharge(before, newChargeBytes))) {
        ledger.addUsage(Math.min(0, difference));
        return true;
      }
      ledger.addUsage(-Math.max(0, difference));
    }
  }

  EntryType<?> type(long cold) {
    return types.type(Cold.typeId(cold));
  }

  void dispose(long hi, long lo, Object value, long cold) {
    callbacks.dispose(hi, lo, value, cold);
  }

  void reportDoubleClose(String what, long hi, long lo) {
    doubleCloses.report(what, hi + ":" + lo, null);
  }
}
