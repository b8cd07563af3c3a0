/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import io.hyperclock.InsertResult;
import io.hyperclock.model.parity.ParityCache.Pin;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One shard of {@link ParityOracle}. */
final class ParityShard {
  private static final int SLOT_BYTES = 64;
  private static final int MAX_COUNTDOWN = 3;
  private static final int EFFORT_CAP = 30;
  private static final int STEP = 4;

  /** A slot, or a standalone entry when it is in no table. */
  private static final class Entry {
    final BenchKey key;
    final ParityHash hash;
    final long charge;
    final boolean standalone;
    boolean visible;
    long acquires;
    long releases;

    Entry(BenchKey key, ParityHash hash, long charge, boolean standalone) {
      this.key = key;
      this.hash = hash;
      this.charge = charge;
      this.standalone = standalone;
      this.visible = !standalone;
    }

    boolean isPinned() {
      return acquires != releases;
    }
  }

  private final long capacity;
  private final int bits;
  private final long occupancyLimit;
  private final @Nullable Entry[] slots;
  private final int[] displacements;
  private final Set<Entry> standalone = new HashSet<>();
  private final Consumer<BenchKey> evictions;
  private long usage;
  private long occupancy;
  private long clockPointer;

  ParityShard(long capacity, long estimatedEntryCharge, Consumer<BenchKey> evictions) {
    this.capacity = capacity;
    this.bits = bitsFor(capacity, estimatedEntryCharge);
    this.evictions = evictions;
    slots = new Entry[1 << bits];
    displacements = new int[slots.length];
    occupancyLimit = (long) (slots.length * 0.84);
    usage = (long) SLOT_BYTES * slots.length;
  }

  static int bitsFor(long capacity, long estimatedEntryCharge) {
    double averageSlotCharge = estimatedEntryCharge * 0.7 + SLOT_BYTES;
    long wanted = (long) (capacity / averageSlotCharge + 0.999999);
    int bits = Unsigned.floorLog2(2 * wanted - 1);
    while ((long) SLOT_BYTES << bits > capacity) {
      bits--;
    }
    return bits;
  }

  private int slot(ParityHash hash, int probe) {
    return (int) (hash.word1() + probe * (hash.word0() | 1)) & (slots.length - 1);
  }

  @Nullable Pin lookup(BenchKey key, ParityHash hash) {
    int at = find(key, hash, 0);
    if (at < 0) {
      return null;
    }
    Entry entry = slots[slot(hash, at)];
    entry.acquires++;
    return new EntryPin(entry);
  }

  /** Probe number of the first match from {@code from} on, or -1. */
  private int find(BenchKey key, ParityHash hash, int from) {
    for (int probe = from; probe < slots.length; probe++) {
      int at = slot(hash, probe);
      Entry entry = slots[at];
      if (entry != null && entry.visible && entry.key.equals(key)) {
        return probe;
      }
      if (displacements[at] == 0) {
        return -1;
      }
    }
    return -1;
  }

  InsertResult insert(BenchKey key, ParityHash hash, long charge, int countdown) {
    if (!makeRoom(charge)) {
      return InsertResult.DROPPED;
    }
    Entry entry = new Entry(key, hash, charge, false);
    InsertResult result = place(entry, countdown);
    if (result == InsertResult.INSERTED) {
      entry.releases = countdown;
    } else {
      usage -= charge;
    }
    return result;
  }

  Pin insertPinned(BenchKey key, ParityHash hash, long charge, int countdown) {
    if (makeRoom(charge)) {
      Entry entry = new Entry(key, hash, charge, false);
      if (place(entry, countdown) == InsertResult.INSERTED) {
        entry.releases = countdown - 1;
        return new EntryPin(entry);
      }
    } else {
      usage += charge;
    }
    Entry outside = new Entry(key, hash, charge, true);
    outside.acquires = 1;
    standalone.add(outside);
    return new EntryPin(outside);
  }

  /** Charges an entry and counts it in, evicting what that takes; false if no slot can be had. */
  private boolean makeRoom(long charge) {
    boolean needSlot = occupancy++ >= occupancyLimit;
    long need = 0;
    if (usage + charge > capacity && charge <= usage) {
      need = charge;
      if (usage > capacity) {
        need += Math.min(capacity / 1024, charge) + 1;
      }
    }
    if (needSlot && need == 0) {
      need = 1;
    }
    if (need > 0) {
      int freed = evict(need);
      if (needSlot && freed == 0) {
        occupancy--;
        return false;
      }
    }
    usage += charge;
    return true;
  }

