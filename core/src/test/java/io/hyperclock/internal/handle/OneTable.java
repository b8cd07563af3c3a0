/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CacheObserver;
import io.hyperclock.LeakDetection;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.observe.UserCallbacks;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Migration;
import io.hyperclock.internal.table.TableView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A table without a cache around it, its entries as handles see them, and a tracker of these. */
final class OneTable {
  static final long CAPACITY = 1000;
  static final long CHARGE = 100;
  static final long HI = 5;

  final List<String> disposed = new ArrayList<>();
  final Queue<String> recharged = new ConcurrentLinkedQueue<>();
  final EntryType<String> type = EntryType.of("collected");
  final EntryType<String> disposable =
      EntryType.<String>named("disposable")
          .disposer((hi, lo, value) -> disposed.add(value))
          .build();
  final TypeRegistry types = new TypeRegistry();
  final CapacityLedger ledger = new CapacityLedger(CAPACITY, true, 0);
  final IncidentLog doubleCloses = new IncidentLog("closed twice on purpose");
  boolean clockThrows;
  private final UserCallbacks callbacks =
      new UserCallbacks(types, new StatsRecorder(types), new DroppedFiles(), null);
  private final Policy policy = new Policy();
  private final Buckets buckets = new Buckets(4, 7);
  private final SlotProtocol slots = new SlotProtocol(new HeapSlotStore(8 * buckets.count()), 1);
  private final ValueRelease release;
  private final ClockTable table;
  private final CapacityEnforcer enforcer;
  final HandleTracker tracker;
  final HandleSupport support;

  /** Of handles that are not tracked. */
  final TableEntries entries;

  /** Of handles that are all tracked. */
  final TableEntries tracked;

  OneTable() {
    types.idOf(disposable); // The other is not the first one, so that its number tells it.
    release = new ValueRelease(ledger, callbacks, new Reclaimer(new ReadEpochs(1), () -> {}));
    table =
        new ClockTable(buckets, slots, release, policy, callbacks, null, TableView.SETTLED, null);
    enforcer =
        new CapacityEnforcer(ledger, release, policy, table, slots, 8, 1, new Figure(), null);
    ObserverNotifier.Settings settings =
        new ObserverNotifier.Settings(
            new CacheObserver() {}, LeakDetection.all(), Duration.ofDays(1));
    tracker =
        new HandleTracker(
            settings,
            new ObserverNotifier(settings, new IncidentLog("failed")),
            doubleCloses,
            this::nanos);
    support = support(null);
    entries = new TableEntries(support, table, policy);
    tracked = new TableEntries(support(tracker), table, policy);
  }

  private HandleSupport support(@Nullable HandleTracker tracker) {
    return new HandleSupport(types, callbacks, ledger, () -> enforcer, doubleCloses, tracker);
  }

  private long nanos() {
    if (clockThrows) {
      throw new IllegalStateException("clock");
    }
    return 0;
  }

  /** Inserts an entry; its slot, pinned. */
  int insert(long lo, String value, EntryType<String> type) {
    long hash = buckets.hash(HI, lo);
    long cold = ChargeWord.of(types.idOf(type), CHARGE);
    long meta = MetaWord.visible(1, false, true, 0);
    ledger.addUsage(CHARGE);
    ledger.addOccupancyUnlessZero(1);
    EvictionRequest request = new EvictionRequest(CHARGE);
    int outcome = table.insertion().insert(HI, lo, hash, value, cold, meta, 1, request);
    assertThat(outcome).isNotNegative();
    int slot = pin(lo);
    assertThat(slot).isNotNegative();
    return slot;
  }

  /** Looks a key up; its slot, pinned, or a negative number. */
  int pin(long lo) {
    return pinIn(table, lo);
  }

  private int pinIn(ClockTable in, long lo) {
    return in.pinnedReadsOf(this, TableView.SETTLED).lookup(HI, lo, buckets.hash(HI, lo));
  }

  /** Moves all entries to another table; what is pinned here keeps its slot here too. */
  ClockTable move() {
    SlotProtocol fresh = new SlotProtocol(new HeapSlotStore(8 * 6), 1);
    ClockTable next =
        new ClockTable(
            buckets.withCount(6),
            fresh,
            release,
            policy,
            callbacks,
            null,
            TableView.SETTLED,
            table);
    Migration migration = new Migration(table, next);
    table.leaveFor(next);
    migration.help(100, Integer.MAX_VALUE, new EvictionRequest(0));
    return next;
  }

  /** Pins an entry of the table to which it was moved, and lets go of it with this. */
  Runnable pinMoved(ClockTable next, long lo) {
    int slot = pinIn(next, lo);
    assertThat(slot).isNotNegative();
    return () -> next.release(slot, true);
  }

  void erase(long lo) {
    assertThat(table.erase(HI, lo, buckets.hash(HI, lo))).isTrue();
  }

  long pins(int slot) {
    return MetaWord.refcount(slots.store().metaAcquire(slot));
  }

  /** Notes which charges change, and evicts nothing. */
  private final class Policy implements Replacement {
    @Override
    public int newcomer(long hash, Priority priority, long chargeBytes) {
      return 0;
    }

    @Override
    public int worth(long meta, long cold) {
      return 0;
    }

    @Override
    public int countdown(Priority priority) {
      return 1;
    }

    @Override
    public void recharged(long coldBefore, long coldAfter) {
      recharged.add(
          ChargeWord.chargeBytes(coldBefore) + " to " + ChargeWord.chargeBytes(coldAfter));
    }

    @Override
    public void makeRoom(EvictableEntries residents, EvictionRequest request) {}

    @Override
    public boolean makeRoomIn(
        EvictableEntries residents, int first, int second, EvictionRequest request) {
      return false;
    }

    @Override
    public long searchedForDead() {
      return 0;
    }

    @Override
    public Replacement resized(SlotProtocol slots, int entries) {
      return this;
    }
  }
}
