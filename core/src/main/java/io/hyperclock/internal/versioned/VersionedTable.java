/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.TentativeInserts;
import io.hyperclock.internal.slot.WriterLatch;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.Claims;
import io.hyperclock.internal.table.EntryTable;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PreparedVersion;
import io.hyperclock.versioned.Versions;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one shard as a hash table whose entries change in place: a key stays in its slot
 * from insert to erase or eviction, through all writes of its key. So a search that finds nothing
 * has met a moment without the key, and none has to be repeated. A read looks at the slot, and at
 * the prepared version beside it where the slot says that there is one.
 */
abstract class VersionedTable extends EntryTable {
  private final TentativeInserts tentativeInserts;
  private final Claims claims;
  private final long hotFrom;
  final WriterLatch gate;
  final PrepareArray prepares;
  final CapacityLedger ledger;
  final VersionedCounts counts;
  final Leases leases;

  VersionedTable(
      Buckets buckets,
      SlotProtocol slots,
      Replacement replacement,
      CapacityLedger ledger,
      VersionedCounts counts,
      Leases leases) {
    super(buckets, slots, replacement);
    this.tentativeInserts = new TentativeInserts(slots);
    this.claims = new Claims(buckets, slots, replacement);
    this.hotFrom = slots.hotFrom();
    this.gate = new WriterLatch(slots);
    this.prepares = new PrepareArray(store.slots());
    this.ledger = ledger;
    this.counts = counts;
    this.leases = leases;
  }

  SlotStore store() {
    return store;
  }

  Replacement replacement() {
    return replacement;
  }

  /**
   * Reads the committed value of a key, counting as a use.
   *
   * @return the value, or null
   * @throws InDoubtException if it is in doubt
   */
  @Nullable Object get(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long tags = Tags.pattern(hash);
    Object value =
        store.find(first, second, tags, hi, lo, MetaWord.READABLE, MetaWord.READABLE, hotFrom);
    if (value == null) {
      return search(hi, lo, hash, false);
    }
    return value == SlotStore.NOT_FOUND ? null : value;
  }

