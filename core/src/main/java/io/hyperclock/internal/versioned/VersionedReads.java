/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.versioned.InDoubtException;
import io.hyperclock.versioned.PreparedVersion;
import io.hyperclock.versioned.Versions;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a {@link VersionedTable}: a look at the slot, and at the prepared version beside it
 * where the slot says that there is one.
 */
final class VersionedReads {
  private final Buckets buckets;
  private final SlotProtocol slots;
  private final SlotStore store;
  private final PrepareArray prepares;
  private final Leases leases;
  private final long hotFrom;

  VersionedReads(Buckets buckets, SlotProtocol slots, PrepareArray prepares, Leases leases) {
    this.buckets = buckets;
    this.slots = slots;
    this.store = slots.store();
    this.prepares = prepares;
    this.leases = leases;
    this.hotFrom = slots.hotFrom();
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

  /** Both versions of a pinned entry. */
  @SuppressWarnings("unchecked")
  <V> Versions<V> versions(int slot) {
    Prepare prepare;
    Object value;
    boolean isPending;
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
      isPending = prepare != null && prepare.isUndecided();
      value = prepare == null ? null : prepare.settled();
      value = value == null ? pinnedValue(slot, prepare) : value;
      // Committed meanwhile, and the value may be the new one.
    } while (isPending && !prepare.isUndecided());
    PreparedVersion<V> view = isPending ? prepare.view() : null;
    return new Versions<>(value == Prepare.NOTHING ? null : (V) value, view);
  }

  /** The committed value of a pinned entry. */
  private @Nullable Object pinnedValue(int slot, @Nullable Prepare prepare) {
    long tail = store.tailAcquire(slot);
    Object value = committed(slot, prepare);
    // For its fence: the pin keeps the tenant.
    return slots.stillTenant(slot, tail) ? value : null;
  }
}
