/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.CapacityMode;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.AdaptiveClock;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.Newcomer;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.shard.TableSizing;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.WriterGate;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.CapacityLedger;
import io.hyperclock.internal.table.Charging;
import io.hyperclock.internal.table.Departures;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache of two versions: its table and what is charged for it. The
 * committed values are charged as entries; prepared versions as standalone values, which the hand
 * cannot take.
 */
final class VersionedShard {
  private final TwoVersionCache<?> cache;
  private final VersionedCounts counts;
  private final NamespaceCounters namespaces;
  private final VersionedTable table;
  private final SlotStore store;
  private final WriterGate gate;
  private final PrepareArray prepares;
  private final CapacityLedger ledger;
  private final VersionedRoom room;
  private final Replacement replacement;

  VersionedShard(
      TwoVersionCache<?> cache,
      VersionedConfig config,
      TableSizing sizing,
      long capacity,
      SlotStore store,
      Buckets buckets,
      VersionedCounts counts,
      NamespaceCounters namespaces,
      Reclaimer reclaimer) {
    this.cache = cache;
    this.counts = counts;
    this.namespaces = namespaces;
    this.store = store;
    boolean adaptive = sizing.isAdaptive();
    int maxCountdown = adaptive ? AdaptiveClock.MAX_COUNTDOWN : ClassicClock.MAX_COUNTDOWN;
    Slots slots = new Slots(store, maxCountdown);
    boolean strict = config.mode() == CapacityMode.STRICT;
    this.ledger = new CapacityLedger(capacity, strict, sizing.metadataBytes());
    this.replacement =
        adaptive ? new AdaptiveClock(slots, ledger, sizing.entries()) : new ClassicClock(slots);
    this.table = new VersionedTable(buckets, slots, replacement, this::left, cache.leases());
    this.gate = table.gate();
    this.prepares = table.prepares();
    Charging charging =
        new Charging(
            ledger,
            new Departures(ledger, counts, reclaimer),
            replacement,
            table,
            slots,
            counts,
            VersionedConfig.EFFORT_CAP,
            counts.effortExceeded,
            null);
    this.room = new VersionedRoom(ledger, charging, sizing.occupancyLimit());
  }

  TwoVersionCache<?> cache() {
    return cache;
  }

  VersionedTable table() {
    return table;
  }

  CapacityLedger ledger() {
    return ledger;
  }

  Replacement replacement() {
    return replacement;
  }

  private void left(long cold, boolean evicted) {
    ledger.removeEntry(Cold.chargeBytes(cold));
    if (evicted) {
      counts.countEviction(cold);
      namespaces.items(Cold.typeId(cold), -1, -Cold.chargeBytes(cold));
    }
  }

  WriteResult put(long hi, long lo, long hash, Object value, int namespace, long chargeBytes) {
    for (int waits = 0; ; ) {
      int slot = table.pin(hi, lo, hash);
      WriteResult result =
          slot >= 0
              ? overwrite(slot, value, chargeBytes, false)
              : add(hi, lo, hash, value, namespace, chargeBytes);
      if (result != null) {
        return result;
      }
      if (!WriterGate.mayWait(waits++)) {
        return inProgress();
      }
    }
  }

  WriteResult insert(long hi, long lo, long hash, Object value, int namespace, long chargeBytes) {
    for (int waits = 0; ; ) {
      int slot = table.pin(hi, lo, hash);
      WriteResult result =
          slot >= 0
              ? bringIn(slot, value, namespace, chargeBytes)
              : add(hi, lo, hash, value, namespace, chargeBytes);
      if (result != null) {
        return result;
      }
      if (!WriterGate.mayWait(waits++)) {
        return inProgress();
      }
    }
  }

