/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.handle.PinnedHandle;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.observe.UserCallbacks;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.InitialState;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.Prefetch;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Insertion;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache. Its inserts and overwrites charge a value, make room for it and
 * place it, or tell why they did not. A value that is dropped, or whose key is present, goes to its
 * disposer; one that is refused, or had nothing to take the place of, stays the caller's.
 *
 * <p>In a cache that sizes itself a shard has a successor for each other size of its table, see
 * {@code Resizing}. Both have the same ledger; while entries are moved to the newer one a key may
 * be in either.
 */
final class Shard extends ShardTable {
  /** In place of a slot: there is no room for an entry, whatever slots are free. */
  static final int NO_ROOM = Integer.MIN_VALUE;

  private final Insertion insertion;
  final StatsRecorder stats;
  private final UserCallbacks callbacks;
  private final ObserverNotifier observation;
  private final @Nullable Predicate<Shard> growth;

  /**
   * A shard without entries.
   *
   * @param growth makes a larger one take the place of one in which an insert finds no slot, if it
   *     can; null if none ever takes its place
   * @param present as for {@link ShardTable}
   * @param before the one that it takes the place of, or null for the first
   */
  Shard(
      CacheParts parts,
      TableSizing sizing,
      CapacityLedger ledger,
      @Nullable Predicate<Shard> growth,
      @Nullable Supplier<CapacityEnforcer> present,
      @Nullable Shard before) {
    super(parts, sizing, ledger, present, before);
    this.insertion = table.insertion();
    this.stats = parts.stats;
    this.callbacks = parts.callbacks;
    this.observation = parts.observation;
    this.growth = growth;
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

  /** Adds a value without a pin. */
  InsertResult insert(long hi, long lo, long hash, Object value, long cold, Priority priority) {
    int slot = add(hi, lo, hash, value, cold, priority, false);
    if (slot >= 0) {
      return InsertResult.INSERTED;
    }
    return switch (slot) {
      case ClockTable.LEFT -> newest().insert(hi, lo, hash, value, cold, priority);
      case ClockTable.KEPT_EXISTING -> {
        callbacks.dispose(hi, lo, value, cold);
        yield InsertResult.KEPT_EXISTING;
      }
      default -> ledger.isStrict() ? refused(hi, lo, cold) : letGo(hi, lo, value, cold);
    };
  }

  /**
   * Adds an entry; its slot, or why there is none. A value that is to be pinned stays charged if
   * there was room for it but no place: it becomes a standalone entry.
   */
  int add(long hi, long lo, long hash, Object value, long cold, Priority priority, boolean pinned) {
    StackReserve.requireLittle();
    long charge = ChargeWord.chargeBytes(cold);
    if (enforcer.isOversize(charge) || !pinned && isBeyondRoomOfCallback(charge)) {
      return NO_ROOM;
    }
    Prefetch.use(replacement.touch());
    if (pinned) {
      insertion.lookAhead(hash);
    } else if (insertion.keepExisting(hi, lo, hash, replacement.countdown(priority))) {
      stats.keptExisting.increment();
      return ClockTable.KEPT_EXISTING;
    }
    int newcomer = replacement.newcomer(hash, priority, charge);
    EvictionRequest request = enforcer.request(charge);
    if (!enforcer.reserveSlotAndUsage(request)) {
      return isLeft() ? ClockTable.LEFT : NO_ROOM;
    }
    int slot = place(hi, lo, hash, value, cold, newcomer, pinned, request);
    if (slot >= 0) {
      return slot;
    }
    if (!pinned) {
      ledger.removeEntry(charge);
    }
    // What is to be pinned keeps its charge meanwhile, unless that throws.
    boolean isElsewhere = true;
    try {
      isElsewhere = slot == ClockTable.LEFT || slot == ClockTable.NO_SLOT && grows();
    } finally {
      if (pinned) {
        ledger.getAndAddOccupancy(-1);
        ledger.addUsage(isElsewhere ? -charge : 0);
      }
    }
    if (isElsewhere) {
      return ClockTable.LEFT;
    }
    (slot == ClockTable.KEPT_EXISTING ? stats.keptExisting : stats.withoutSlot).increment();
    return slot;
  }

  /** Whether entries are in another table by now, of which this thread did not know. */
  boolean isLeft() {
    return table.next() != null;
  }

  InsertResult refused(long hi, long lo, long cold) {
    stats.refused.increment();
    long charge = ChargeWord.chargeBytes(cold);
    observation.refused(hi, lo, types.of(cold), charge, ledger.usage(), ledger.capacity());
    return InsertResult.REFUSED;
  }

  private InsertResult letGo(long hi, long lo, Object value, long cold) {
    stats.dropped.increment();
    callbacks.dispose(hi, lo, value, cold);
    return InsertResult.DROPPED;
  }

  /** Whether a larger table has taken the place of this one, in which no slot is free. */
  private boolean grows() {
    return growth != null && growth.test(this);
  }

  /**
   * Adds a value in place of an older one of its key.
   *
   * @param ifAbsentToo whether to add it also where there is none
   * @param expected the only value to take the place of, or null for any
   * @param again whether to try again, once, where the older one had to leave first
   */
  InsertResult put(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      Priority priority,
      boolean ifAbsentToo,
      @Nullable Object expected,
      boolean again) {
    StackReserve.require();
    long charge = ChargeWord.chargeBytes(cold);
    if (!ifAbsentToo && table.currentReads().read(hi, lo, hash, MetaWord.VISIBLE, false) == null) {
      return InsertResult.NOT_PRESENT;
    }
    if (enforcer.isOversize(charge) || isBeyondRoomOfCallback(charge)) {
      return expected == null
          ? putWithoutRoom(hi, lo, hash, value, cold, ifAbsentToo)
          : refused(hi, lo, cold);
    }
    int outcome = overwrite(hi, lo, hash, value, cold, priority, false, ifAbsentToo, expected);
    if (outcome >= 0) {
      boolean replaced = (outcome & Insertion.OVER_OLDER) != 0;
      return replaced ? InsertResult.REPLACED : InsertResult.INSERTED;
    }
    return switch (outcome) {
      case ClockTable.LEFT ->
          newest().put(hi, lo, hash, value, cold, priority, ifAbsentToo, expected, again);
      case ClockTable.NOT_PRESENT -> InsertResult.NOT_PRESENT;
      case ClockTable.NOT_EXPECTED -> InsertResult.NOT_EXPECTED;
      default -> {
        boolean strict = ledger.isStrict();
        // Strict: the older entry may be there still, because it is held, or because nothing was
        // evicted for a value that cannot fit. As the value stays the caller's, so does the choice.
        if (again && !strict && ifAbsentToo && table.erase(hi, lo, hash)) {
          yield put(hi, lo, hash, value, cold, priority, true, null, false);
        }
        if (outcome == ClockTable.NO_SLOT) {
          stats.withoutSlot.increment();
        }
        yield strict || expected != null
            ? refused(hi, lo, cold)
            : putWithoutRoom(hi, lo, hash, value, cold, ifAbsentToo);
      }
    };
  }

  /**
   * Makes room for a value and puts it in place of an older one of its key, if there is one.
   *
   * @param pinned whether the caller holds it then
   * @param ifAbsentToo as for {@link #put}
   * @param expected as for {@link #put}
   * @return as {@link Insertion#put}, or {@link #NO_ROOM}
   */
  int overwrite(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      Priority priority,
      boolean pinned,
      boolean ifAbsentToo,
      @Nullable Object expected) {
    long charge = ChargeWord.chargeBytes(cold);
    insertion.lookAhead(hash);
    int newcomer = replacement.newcomer(hash, priority, charge);
    EvictionRequest request = enforcer.request(charge);
    if (!enforcer.reserveSlotAndUsage(request)) {
      return isLeft() ? ClockTable.LEFT : NO_ROOM;
    }
    int outcome = NO_ROOM;
    try {
      enforcer.flush(request);
      long meta = visibleMeta(cold, newcomer, pinned);
      long classed = classed(cold, newcomer);
      outcome = insertion.put(hi, lo, hash, value, classed, meta, ifAbsentToo, expected, request);
    } finally {
      countLocally(request);
      enforcer.end(request);
      if (outcome < 0) {
        ledger.removeEntry(charge);
      }
    }
    if (outcome < 0) {
      return outcome == ClockTable.NO_SLOT && grows() ? ClockTable.LEFT : outcome;
    }
    if ((outcome & Insertion.OVER_OLDER) != 0) {
      stats.replaced.increment();
    } else {
      stats.inserted(cold);
    }
    return outcome;
  }

  /** Lets a value go that cannot be kept; what it was to take the place of goes too. */
  private InsertResult putWithoutRoom(
      long hi, long lo, long hash, Object value, long cold, boolean ifAbsentToo) {
    boolean erased = table.erase(hi, lo, hash);
    return erased || ifAbsentToo ? letGo(hi, lo, value, cold) : InsertResult.NOT_PRESENT;
  }

  /** A callback of an eviction may use the room its own entry left, but may not evict others. */
  private boolean isBeyondRoomOfCallback(long charge) {
    return !ledger.isStrict() && !ledger.hasRoomFor(charge) && callbacks.isEvicting();
  }

  /** Places a value that is charged; takes the charge back if the stack or the memory ends. */
  private int place(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      int newcomer,
      boolean pinned,
      EvictionRequest request) {
    boolean placed = false;
    try {
      long meta = visibleMeta(cold, newcomer, pinned);
      int boost = InitialState.countdown(newcomer);
      int slot =
          insertion.insert(hi, lo, hash, value, classed(cold, newcomer), meta, boost, request);
      if (slot >= 0) {
        if (request.hasEvicted()) {
          stats.exchanged(cold, request.takeEvicted());
        } else {
          stats.inserted(cold);
        }
      }
      placed = true;
      return slot;
    } finally {
      countLocally(request);
      // Nothing, mostly: what was evicted from the new entry's buckets is not yet on the ledger.
      enforcer.end(request);
      if (!placed) {
        ledger.removeEntry(ChargeWord.chargeBytes(cold));
      }
    }
  }

  private void countLocally(EvictionRequest request) {
    int evictions = request.takeLocalEvictions();
    if (evictions != 0) {
      stats.localEvictions.add(evictions);
    }
  }

  private long visibleMeta(long cold, int newcomer, boolean pinned) {
    EntryType<?> type = types.of(cold);
    boolean readable = type.disposer() == null || type.isStamped();
    return MetaWord.visible(
        InitialState.countdown(newcomer), pinned, readable, InitialState.policy(newcomer));
  }

  private static long classed(long cold, int newcomer) {
    return InitialState.isMain(newcomer) ? ChargeWord.asMain(cold) : cold;
  }
}
