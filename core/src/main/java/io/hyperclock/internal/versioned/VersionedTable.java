/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.Residents;
import io.hyperclock.internal.policy.RoomRequest;
import io.hyperclock.internal.slot.Announcements;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Slots;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.slot.WriterGate;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.Claims;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.versioned.InDoubtException;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one shard as a hash table whose entries change in place: a key stays in its slot
 * from insert to erase or eviction, whatever is written to it. So a search that finds nothing has
 * met a moment without the key, and none has to be repeated.
 */
final class VersionedTable implements Residents {
  /** Result of {@link #insert}: the key is present. */
  static final int PRESENT = -1;

  /** Result of {@link #insert}: no slot of the key's two buckets could be had. */
  static final int NO_SLOT = -2;

  /** Result of {@link #pin}: no such entry. */
  static final int ABSENT = -1;

  /** Told of each entry that leaves its slot. */
  interface Leaving {
    /**
     * An entry has left.
     *
     * @param evicted whether the hand took it while it was visible
     */
    void left(long cold, boolean evicted);
  }

  private final Buckets buckets;
  private final SlotStore store;
  private final Slots slots;
  private final long hotFrom;
  private final Announcements announcements;
  private final Claims claims;
  private final WriterGate gate;
  private final PrepareArray prepares;
  private final Replacement replacement;
  private final Leaving leaving;
  private final Leases leases;

  VersionedTable(
      Buckets buckets, Slots slots, Replacement replacement, Leaving leaving, Leases leases) {
    this.buckets = buckets;
    this.slots = slots;
    this.store = slots.store();
    this.hotFrom = slots.hotFrom();
    this.announcements = new Announcements(slots);
    this.claims = new Claims(buckets, slots, replacement);
    this.gate = new WriterGate(slots);
    this.prepares = new PrepareArray(store.slots());
    this.replacement = replacement;
    this.leaving = leaving;
    this.leases = leases;
  }

  SlotStore store() {
    return store;
  }

  WriterGate gate() {
    return gate;
  }

  PrepareArray prepares() {
    return prepares;
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
    Object value = store.find(first, second, tags, hi, lo, Meta.READABLE, Meta.READABLE, hotFrom);
    if (value == null) {
      return search(first, second, tags, hi, lo);
    }
    return value == SlotStore.NOT_FOUND ? null : value;
  }

  private @Nullable Object search(int first, int second, long tags, long hi, long lo) {
    for (long left = store.candidates(first, second, tags); left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      Object value = lookTwice(slot, hi, lo);
      if (value != null) {
        slots.tick(slot);
        return value == Prepare.NOTHING ? null : value;
      }
    }
    return null;
  }

  /** A prepare in doubt whose lease has ended is in doubt no longer. */
  private @Nullable Object lookTwice(int slot, long hi, long lo) {
    Object value = look(slot, hi, lo, false);
    if (value == Prepare.IN_DOUBT) {
      Prepare prepare = prepares.get(slot);
      if (prepare != null) {
        leases.expireIfDue(prepare);
      }
      value = look(slot, hi, lo, false);
      if (value == Prepare.IN_DOUBT) {
        throw new InDoubtException(hi, lo);
      }
    }
    return value;
  }