  /**
   * Brings a committed value in beside the only version of a pinned key, and ends the pin; null if
   * it must be tried again. No writer is kept out and nothing in the slot changes: the value is
   * with the prepared version until that is decided.
   */
  private @Nullable WriteResult bringIn(int slot, Object value, int namespace, long chargeBytes) {
    long meta = store.metaAcquire(slot);
    if (!Meta.isPrepared(meta)) {
      table.release(slot, false);
      return Meta.isVisible(meta) ? WriteResult.KEPT_EXISTING : null;
    }
    Prepare prepare = prepares.get(slot);
    if (prepare == null || isOver(slot, prepare)) {
      table.release(slot, false);
      help(prepare);
      return null;
    }
    if (!prepare.isOnlyVersion()) {
      table.release(slot, false);
      return WriteResult.KEPT_EXISTING;
    }
    if (room.isOversize(chargeBytes)) {
      table.release(slot, false);
      return WriteResult.DROPPED;
    }
    Prepare.Beneath beneath = beneathOrRelease(slot, value, chargeBytes);
    if (!chargeOrRelease(slot, chargeBytes)) {
      table.release(slot, false);
      return WriteResult.REFUSED;
    }
    ledger.addStandaloneUsage(chargeBytes);
    namespaces.items(namespace, 1, chargeBytes);
    boolean broughtIn = prepare.bringIn(beneath);
    if (!broughtIn) {
      namespaces.items(namespace, -1, -chargeBytes);
      ledger.removeStandalone(chargeBytes);
    }
    table.release(slot, broughtIn);
    return broughtIn ? WriteResult.INSERTED : null;
  }

  /** Writes the verdict of a group down, if there is one that has not been written. */
  private static void help(@Nullable Prepare prepare) {
    if (prepare != null && prepare.group != null) {
      prepare.tryEnd(prepare.verdict());
    }
  }

  WriteResult replace(long hi, long lo, long hash, Object value, long chargeBytes) {
    for (int waits = 0; ; ) {
      int slot = table.pin(hi, lo, hash);
      WriteResult result =
          slot >= 0 ? overwrite(slot, value, chargeBytes, true) : WriteResult.NOT_PRESENT;
      if (result != null) {
        return result;
      }
      if (!WriterGate.mayWait(waits++)) {
        return inProgress();
      }
    }
  }

  WriteResult erase(long hi, long lo, long hash) {
    for (int waits = 0; ; ) {
      int slot = table.pin(hi, lo, hash);
      if (slot < 0) {
        return WriteResult.NOT_PRESENT;
      }
      WriteResult result = WriteResult.ERASED;
      int outcome = gate.enter(slot);
      if (outcome == WriterGate.ENTERED) {
        eraseInside(slot);
      } else {
        result = kept(slot, outcome, false);
      }
      if (result != null) {
        return result;
      }
      if (!WriterGate.mayWait(waits++)) {
        return inProgress();
      }
    }
  }

  private void eraseInside(int slot) {
    long cold = store.coldAcquire(slot);
    namespaces.items(Cold.typeId(cold), -1, -Cold.chargeBytes(cold));
    table.hide(slot);
  }

  /** Exchanges the value of a pinned entry and ends the pin; null if it must be tried again. */
  private @Nullable WriteResult overwrite(
      int slot, Object value, long chargeBytes, boolean ifPresent) {
    for (; ; ) {
      if (Meta.isPrepared(store.metaAcquire(slot))) {
        return kept(slot, WriterGate.PREPARED, ifPresent);
      }
      boolean keeps = !room.isOversize(chargeBytes);
      long before = Cold.chargeBytes(store.coldAcquire(slot));
      long more = keeps ? Math.max(0, chargeBytes - before) : 0;
      if (more > 0 && !chargeOrRelease(slot, more)) {
        table.release(slot, false);
        return WriteResult.REFUSED;
      }
      int outcome = gate.enter(slot);
      if (outcome != WriterGate.ENTERED) {
        ledger.addUsage(-more);
        return kept(slot, outcome, ifPresent);
      }
      if (!keeps) {
        eraseInside(slot);
        return WriteResult.DROPPED;
      }
      long cold = store.coldAcquire(slot);
      if (Cold.chargeBytes(cold) == before) {
        gate.setValue(slot, value);
        table.recharge(slot, chargeBytes);
        gate.leave(slot);
        ledger.addUsage(Math.min(0, chargeBytes - before));
        namespaces.items(Cold.typeId(cold), 0, chargeBytes - before);
        table.release(slot, true);
        return WriteResult.REPLACED;
      }
      gate.leave(slot);
      ledger.addUsage(-more);
    }
  }

  /**
   * What to answer a writer who was kept out; helps a decided prepare to its end and ends one whose
   * lease has ended. Ends the pin.
   *
   * @return null to try again
   */
  private @Nullable WriteResult kept(int slot, int outcome, boolean ifPresent) {
    Prepare prepare = outcome == WriterGate.PREPARED ? prepares.get(slot) : null;
    table.release(slot, false);
    if (outcome == WriterGate.BUSY) {
      return inProgress();
    }
    if (prepare == null
        || prepare.verdict() != Prepare.PENDING
        || cache.leases().expireIfDue(prepare)) {
      help(prepare);
      return null;
    }
    return ifPresent && prepare.isOnlyVersion() ? WriteResult.NOT_PRESENT : inProgress();
  }

