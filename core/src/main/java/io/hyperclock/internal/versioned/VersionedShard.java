/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.InitialState;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.WriterLatch;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * One independent part of a cache of two versions: its slots, how writes change them and what is
 * charged for them. The committed values are charged as entries; prepared versions as standalone
 * values, which the hand cannot take.
 */
final class VersionedShard extends VersionedTable {
  private final CapacityEnforcer enforcer;

  VersionedShard(
      Buckets buckets,
      VersionedCounts counts,
      Leases leases,
      SlotProtocol slots,
      CapacityLedger ledger,
      TableSizing sizing) {
    super(buckets, slots, sizing.replacement(slots, ledger), ledger, counts, leases);
    this.enforcer =
        new CapacityEnforcer(
            ledger,
            null,
            replacement,
            this,
            slots,
            sizing.occupancyLimit(),
            VersionedConfig.EFFORT_CAP,
            counts.effortExceeded,
            null);
  }

  /**
   * Does what a write is to do, and waits a little for other writers.
   *
   * @param value {@link Prepare#NOTHING} to erase
   * @param namespace that of the key if the write may add an entry
   */
  WriteResult write(
      Write write, long hi, long lo, long hash, Object value, int namespace, long chargeBytes) {
    for (int waits = 0; ; ) {
      int slot = pin(hi, lo, hash);
      WriteResult result;
      if (slot >= 0) {
        result =
            write == Write.INSERT
                ? bringIn(slot, value, namespace, chargeBytes)
                : overwrite(write, slot, value, chargeBytes);
      } else if (write.mayAdd()) {
        result = add(hi, lo, hash, value, namespace, chargeBytes);
      } else {
        return WriteResult.NOT_PRESENT;
      }
      if (result != null) {
        return result;
      }
      if (!WriterLatch.mayWait(waits++)) {
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
    boolean broughtIn = false;
    try {
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isPrepared(meta)) {
        return MetaWord.isVisible(meta) ? WriteResult.KEPT_EXISTING : null;
      }
      Prepare prepare = prepares.get(slot);
      if (prepare == null || !prepare.isUndecided() || leases.expireIfDue(prepare)) {
        help(prepare);
        return null;
      }
      if (!prepare.isOnlyVersion()) {
        return WriteResult.KEPT_EXISTING;
      }
      if (enforcer.isOversize(chargeBytes)) {
        return WriteResult.DROPPED;
      }
      Prepare.Beneath beneath = new Prepare.Beneath(value, chargeBytes);
      if (!enforcer.reserveUsage(chargeBytes)) {
        return WriteResult.REFUSED;
      }
      ledger.addStandaloneUsage(chargeBytes);
      counts.items(namespace, 1, chargeBytes);
      broughtIn = prepare.bringIn(beneath);
      if (!broughtIn) {
        letGo(namespace, beneath);
      }
      return broughtIn ? WriteResult.INSERTED : null;
    } finally {
      release(slot, broughtIn);
    }
  }

  /** Writes the verdict of a group down, if there is one that has not been written. */
  private static void help(@Nullable Prepare prepare) {
    if (prepare != null && prepare.group != null) {
      StackReserve.require();
      prepare.tryEnd(prepare.verdict());
    }
  }

  /**
   * Exchanges or erases the value of a pinned entry and ends the pin; null if it must be tried
   * again.
   */
  private @Nullable WriteResult overwrite(Write write, int slot, Object value, long chargeBytes) {
    boolean keeps = write != Write.ERASE && !enforcer.isOversize(chargeBytes);
    for (; ; ) {
      if (MetaWord.isPrepared(store.metaAcquire(slot))) {
        return kept(slot, WriterLatch.PREPARED, write == Write.REPLACE);
      }
      long before = ChargeWord.chargeBytes(store.coldAcquire(slot));
      long more = keeps ? Math.max(0, chargeBytes - before) : 0;
      boolean charged = more == 0;
      try {
        charged = charged || enforcer.reserveUsage(more);
      } finally {
        if (!charged) {
          release(slot, false);
        }
      }
      if (!charged) {
        return WriteResult.REFUSED;
      }
      int outcome = gate.enter(slot);
      if (outcome != WriterLatch.ENTERED) {
        ledger.addUsage(-more);
        return kept(slot, outcome, write == Write.REPLACE);
      }
      if (!keeps) {
        eraseInside(slot);
        return write == Write.ERASE ? WriteResult.ERASED : WriteResult.DROPPED;
      }
      long cold = store.coldAcquire(slot);
      if (ChargeWord.chargeBytes(cold) == before) {
        gate.setValue(slot, value);
        recharge(slot, chargeBytes);
        gate.leave(slot);
        ledger.addUsage(Math.min(0, chargeBytes - before));
        counts.items(ChargeWord.typeId(cold), 0, chargeBytes - before);
        release(slot, true);
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
    Prepare prepare = outcome == WriterLatch.PREPARED ? prepares.get(slot) : null;
    release(slot, false);
    if (outcome == WriterLatch.BUSY) {
      return inProgress();
    }
    if (prepare == null || prepare.verdict() != Prepare.PENDING || leases.expireIfDue(prepare)) {
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
    if (enforcer.isOversize(chargeBytes)) {
      return WriteResult.DROPPED;
    }
    int slot = addEntry(hi, lo, hash, value, namespace, chargeBytes, null);
    if (slot >= 0) {
      return WriteResult.INSERTED;
    }
    if (slot == KEPT_EXISTING) {
      return null;
    }
    return ledger.isStrict() ? WriteResult.REFUSED : WriteResult.DROPPED;
  }

  /** Adds an entry, with a prepared version or a committed one; results as of {@link #insert}. */
  private int addEntry(
      long hi,
      long lo,
      long hash,
      Object value,
      int namespace,
      long chargeBytes,
      @Nullable Prepare prepare) {
    int newcomer = replacement.newcomer(hash, Priority.LOW, chargeBytes);
    EvictionRequest request = enforcer.request(chargeBytes);
    if (!enforcer.reserveSlotAndUsage(request)) {
      return NO_SLOT;
    }
    int countdown = InitialState.countdown(newcomer);
    int policy = InitialState.policy(newcomer);
    long meta =
        prepare == null
            ? MetaWord.visible(countdown, false, true, policy)
            : MetaWord.placeholder(countdown, policy);
    long cold = ChargeWord.of(namespace, chargeBytes);
    int items = prepare == null ? 1 : 0;
    counts.items(namespace, items, chargeBytes);
    int slot = NO_SLOT;
    try {
      slot = insert(hi, lo, hash, value, cold, meta, prepare, request);
    } finally {
      enforcer.end(request);
      if (slot < 0) {
        counts.items(namespace, -items, -chargeBytes);
        ledger.removeEntry(chargeBytes);
      }
    }
    return slot;
  }

  /** Puts a new prepared version beside its key and charges it, or leaves nothing behind. */
  PrepareOutcome prepare(long hash, Prepare prepare) {
    long charge = prepare.chargeBytes;
    PrepareOutcome refusal = reserve(hash, prepare);
    if (refusal != null) {
      return refusal;
    }
    ledger.addStandaloneUsage(charge);
    PrepareOutcome outcome = PrepareOutcome.NO_ROOM;
    try {
      outcome = place(hash, prepare);
    } finally {
      if (outcome != PrepareOutcome.PREPARED) {
        ledger.removeStandalone(charge);
      }
    }
    if (outcome != PrepareOutcome.PREPARED) {
      return outcome;
    }
    counts.prepares(prepare.namespace, 1, charge);
    if (!prepare.publish()) {
      writeDown(prepare, Prepare.ABORTED);
      return PrepareOutcome.GROUP_ENDED;
    }
    return outcome;
  }

  /**
   * Makes room for a prepared version and raises usage by its charge. What is evicted for it is
   * never the committed value of its key, which is pinned meanwhile; and nothing is evicted where
   * the key is prepared already.
   *
   * @return null, or why there is no room or no need of any
   */
  private @Nullable PrepareOutcome reserve(long hash, Prepare prepare) {
    if (enforcer.isOversize(prepare.chargeBytes)) {
      return PrepareOutcome.NO_ROOM;
    }
    int slot = pin(prepare.keyHi(), prepare.keyLo(), hash);
    if (slot >= 0 && MetaWord.isPrepared(store.metaAcquire(slot))) {
      if (kept(slot, WriterLatch.PREPARED, false) != null) {
        return PrepareOutcome.IN_PROGRESS;
      }
      slot = pin(prepare.keyHi(), prepare.keyLo(), hash);
    }
    try {
      return enforcer.reserveUsage(prepare.chargeBytes) ? null : PrepareOutcome.NO_ROOM;
    } finally {
      if (slot >= 0) {
        release(slot, false);
      }
    }
  }

  private PrepareOutcome place(long hash, Prepare prepare) {
    long hi = prepare.keyHi();
    long lo = prepare.keyLo();
    // Wherever it comes to: who is inside, or has claimed a slot, must not run out of memory.
    prepares.ensure(buckets.first(hash) * SlotStore.BUCKET_SLOTS);
    prepares.ensure(buckets.second(hash) * SlotStore.BUCKET_SLOTS);
    for (int waits = 0; ; ) {
      int slot = pin(hi, lo, hash);
      if (slot < 0) {
        if (prepare.isGroupEnded()) {
          return PrepareOutcome.GROUP_ENDED;
        }
        prepare.isAlone = true;
        int own = addEntry(hi, lo, hash, Prepare.NOTHING, prepare.namespace, 0, prepare);
        if (own != KEPT_EXISTING) {
          return own >= 0 ? PrepareOutcome.PREPARED : PrepareOutcome.NO_ROOM;
        }
      } else {
        int outcome = gate.enter(slot);
        if (outcome == WriterLatch.ENTERED && prepare.isGroupEnded()) {
          gate.leave(slot);
          release(slot, false);
          return PrepareOutcome.GROUP_ENDED;
        }
        if (outcome == WriterLatch.ENTERED) {
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
      if (!WriterLatch.mayWait(waits++)) {
        inProgress();
        return PrepareOutcome.IN_PROGRESS;
      }
    }
  }
}