  /**
   * Reads what a write would be based on.
   *
   * @return the value, or null
   */
  @Nullable Object findForWrite(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      Object value = look(SlotStore.slot(first, second, left), hi, lo, true);
      if (value != null) {
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
    if (!Meta.isVisible(meta) || store.keyLoOpaque(slot) != lo || store.keyHiOpaque(slot) != hi) {
      return null;
    }
    Prepare prepare = Meta.isPrepared(meta) ? prepares.get(slot) : null;
    Object value = null;
    if (prepare != null && forWrite) {
      leases.expireIfDue(prepare);
      value = prepare.shownToWriter();
    } else if (prepare != null) {
      value = prepare.shown();
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

  /** The same of a pinned entry. */
  @Nullable Object pinnedValue(int slot, @Nullable Prepare prepare) {
    long tail = store.tailAcquire(slot);
    Object value = committed(slot, prepare);
    // For its fence: the pin keeps the tenant.
    return slots.stillTenant(slot, tail) ? value : null;
  }

  /** Pins the visible entry of a key, or returns {@link #ABSENT}; does not count as a use. */
  int pin(long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = store.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slots.matches(slot, hi, lo) != 0
          && pinned(slots.pinUnseen(slot, hi, lo, Meta.MAX_PINS), slot)) {
        return slot;
      }
    }
    return ABSENT;
  }

  /** Pins whatever visible entry a slot holds. */
  boolean pinAny(int slot) {
    return pinned(slots.pinAny(slot), slot);
  }

  private boolean pinned(int outcome, int slot) {
    if (outcome == Slots.TOO_MANY_PINS) {
      throw ClockTable.tooManyPins();
    }
    if (outcome == Slots.OWNED) {
      free(slot);
    }
    return Slots.isPinned(outcome);
  }

  void release(int slot, boolean useful) {
    if (slots.release(slot, useful, false)) {
      free(slot);
    }
  }

  /**
   * Adds an entry unless its key is visible.
   *
   * @param prepare its prepared version, or null
   * @return its slot, {@link #PRESENT} or {@link #NO_SLOT}
   */
  int insert(
      long hi,
      long lo,
      long hash,
      Object value,
      long cold,
      long visibleMeta,
      @Nullable Prepare prepare) {
    int own = claim(hash);
    if (own < 0) {
      return own;
    }
    if (prepare != null) {
      ensureRoomBeside(own);
    }
    slots.fill(own, hi, lo, value, cold);
    if (prepare != null) {
      prepare.slot = own;
      prepares.set(own, prepare);
    }
    announcements.announce(own, hash);
    for (; ; ) {
      if (isPresentBeside(own, hi, lo, hash)) {
        // A late promotion of an earlier tenant may have moved this one.
        replacement.withdrawn(cold, store.getAndSetCold(own, Cold.GONE));
        prepares.clear(own);
        slots.clearTag(own, hash);
        slots.abandon(own);
        return PRESENT;
      }
      if (announcements.publish(own, visibleMeta)) {
        replacement.admitted(own, cold);
        return own;
      }
      announcements.announceAgain(own);
    }
  }

  /** Room for a prepared version beside a claimed slot, which is given back if there is none. */
  private void ensureRoomBeside(int own) {
    try {
      prepares.ensure(own);
    } catch (Throwable e) {
      slots.abandon(own);
      throw e;
    }
  }

  private int claim(long hash) {
    int slot = claims.claim(hash, this, new RoomRequest(0));
    return slot < 0 ? NO_SLOT : slot;
  }

  /** Looks beside the caller's announced slot; knocks other announcements. */
  private boolean isPresentBeside(int own, long hi, long lo, long hash) {
    int first = buckets.first(hash);
    int second = buckets.second(hash);
    long left = announcements.candidates(first, second, Tags.pattern(hash));
    for (; left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot != own && announcements.meet(slot, hi, lo, slot < own) != 0) {
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
      long after = Cold.withCharge(before, chargeBytes);
      // [S7] fails only if the entry is promoted at this moment.
      if (before == after || store.compareAndSetCold(slot, before, after)) {
        replacement.recharged(before, after);
        return Cold.chargeBytes(before);
      }
    }
  }

  /**
   * Hides a pinned entry with all its versions and ends the pin; the caller is inside or completes
   * the prepared version.
   */
  void hide(int slot) {
    if (gate.hideAndRelease(slot)) {
      free(slot);
    }
  }

  private void free(int slot) {
    tearDown(slot, false);
  }

  @Override
  public long hash(int slot) {
    return buckets.hash(store.keyHiOpaque(slot), store.keyLoOpaque(slot));
  }

  @Override
  public boolean isDead(int slot) {
    return false;
  }

  @Override
  public long deaths() {
    return 0;
  }

  @Override
  public long evict(int slot, long meta, RoomRequest room) {
    return Cold.chargeBytes(tearDown(slot, Meta.isVisible(meta)));
  }

  private long tearDown(int slot, boolean evicted) {
    long hi = store.keyHiOpaque(slot);
    long lo = store.keyLoOpaque(slot);
    slots.clearTag(slot, buckets.hash(hi, lo));
    slots.beginTearDown(slot);
    long cold = store.getAndSetCold(slot, Cold.GONE);
    prepares.clear(slot);
    slots.finishTearDown(slot);
    replacement.left(cold);
    leaving.left(cold, evicted);
    return cold;
  }
}