  private WriteResult inProgress() {
    counts.refusedInProgress.increment();
    return WriteResult.IN_PROGRESS;
  }

  /** Adds an entry; null if its key has come meanwhile. */
  private @Nullable WriteResult add(
      long hi, long lo, long hash, Object value, int namespace, long chargeBytes) {
    if (room.isOversize(chargeBytes)) {
      return WriteResult.DROPPED;
    }
    int newcomer = replacement.newcomer(hash, Priority.LOW, chargeBytes);
    if (!room.chargeWithSlot(chargeBytes)) {
      return noSlot();
    }
    long meta = Meta.visible(Newcomer.countdown(newcomer), false, true, Newcomer.policy(newcomer));
    long cold = classed(Cold.of(namespace, chargeBytes), newcomer);
    namespaces.items(namespace, 1, chargeBytes);
    int slot = VersionedTable.NO_SLOT;
    try {
      slot = table.insert(hi, lo, hash, value, cold, meta, null);
    } finally {
      if (slot < 0) {
        namespaces.items(namespace, -1, -chargeBytes);
        ledger.removeEntry(chargeBytes);
      }
    }
    if (slot >= 0) {
      return WriteResult.INSERTED;
    }
    return slot == VersionedTable.PRESENT ? null : noSlot();
  }

  private WriteResult noSlot() {
    return ledger.isStrict() ? WriteResult.REFUSED : WriteResult.DROPPED;
  }

  private static long classed(long cold, int newcomer) {
    return Newcomer.isMain(newcomer) ? Cold.asMain(cold) : cold;
  }

  /** Puts a new prepared version beside its key and charges it, or leaves nothing behind. */
  PrepareOutcome prepare(long hash, Prepare prepare) {
    if (room.isOversize(prepare.chargeBytes) || !room.charge(prepare.chargeBytes)) {
      return PrepareOutcome.NO_ROOM;
    }
    ledger.addStandaloneUsage(prepare.chargeBytes);
    PrepareOutcome outcome;
    try {
      outcome = place(hash, prepare);
    } catch (Throwable e) {
      ledger.removeStandalone(prepare.chargeBytes);
      throw e;
    }
    if (outcome != PrepareOutcome.PREPARED) {
      ledger.removeStandalone(prepare.chargeBytes);
      return outcome;
    }
    namespaces.prepares(prepare.namespace, 1, prepare.chargeBytes);
    if (!prepare.publish()) {
      write(prepare, Prepare.ABORTED);
      return PrepareOutcome.GROUP_ENDED;
    }
    return outcome;
  }

  private PrepareOutcome place(long hash, Prepare prepare) {
    for (int waits = 0; ; ) {
      int slot = table.pin(prepare.keyHi(), prepare.keyLo(), hash);
      if (slot < 0) {
        PrepareOutcome outcome = placeAlone(hash, prepare);
        if (outcome != PrepareOutcome.IN_PROGRESS) {
          return outcome;
        }
      } else {
        ensureRoomBeside(slot);
        int outcome = gate.enter(slot);
        if (outcome == WriterGate.ENTERED) {
          prepare.slot = slot;
          prepare.isAlone = false;
          prepares.set(slot, prepare);
          gate.prepare(slot, prepare.isPlain());
          return PrepareOutcome.PREPARED;
        }
        if (kept(slot, outcome, false) != null) {
          return PrepareOutcome.IN_PROGRESS;
        }
      }
      if (!WriterGate.mayWait(waits++)) {
        inProgress();
        return PrepareOutcome.IN_PROGRESS;
      }
    }
  }

  /** Whether a prepare is decided or its lease has ended; an error ends the pin. */
  private boolean isOver(int slot, Prepare prepare) {
    try {
      return !prepare.isUndecided() || cache.leases().expireIfDue(prepare);
    } catch (Throwable e) {
      table.release(slot, false);
      throw e;
    }
  }

