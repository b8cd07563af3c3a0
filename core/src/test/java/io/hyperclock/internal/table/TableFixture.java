/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.observe.RemovalCause;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.SlotWords;
import io.hyperclock.internal.slot.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tables of one shard without a cache around them: a test sees each step on their words, each value
 * that ends and what the policy is told, and may do what another thread would before any access.
 */
final class TableFixture {
  static final long HI = 5;
  static final long KEY = 1;
  static final long CHARGE = 100;

  private static final int MAX_COUNTDOWN = 3;

  /** No operation makes as many accesses but in a loop. */
  private static final int MOST_STEPS = 50_000;

  final CapacityLedger ledger = new CapacityLedger(1 << 20, false, 0);
  final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
  final Ends ends = new Ends();
  final ToldPolicy policy = new ToldPolicy();
  final ValueRelease release = new ValueRelease(ledger, ends, reclaimer);
  final List<ClockTable> tables = new ArrayList<>();
  final List<Migration> migrations = new ArrayList<>();
  private final List<CountingSlotStore> stores = new ArrayList<>();
  private final TableView kind;
  private int steps;
  private int stop = -1;
  private Runnable other = () -> {};

  /** One table with so many buckets. */
  TableFixture(int buckets, TableView kind) {
    this.kind = kind;
    add(new Buckets(buckets, 7), null);
  }

  /** How values end. */
  final class Ends extends SilentCallbacks {
    final List<String> ended = new ArrayList<>();
    final Set<Object> held = new HashSet<>();
    final Set<Long> dead = new HashSet<>();
    int evictions;
    boolean isHeard = true;
    boolean isEvicting;
    boolean isPinRequired;
    Supplier<Boolean> hasDisposer = () -> false;

    @Override
    public boolean isHeard(long cold) {
      return isHeard;
    }

    @Override
    public void countEviction(long cold) {
      evictions++;
    }

    @Override
    public boolean hasDisposer(long cold) {
      return hasDisposer.get();
    }

    @Override
    public void end(long hi, long lo, Object value, long cold, RemovalCause ending) {
      if (held.contains(value)) {
        throw new AssertionError("a value ends that is held: " + value);
      }
      ended.add(lo + "=" + value + " " + ending);
    }

    @Override
    public boolean isEvicting() {
      return isEvicting;
    }

    @Override
    public boolean isDead(long hi) {
      return dead.contains(hi);
    }

    @Override
    public long drops() {
      return dead.size();
    }
  }

  private void access() {
    if (++steps == stop) {
      stop = -1;
      other.run();
    }
    if (steps > MOST_STEPS) {
      steps = Integer.MIN_VALUE;
      throw new AssertionError("does not end");
    }
  }

  /** What another thread does before the access of this number, counted from 1. */
  void before(int step, Runnable action) {
    steps = 0;
    stop = step;
    other = action;
  }

  /** Whether it has been done; it is not done any more. */
  boolean wasStopped() {
    boolean was = stop < 0;
    stop = -1;
    return was;
  }

  private void add(Buckets buckets, @Nullable ClockTable before) {
    CountingSlotStore store = new CountingSlotStore(8 * buckets.count(), this::access);
    stores.add(store);
    SlotProtocol slots = new SlotProtocol(store, MAX_COUNTDOWN);
    tables.add(new ClockTable(buckets, slots, release, policy, ends, null, kind, before));
  }

  /** Begins to move to a table of so many buckets. */
  void grow(int buckets) {
    ClockTable last = newest();
    add(last.buckets().withCount(buckets), last);
    migrations.add(new Migration(last, newest()));
    last.leaveFor(newest());
  }

  /** Moves all entries that can be moved; whether the old table is drained. */
  boolean move() {
    if (newest().before() == null) {
      return true;
    }
    Migration last = migrations.get(migrations.size() - 1);
    for (int turn = 0; turn < 100 && !last.drained; turn++) {
      EvictionRequest request = new EvictionRequest(0);
      last.help(1, Integer.MAX_VALUE, request);
      flush(request);
    }
    if (last.drained && last.end()) {
      newest().settled();
    }
    return last.drained;
  }

  ClockTable first() {
    return tables.get(0);
  }

  ClockTable newest() {
    return tables.get(tables.size() - 1);
  }

  /** The words of a table, for looks that are not seen. */
  SlotStore words(ClockTable table) {
    return stores.get(tables.indexOf(table)).words();
  }

  CountingSlotStore store(ClockTable table) {
    return stores.get(tables.indexOf(table));
  }

  long hash(long lo) {
    return first().buckets().hash(HI, lo);
  }

  long meta(ClockTable table, int slot) {
    return words(table).metaAcquire(slot);
  }

  /** The slot in which a key is visible, or -1. */
  int slot(ClockTable table, long lo) {
    SlotStore words = words(table);
    for (int slot = 0; slot < words.slots(); slot++) {
      if (MetaWord.isVisible(words.metaAcquire(slot))
          && words.keyLoOpaque(slot) == lo
          && words.keyHiOpaque(slot) == HI) {
        return slot;
      }
    }
    return -1;
  }

  /** A key that differs from all of these and shares buckets and tag with the first of them. */
  long doubleOf(long... others) {
    Buckets buckets = first().buckets();
    long like = hash(others[0]);
    for (long lo = 1_000; ; lo++) {
      long hash = hash(lo);
      long candidate = lo;
      if (Tags.pattern(hash) == Tags.pattern(like)
          && buckets.first(hash) == buckets.first(like)
          && buckets.second(hash) == buckets.second(like)
          && Arrays.stream(others).noneMatch(key -> key == candidate)) {
        return lo;
      }
    }
  }