  /**
   * Reads what a key shows, with regard to prepared versions.
   *
   * @param forWrite whether to read what a write would be based on, which is not a use
   * @return the value, or null
   */
  @Nullable Object search(long hi, long lo, long hash, boolean forWrite) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      Object value = look(slot, hi, lo, forWrite);
      if (value == Prepare.IN_DOUBT) {
        throw new InDoubtException(hi, lo);
      }
      if (value != null) {
        if (!forWrite) {
          slots.tick(slot);
        }
        return value == Prepare.NOTHING ? null : value;
      }
    }
    return null;
  }

  /**
   * Reads a slot with regard to its prepared version. That is loaded before the committed value: if
   * it has gone by then, its value has taken that place.
   *
   * @return the value, {@link Prepare#NOTHING}, {@link Prepare#IN_DOUBT}, or null if the slot does
   *     not show the key
   */
  private @Nullable Object look(int slot, long hi, long lo, boolean forWrite) {
    long tail = store.tailAcquire(slot);
    long meta = store.metaAcquire(slot);
    if (!MetaWord.isVisible(meta)
        || store.keyLoOpaque(slot) != lo
        || store.keyHiOpaque(slot) != hi) {
      return null;
    }
    Prepare prepare = MetaWord.isPrepared(meta) ? prepares.get(slot) : null;
    Object value = null;
    if (prepare != null && forWrite) {
      leases.expireIfDue(prepare);
      value = prepare.shownToWriter();
    } else if (prepare != null) {
      value = prepare.shown();
      if (value == Prepare.IN_DOUBT) {
        // One whose lease has ended is in doubt no longer.
        leases.expireIfDue(prepare);
        value = prepare.shown();
      }
    }
    if (value == null) {
      value = committed(slot, prepare);
    }
    return slots.stillTenant(slot, tail) ? value : null;
  }

  /** The committed value of a key with that prepared version, or {@link Prepare#NOTHING}. */
  private @Nullable Object committed(int slot, @Nullable Prepare prepare) {
    Prepare.Beneath beneath = prepare == null ? null : prepare.beneath();
    return beneath == null ? store.valueOpaque(slot) : beneath.value();
  }

  /** Both versions of a pinned entry, whose pin it ends. */
  @SuppressWarnings("unchecked")
  <V> Versions<V> pinnedVersions(int slot) {
    try {
      Prepare prepare;
      Object value;
      Prepare pending;
      do {
        // The bits first, as other reads do: what they do not show yet, or no more, is not there.
        long meta = store.metaAcquire(slot);
        if (!MetaWord.isVisible(meta)) {
          return new Versions<>(null, null);
        }
        prepare = MetaWord.isPrepared(meta) ? prepares.get(slot) : null;
        if (prepare != null) {
          leases.expireIfDue(prepare);
        }
        pending = prepare != null && prepare.isUndecided() ? prepare : null;
        value = prepare == null ? null : prepare.settled();
        value = value == null ? pinnedValue(slot, prepare) : value;
        // Committed meanwhile, and the value may be the new one.
      } while (pending != null && !pending.isUndecided());
      PreparedVersion<V> view = pending == null ? null : pending.view();
      return new Versions<>(value == Prepare.NOTHING ? null : (V) value, view);
    } finally {
      release(slot, false);
    }
  }

  /** The committed value of a pinned entry. */
  private @Nullable Object pinnedValue(int slot, @Nullable Prepare prepare) {
    long tail = store.tailAcquire(slot);
    Object value = committed(slot, prepare);
    // For its fence: the pin keeps the tenant.
    return slots.stillTenant(slot, tail) ? value : null;
  }

  /** Pins the visible entry of a key, or returns -1; does not count as a use. */
  int pin(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slots.matches(slot, hi, lo) != 0
          && pinned(slots.pinUnseen(slot, hi, lo, MetaWord.MAX_PINS), slot)) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * Adds an entry unless its key is visible.
   *
   * @param prepare its prepared version, for which there is room beside the slots, or null
   * @param request what was evicted for it
   * @return its slot, {@link #KEPT_EXISTING} or {@link #NO_SLOT}
   */
  int insert(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      @Nullable Prepare prepare,
      EvictionRequest request) {
    int own = claims.claim(hash, this, request);
    if (own < 0) {
      return NO_SLOT;
    }
    slots.fill(own, hi, lo, value, cold);
    if (prepare != null) {
      prepare.slot = own;
      prepares.set(own, prepare);
    }
    tentativeInserts.announce(own, hash);
    for (; ; ) {
      if (isPresentBeside(own, hi, lo, hash)) {
        prepares.clear(own);
        withdraw(own, hash, cold);
        return KEPT_EXISTING;
      }
      if (tentativeInserts.publish(own, visibleMeta)) {
        replacement.admitted(own, cold, request);
        return own;
      }
      tentativeInserts.announceAgain(own);
    }
  }

  /** Looks beside the caller's announced slot; invalidates other announcements. */
  private boolean isPresentBeside(int own, long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = tentativeInserts.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot != own && tentativeInserts.findOrInvalidate(slot, hi, lo, slot < own) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives a pinned entry another charge; the caller is inside or completes the prepared version.
   *
   * @return the charge before
   */
  long recharge(int slot, long chargeBytes) {
    for (; ; ) {
      long before = store.coldAcquire(slot);
      long after = ChargeWord.withCharge(before, chargeBytes);
      // [sum] fails only if the entry is promoted at this moment.
      if (before == after || store.compareAndSetCold(slot, before, after)) {
        replacement.recharged(before, after);
        return ChargeWord.chargeBytes(before);
      }
    }
  }

  /**
   * Hides a pinned entry with all its versions and ends the pin; the caller is inside or completes
   * the prepared version.
   */
  private void hide(int slot) {
    if (gate.hideAndRelease(slot)) {
      free(slot);
    }
  }

  /** Hides a pinned entry with a committed value; as {@link #hide}. */
  void eraseInside(int slot) {
    long cold = store.coldAcquire(slot);
    counts.items(ChargeWord.typeId(cold), -1, -ChargeWord.chargeBytes(cold));
    hide(slot);
  }

  /** Writes the verdict of a prepare into its slot, once, and ends its pin. */
  void writeDown(Prepare prepare, int verdict) {
    int slot = prepare.slot;
    boolean commits = verdict == Prepare.COMMITTED;
    boolean forgets = verdict == Prepare.EXPIRED && prepare.isInDoubt();
    Prepare.Beneath beneath = prepare.isAlone ? prepare.close() : null;
    if (commits && prepare.value != null) {
      letGo(prepare.namespace, beneath);
      commitValue(prepare, slot, prepare.value);
    } else if (prepare.isAlone && (commits || forgets || beneath == null)) {
      hide(slot);
      letGo(prepare.namespace, beneath);
    } else if (commits || forgets) {
      eraseInside(slot);
    } else {
      if (beneath != null) {
        settle(slot, beneath);
      }
      prepares.clear(slot);
      gate.complete(slot);
    }
    if (!commits) {
      ledger.removeStandalone(prepare.chargeBytes);
    }
    counts.prepares(prepare.namespace, -1, -prepare.chargeBytes);
  }

  /** A committed value that was brought in is no longer one. */
  void letGo(int namespace, Prepare.@Nullable Beneath beneath) {
    if (beneath != null) {
      ledger.removeStandalone(beneath.chargeBytes());
      counts.items(namespace, -1, -beneath.chargeBytes());
    }
  }

  /**
   * [two-versions] A committed value that was brought in becomes that of the slot; before the bits.
   */
  private void settle(int slot, Prepare.Beneath beneath) {
    gate.setValue(slot, beneath.value());
    recharge(slot, beneath.chargeBytes());
    ledger.addStandaloneUsage(-beneath.chargeBytes());
  }

  /** [two-versions] The value first, then the prepared version goes, then the bits change. */
  private void commitValue(Prepare prepare, int slot, Object value) {
    gate.setValue(slot, value);
    long before = recharge(slot, prepare.chargeBytes);
    prepares.clear(slot);
    gate.complete(slot);
    ledger.addStandaloneUsage(-prepare.chargeBytes);
    ledger.addUsage(-before);
    counts.items(prepare.namespace, prepare.isAlone ? 1 : 0, prepare.chargeBytes - before);
  }

  @Override
  public void free(int slot) {
    tearDown(slot, false);
  }

  @Override
  public long evict(int slot, long meta, EvictionRequest request) {
    return tearDown(slot, MetaWord.isVisible(meta));
  }

  private long tearDown(int slot, boolean evicted) {
    long cold = vacate(slot, hash(slot));
    prepares.clear(slot);
    slots.finishTearDown(slot);
    replacement.left(cold, null);
    long charge = ChargeWord.chargeBytes(cold);
    ledger.removeEntry(charge);
    if (evicted) {
      counts.evictions.increment();
      counts.items(ChargeWord.typeId(cold), -1, -charge);
    }
    return charge;
  }
}