  private Prepare.Beneath beneathOrRelease(int slot, Object value, long chargeBytes) {
    try {
      return new Prepare.Beneath(value, chargeBytes);
    } catch (Throwable e) {
      table.release(slot, false);
      throw e;
    }
  }

  /** Charges what a pinned entry needs; an error ends the pin. */
  private boolean chargeOrRelease(int slot, long chargeBytes) {
    try {
      return room.charge(chargeBytes);
    } catch (Throwable e) {
      table.release(slot, false);
      throw e;
    }
  }

  /** Room for a prepared version beside a pinned entry, whose pin ends if there is no memory. */
  private void ensureRoomBeside(int slot) {
    try {
      prepares.ensure(slot);
    } catch (Throwable e) {
      table.release(slot, false);
      throw e;
    }
  }

  /** A prepared version in a slot of its own; {@code IN_PROGRESS} if its key has come meanwhile. */
  private PrepareOutcome placeAlone(long hash, Prepare prepare) {
    int newcomer = replacement.newcomer(hash, Priority.LOW, 0);
    if (!room.chargeWithSlot(0)) {
      return PrepareOutcome.NO_ROOM;
    }
    prepare.isAlone = true;
    long meta = Meta.placeholder(Newcomer.countdown(newcomer), Newcomer.policy(newcomer));
    long cold = classed(Cold.of(prepare.namespace, 0), newcomer);
    int slot;
    try {
      slot =
          table.insert(
              prepare.keyHi(), prepare.keyLo(), hash, Prepare.NOTHING, cold, meta, prepare);
    } catch (Throwable e) {
      ledger.removeEntry(0);
      throw e;
    }
    if (slot >= 0) {
      return PrepareOutcome.PREPARED;
    }
    ledger.removeEntry(0);
    return slot == VersionedTable.PRESENT ? PrepareOutcome.IN_PROGRESS : PrepareOutcome.NO_ROOM;
  }

  /** Makes reads of its key look at a pending prepare. */
  void divertReads(Prepare prepare) {
    gate.divertReads(prepare.slot);
  }

  /** Writes the verdict of a prepare into its slot; called once, by who gave the verdict. */
  void apply(Prepare prepare, int verdict) {
    write(prepare, verdict);
    cache.leases().ended(verdict);
  }

  private void write(Prepare prepare, int verdict) {
    int slot = prepare.slot;
    boolean commits = verdict == Prepare.COMMITTED;
    boolean forgets = verdict == Prepare.EXPIRED && prepare.isInDoubt();
    Prepare.Beneath beneath = prepare.isAlone ? prepare.close() : null;
    if (commits && prepare.value != null) {
      letGo(prepare, beneath);
      commitValue(prepare, slot, prepare.value);
    } else if (prepare.isAlone && (commits || forgets || beneath == null)) {
      table.hide(slot);
      letGo(prepare, beneath);
    } else if (commits || forgets) {
      eraseInside(slot);
    } else {
      if (beneath != null) {
        settle(slot, beneath);
      }
      prepares.clear(slot);
      gate.complete(slot);
    }
    boolean commitsValue = commits && prepare.value != null;
    if (!commitsValue) {
      ledger.removeStandalone(prepare.chargeBytes);
    }
    namespaces.prepares(prepare.namespace, -1, -prepare.chargeBytes);
  }

  /** A committed value that was brought in is no longer one. */
  private void letGo(Prepare prepare, Prepare.@Nullable Beneath beneath) {
    if (beneath != null) {
      ledger.removeStandalone(beneath.chargeBytes());
      namespaces.items(prepare.namespace, -1, -beneath.chargeBytes());
    }
  }

  /** [S9] A committed value that was brought in becomes that of the slot; before the bits. */
  private void settle(int slot, Prepare.Beneath beneath) {
    gate.setValue(slot, beneath.value());
    table.recharge(slot, beneath.chargeBytes());
    ledger.addStandaloneUsage(-beneath.chargeBytes());
  }

  /** [S9] The value first, then the prepared version goes, then the bits change. */
  private void commitValue(Prepare prepare, int slot, Object value) {
    gate.setValue(slot, value);
    long before = table.recharge(slot, prepare.chargeBytes);
    prepares.clear(slot);
    gate.complete(slot);
    ledger.addStandaloneUsage(-prepare.chargeBytes);
    ledger.addUsage(-before);
    namespaces.items(prepare.namespace, prepare.isAlone ? 1 : 0, prepare.chargeBytes - before);
  }
}