  private InsertResult place(Entry entry, int countdown) {
    for (int probe = 0; probe < slots.length; probe++) {
      int at = slot(entry.hash, probe);
      Entry there = slots[at];
      if (there == null) {
        slots[at] = entry;
        entry.acquires = countdown;
        return InsertResult.INSERTED;
      }
      if (there.visible && there.key.equals(entry.key)) {
        there.acquires += countdown;
        there.releases += countdown;
        takeBackDisplacements(entry.hash, probe);
        occupancy--;
        return InsertResult.KEPT_EXISTING;
      }
      displacements[at]++;
    }
    takeBackDisplacements(entry.hash, slots.length);
    occupancy--;
    return InsertResult.DROPPED;
  }

  private void takeBackDisplacements(ParityHash hash, int probes) {
    for (int probe = 0; probe < probes; probe++) {
      displacements[slot(hash, probe)]--;
    }
  }

  /** Runs the clock hand; returns the number of entries freed. */
  private int evict(long need) {
    long freedCharge = 0;
    int freed = 0;
    long pinnedSeen = 0;
    long from = clockPointer;
    clockPointer += STEP;
    long limit = from + ((long) MAX_COUNTDOWN << bits);
    while (true) {
      for (int i = 0; i < STEP; i++) {
        int at = (int) (from + i) & (slots.length - 1);
        Entry entry = slots[at];
        if (entry == null) {
          continue;
        }
        if (entry.isPinned()) {
          pinnedSeen++;
        } else if (entry.visible && entry.acquires > 0) {
          entry.acquires = Math.min(entry.acquires - 1, MAX_COUNTDOWN - 1);
          entry.releases = entry.acquires;
        } else {
          free(at);
          evictions.accept(entry.key);
          freed++;
          freedCharge += entry.charge;
        }
      }
      if (freedCharge >= need || from >= limit || (freed + 1L) * EFFORT_CAP <= pinnedSeen) {
        return freed;
      }
      from = clockPointer;
      clockPointer += STEP;
    }
  }

  private void free(int at) {
    Entry entry = slots[at];
    slots[at] = null;
    int probe = 0;
    while (slot(entry.hash, probe) != at) {
      probe++;
    }
    takeBackDisplacements(entry.hash, probe);
    occupancy--;
    usage -= entry.charge;
  }

  boolean erase(BenchKey key, ParityHash hash) {
    boolean erased = false;
    for (int probe = find(key, hash, 0); probe >= 0; probe = find(key, hash, probe + 1)) {
      int at = slot(hash, probe);
      Entry entry = slots[at];
      entry.visible = false;
      erased = true;
      boolean last = displacements[at] == 0;
      if (!entry.isPinned()) {
        free(at);
      }
      if (last) {
        break;
      }
    }
    return erased;
  }

  long occupancy() {
    return occupancy;
  }

  long usageBytes() {
    return usage;
  }

  long pinnedUsageBytes() {
    long pinned = 0;
    for (Entry entry : slots) {
      pinned += entry != null && entry.isPinned() ? entry.charge : 0;
    }
    for (Entry entry : standalone) {
      pinned += entry.charge;
    }
    return pinned;
  }

  long slots() {
    return slots.length;
  }

  private final class EntryPin implements Pin {
    private final Entry entry;

    EntryPin(Entry entry) {
      this.entry = entry;
    }

    @Override
    public BenchKey key() {
      return entry.key;
    }

    @Override
    public boolean isStandalone() {
      return entry.standalone;
    }

    @Override
    public boolean release(boolean useful, boolean eraseIfLast) {
      if (useful) {
        entry.releases++;
      } else {
        entry.acquires--;
      }
      if (entry.isPinned() || (entry.visible && !eraseIfLast)) {
        return false;
      }
      if (entry.standalone) {
        standalone.remove(entry);
        usage -= entry.charge;
      } else {
        free(indexOf(entry));
      }
      return true;
    }

    private int indexOf(Entry entry) {
      int probe = 0;
      while (slots[slot(entry.hash, probe)] != entry) {
        probe++;
      }
      return slot(entry.hash, probe);
    }
  }
}