  private void flush(EvictionRequest request) {
    ledger.addUsage(-request.takeDeferredBytes());
    ledger.addOccupancyUnlessZero(-request.takeDeferredEntries());
    request.takeLocalEvictions();
  }

  /** The outcome of an insert: that of the table, 0 if it was inserted. */
  int insert(long lo, Object value) {
    return insertOf(0, lo, value);
  }

  int insertOf(int type, long lo, Object value) {
    for (ClockTable table = newest(); ; table = newest()) {
      if (table.insertion().keepExisting(HI, lo, hash(lo), 1)) {
        return EntryTable.KEPT_EXISTING;
      }
      reserve();
      EvictionRequest request = new EvictionRequest(CHARGE);
      long meta = MetaWord.visible(1, false, true, 0);
      long cold = ChargeWord.of(type, CHARGE);
      int outcome = table.insertion().insert(HI, lo, hash(lo), value, cold, meta, 1, request);
      flush(request);
      if (outcome < 0) {
        ledger.removeEntry(CHARGE);
      }
      if (outcome != EntryTable.LEFT) {
        return Math.min(0, outcome);
      }
    }
  }

  private void reserve() {
    ledger.addUsage(CHARGE);
    ledger.addOccupancyUnlessZero(1);
  }

  /** The outcome of an overwrite, in place if that is possible. */
  int put(int type, long lo, Object value, boolean ifAbsentToo, @Nullable Object expected) {
    long cold = ChargeWord.of(type, CHARGE);
    for (ClockTable table = newest(); ; table = newest()) {
      int inPlace = table.inPlace().put(HI, lo, hash(lo), value, cold, expected);
      if (inPlace != EntryTable.NOT_IN_PLACE) {
        return inPlace;
      }
      reserve();
      EvictionRequest request = new EvictionRequest(CHARGE);
      int outcome =
          table
              .insertion()
              .put(
                  HI,
                  lo,
                  hash(lo),
                  value,
                  cold,
                  MetaWord.visible(1, false, true, 0),
                  ifAbsentToo,
                  expected,
                  request);
      flush(request);
      if (outcome < 0) {
        ledger.removeEntry(CHARGE);
      }
      if (outcome != EntryTable.LEFT) {
        boolean replaced = outcome >= 0 && (outcome & Insertion.OVER_OLDER) != 0;
        return replaced ? EntryTable.REPLACED : Math.min(0, outcome);
      }
    }
  }

  boolean erase(long lo, @Nullable Object expected) {
    return newest().erase(HI, lo, hash(lo), expected);
  }

  @Nullable Object get(long lo) {
    ClockTable table = newest();
    return table.currentReads().read(HI, lo, hash(lo), MetaWord.READABLE, true);
  }

  /** A pin of an entry, wherever it was found. */
  record Pin(ClockTable table, int slot, Object value) {
    boolean release(boolean useful, boolean eraseIfLast) {
      return table.slots().release(slot, useful, eraseIfLast)
          && table.free(slot, useful, eraseIfLast);
    }
  }

  /** As a shard looks a key up; null if it is in no table. */
  @Nullable Pin pin(long lo) {
    ClockTable table = newest();
    TableView view = table.before() == null ? kind : TableView.MOVING;
    int slot = table.pinnedReadsOf(this, view).lookup(HI, lo, hash(lo));
    if (slot != PinnedReads.ELSEWHERE) {
      return pinned(table, slot);
    }
    for (; ; ) {
      ClockTable newest = newest();
      ClockTable before = newest.before();
      Pin found = before == null ? null : pinHere(before, lo);
      if (found == null) {
        found = pinHere(newest, lo);
      }
      if (found != null
          || newest.next() == null && (before == null || !before.shows(HI, lo, hash(lo)))) {
        return found;
      }
    }
  }

  private @Nullable Pin pinHere(ClockTable table, long lo) {
    return pinned(
        table, table.pinnedReadsOf(this, TableView.MOVING).lookupHere(HI, lo, hash(lo), true));
  }

  private @Nullable Pin pinned(ClockTable table, int found) {
    if (found == PinnedReads.ABSENT) {
      return null;
    }
    int slot = found & Integer.MAX_VALUE;
    return new Pin(table, slot, table.store.valueAcquire(slot));
  }

  /** Fails if a sum or a slot is not what it should be; no thread writes, nothing is held. */
  void isWhole() {
    long present = 0;
    for (ClockTable table : tables) {
      SlotStore words = words(table);
      Set<Long> keys = new HashSet<>();
      for (int slot = 0; slot < words.slots(); slot++) {
        long meta = words.metaAcquire(slot);
        if (!MetaWord.isEmpty(meta) && !MetaWord.isVisible(meta)) {
          throw new AssertionError("slot " + slot + ": " + SlotWords.text(meta));
        }
        if (MetaWord.isEmpty(meta)) {
          if (SlotWords.tag(words, slot) != 0 || table.store.valueOpaque(slot) != null) {
            throw new AssertionError("tag or value is left in slot " + slot);
          }
        } else {
          present++;
          assertThat(MetaWord.refcount(meta)).as("pins of slot %s", slot).isZero();
          assertThat(MetaWord.isSuperseding(meta)).as("slot %s supersedes", slot).isFalse();
          assertThat(ChargeWord.chargeBytes(words.coldAcquire(slot))).isEqualTo(CHARGE);
          assertThat(keys.add(words.keyLoOpaque(slot))).as("key of slot %s twice", slot).isTrue();
        }
      }
    }
    assertThat(ledger.occupancy()).as("occupancy").isEqualTo(present);
    assertThat(ledger.usage()).as("usage").isEqualTo(present * CHARGE);
    assertThat(policy.entries).as("entries of the policy").isEqualTo(present);
    assertThat(policy.bytes).as("bytes of the policy").isEqualTo(present * CHARGE);
  }
}
