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
import io.hyperclock.internal.slot.Tail;
import io.hyperclock.internal.slot.WriterGate;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.Displacements;
import io.hyperclock.internal.table.Probing;
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

  /** Result of {@link #insert}: every slot is taken. */
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

  private final Probing probing;
  private final SlotStore store;
  private final Slots slots;
  private final int slotCount;
  private final long hotFrom;
  private final Announcements announcements;
  private final Displacements displacements;
  private final WriterGate gate;
  private final PrepareArray prepares;
  private final Replacement replacement;
  private final Leaving leaving;
  private final Leases leases;

  VersionedTable(
      Probing probing, Slots slots, Replacement replacement, Leaving leaving, Leases leases) {
    this.probing = probing;
    this.slots = slots;
    this.store = slots.store();
    this.slotCount = probing.slots();
    this.hotFrom = slots.hotFrom();
    this.announcements = new Announcements(slots);
    this.displacements = new Displacements(probing, slots);
    this.gate = new WriterGate(slots);
    this.prepares = new PrepareArray(slotCount);
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
    SlotStore words = store;
    int home = probing.home(hash, hi, lo);
    Object value = words.readNear(home, 1, hi, lo, Meta.READABLE, Meta.READABLE, hotFrom);
    if (value == null) {
      return search(hi, lo, hash);
    }
    return value == SlotStore.NOT_HERE ? searchNextPair(home, hi, lo, hash) : value;
  }

  /** As reads of one version do; here a key has one visible entry at most. */
  private @Nullable Object searchNextPair(int home, long hi, long lo, long hash) {
    SlotStore words = store;
    if (Tail.displacements(words.tailAcquire(home), Tail.lane(hash)) != 0) {
      int next = probing.third(home, hash);
      Object value = words.readNear(next, 1, hi, lo, Meta.READABLE, Meta.READABLE, hotFrom);
      if (value != null && value != SlotStore.NOT_HERE) {
        return value;
      }
    }
    return search(hi, lo, hash);
  }

  private @Nullable Object search(long hi, long lo, long hash) {
    SlotStore words = store;
    int slot = probing.home(hash, hi, lo);
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    for (int step = 1; ; step++) {
      long tail = words.tailAcquire(slot);
      Object value = words.read(slot, hi, lo, Meta.READABLE);
      // Whatever R is by now: it may have been off when the slot was read.
      if (value == null && words.keyLoOpaque(slot) == lo) {
        value = lookTwice(slot, hi, lo);
      }
      if (value != null) {
        slots.tick(slot);
        return value == Prepare.NOTHING ? null : value;
      }
      if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
        return null;
      }
      slot = probing.next(slot, increment, step - 1);
    }
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
    int slot = probing.home(hash, hi, lo);
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    for (int step = 1; ; step++) {
      long tail = store.tailAcquire(slot);
      Object value = look(slot, hi, lo, true);
      if (value != null) {
        return value == Prepare.NOTHING ? null : value;
      }
      if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
        return null;
      }
      slot = probing.next(slot, increment, step - 1);
    }
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
    int slot = probing.home(hash, hi, lo);
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    for (int step = 1; ; step++) {
      long tail = store.tailAcquire(slot);
      long meta = store.metaAcquire(slot);
      if (Meta.isVisible(meta)
          && store.keyLoOpaque(slot) == lo
          && store.keyHiOpaque(slot) == hi
          && pinned(slots.pinUnseen(slot, hi, lo, Meta.MAX_PINS), slot)) {
        return slot;
      }
      if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
        return ABSENT;
      }
      slot = probing.next(slot, increment, step - 1);
    }
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
    int own = claim(hi, lo, hash);
    if (own < 0) {
      return own;
    }
    if (prepare != null) {
      ensureRoomBeside(own, hi, lo, hash);
    }
    slots.fill(own, hi, lo, value, cold);
    if (prepare != null) {
      prepare.slot = own;
      prepares.set(own, prepare);
    }
    do {
      announcements.announce(own);
      if (isPresentBeside(own, hi, lo, hash)) {
        // A late promotion of an earlier tenant may have moved this one.
        replacement.withdrawn(cold, store.getAndSetCold(own, Cold.GONE));
        prepares.clear(own);
        displacements.removeUpTo(own, hi, lo, hash);
        slots.abandon(own);
        return PRESENT;
      }
    } while (!announcements.publish(own, visibleMeta));
    replacement.admitted(own, cold);
    return own;
  }

  /** Room for a prepared version beside a claimed slot, which is given back if there is none. */
  private void ensureRoomBeside(int own, long hi, long lo, long hash) {
    try {
      prepares.ensure(own);
    } catch (Throwable e) {
      displacements.removeUpTo(own, hi, lo, hash);
      slots.abandon(own);
      throw e;
    }
  }

  /** Claims the first empty slot of a path. */
  private int claim(long hi, long lo, long hash) {
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    int slot = probing.home(hash, hi, lo);
    for (int passed = 0; !slots.claim(slot); ) {
      if (slots.matches(slot, hi, lo) != 0) {
        displacements.removeUpTo(slot, hi, lo, hash);
        return PRESENT;
      }
      slots.addDisplacement(slot, lane);
      passed++;
      if (passed == slotCount) {
        displacements.removeUpTo(slot, hi, lo, hash);
        slots.removeDisplacement(slot, lane);
        return NO_SLOT;
      }
      slot = probing.next(slot, increment, passed - 1);
    }
    return slot;
  }

  /** Looks at the whole path but for the caller's announced slot; knocks other announcements. */
  private boolean isPresentBeside(int own, long hi, long lo, long hash) {
    int increment = probing.increment(hash);
    int lane = Tail.lane(hash);
    int slot = probing.home(hash, hi, lo);
    boolean patient = true;
    for (int step = 1; ; step++) {
      long tail = store.tailAcquire(slot);
      if (slot == own) {
        patient = false;
      } else if (announcements.meet(slot, hi, lo, patient) != 0) {
        return true;
      }
      if (Tail.displacements(tail, lane) == 0 || step == slotCount) {
        return false;
      }
      slot = probing.next(slot, increment, step - 1);
    }
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
    return probing.hash(store.keyHiOpaque(slot), store.keyLoOpaque(slot));
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
    slots.beginTearDown(slot);
    long cold = store.getAndSetCold(slot, Cold.GONE);
    prepares.clear(slot);
    displacements.removeUpTo(slot, hi, lo, probing.hash(hi, lo));
    slots.finishTearDown(slot);
    replacement.left(cold);
    leaving.left(cold, evicted);
    return cold;
  }
}
