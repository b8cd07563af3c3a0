/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench.model;

import io.hyperclock.benchmarks.cachebench.model.RocksDbModel.Settings;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One shard of {@link RocksDbModel}: a power of two of slots with open addressing, a displacement
 * count for each slot, and a clock hand.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable}.
 */
final class ModelShard<V> {
  private static final double LOAD_LIMIT = 0.84;
  private static final int MAX_COUNTDOWN = 3;
  private static final int NEWCOMER_COUNTDOWN = 2;
  private static final int STEP = 4;

  private final long charge;
  private final int effortCap;
  private final @Nullable ModelEntry<V>[] slots;
  private final int[] displacements;
  private final long occupancyLimit;
  private long capacity;
  private long usage;
  private long occupancy;
  private long hand;

  @SuppressWarnings({"unchecked", "rawtypes"})
  ModelShard(Settings settings, long capacity, int slotCount) {
    this.charge = settings.chargeBytes();
    this.effortCap = Math.max(1, settings.evictionEffortCap());
    this.capacity = capacity;
    slots = new ModelEntry[slotCount];
    displacements = new int[slotCount];
    occupancyLimit = (long) (slotCount * LOAD_LIMIT);
    usage = (long) RocksDbModel.SLOT_BYTES * slotCount;
  }

  private int slot(RocksDbHash hash, int probe) {
    return (int) (hash.word1() + probe * (hash.word0() | 1)) & (slots.length - 1);
  }

  synchronized @Nullable ModelEntry<V> lookup(long hi, long lo, RocksDbHash hash) {
    for (int probe = 0; probe < slots.length; probe++) {
      int at = slot(hash, probe);
      ModelEntry<V> entry = slots[at];
      if (entry != null && entry.shows(hi, lo)) {
        entry.acquires++;
        return entry;
      }
      if (displacements[at] == 0) {
        return null;
      }
    }
    return null;
  }

  synchronized void insert(ModelEntry<V> entry) {
    if (makeRoom() && !place(entry, NEWCOMER_COUNTDOWN)) {
      usage -= charge;
    }
  }

  synchronized ModelEntry<V> insertHeld(ModelEntry<V> entry) {
    if (!makeRoom()) {
      usage += charge;
      entry.acquires = 1;
    } else if (!place(entry, NEWCOMER_COUNTDOWN - 1)) {
      entry.acquires = 1;
    }
    return entry;
  }

  /**
   * Charges an entry and counts it in, and evicts what that takes. The limit of the capacity may be
   * exceeded, that of the slots not.
   *
   * @return false if there is no slot for it: then nothing was charged
   */
  private boolean makeRoom() {
    boolean needsSlot = occupancy++ >= occupancyLimit;
    long bytes = 0;
    if (usage + charge > capacity && charge <= usage) {
      bytes = charge;
      if (usage > capacity) {
        bytes += Math.min(capacity / 1024, charge) + 1;
      }
    } else if (needsSlot) {
      bytes = 1;
    }
    if (bytes > 0 && evict(bytes) == 0 && needsSlot) {
      occupancy--;
      return false;
    }
    usage += charge;
    return true;
  }

  /**
   * Puts an entry into the first empty slot of its path, unless its key is met before.
   *
   * @return false if it stays outside, and is not counted any more
   */
  private boolean place(ModelEntry<V> entry, long releases) {
    for (int probe = 0; probe < slots.length; probe++) {
      int at = slot(entry.hash, probe);
      ModelEntry<V> there = slots[at];
      if (there == null) {
        slots[at] = entry;
        entry.placed = true;
        entry.visible = true;
        entry.acquires = NEWCOMER_COUNTDOWN;
        entry.releases = releases;
        return true;
      }
      if (there.shows(entry.hi, entry.lo)) {
        there.acquires += NEWCOMER_COUNTDOWN;
        there.releases += NEWCOMER_COUNTDOWN;
        return stayOutside(entry, probe);
      }
      displacements[at]++;
    }
    return stayOutside(entry, slots.length);
  }

  private boolean stayOutside(ModelEntry<V> entry, int probes) {
    takeBackDisplacements(entry.hash, probes);
    occupancy--;
    return false;
  }

  private void takeBackDisplacements(RocksDbHash hash, int probes) {
    for (int probe = 0; probe < probes; probe++) {
      displacements[slot(hash, probe)]--;
    }
  }

  /**
   * Moves the hand on until enough is freed, three rounds are over, or too much is held.
   *
   * @return entries freed
   */
  private long evict(long bytes) {
    long end = hand + (long) MAX_COUNTDOWN * slots.length;
    long freed = 0;
    long heldSeen = 0;
    for (; ; ) {
      long from = hand;
      hand += STEP;
      for (long position = from; position < hand; position++) {
        int at = (int) position & (slots.length - 1);
        ModelEntry<V> entry = slots[at];
        if (entry == null) {
          continue;
        }
        if (entry.isHeld()) {
          heldSeen++;
        } else if (entry.acquires > 0) {
          entry.acquires = Math.min(entry.acquires, MAX_COUNTDOWN) - 1;
          entry.releases = entry.acquires;
        } else {
          free(entry);
          freed++;
        }
      }
      if (freed * charge >= bytes || from >= end || (freed + 1) * effortCap <= heldSeen) {
        return freed;
      }
    }
  }

  private void free(ModelEntry<V> entry) {
    int probe = 0;
    while (slots[slot(entry.hash, probe)] != entry) {
      probe++;
    }
    slots[slot(entry.hash, probe)] = null;
    takeBackDisplacements(entry.hash, probe);
    occupancy--;
    usage -= charge;
  }

  synchronized void release(ModelEntry<V> entry) {
    entry.releases++;
    if (!entry.isHeld() && !entry.visible) {
      if (entry.placed) {
        free(entry);
      } else {
        usage -= charge;
      }
    }
  }

  /** Removes every entry of a key that its path shows. */
  synchronized void erase(long hi, long lo, RocksDbHash hash) {
    for (int probe = 0; probe < slots.length; probe++) {
      int at = slot(hash, probe);
      boolean last = displacements[at] == 0;
      ModelEntry<V> entry = slots[at];
      if (entry != null && entry.shows(hi, lo)) {
        entry.visible = false;
        if (!entry.isHeld()) {
          free(entry);
        }
      }
      if (last) {
        return;
      }
    }
  }

  synchronized void setCapacityBytes(long capacityBytes) {
    capacity = capacityBytes;
  }

  synchronized long occupancy() {
    return occupancy;
  }

  synchronized long usageBytes() {
    return usage;
  }

  synchronized long visibleEntries() {
    long visible = 0;
    for (ModelEntry<V> entry : slots) {
      visible += entry != null && entry.visible ? 1 : 0;
    }
    return visible;
  }

  synchronized long displacements() {
    return Arrays.stream(displacements).asLongStream().sum();
  }

  long slots() {
    return slots.length;
  }
}
