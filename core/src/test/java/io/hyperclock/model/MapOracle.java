/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cache without limits for one thread, as plain as can be: a map that keeps the older value, and
 * a count of pins.
 */
final class MapOracle {
  /** An entry and what must have become of its value. */
  static final class Entry {
    final Key128 key;
    final EntryType<Entry> type;
    final boolean standalone;
    long charge;
    int pins;
    boolean visible;
    boolean read;
    boolean boosted;

    /** How often the real cache called the disposer. */
    int disposals;

    /** How often it should have. */
    int expectedDisposals;

    Entry(Key128 key, EntryType<Entry> type, long charge, boolean standalone) {
      this.key = key;
      this.type = type;
      this.charge = charge;
      this.standalone = standalone;
    }

    void free() {
      expectedDisposals += type.disposer() == null ? 0 : 1;
    }

    @Override
    public String toString() {
      return "entry[" + key + ", " + type.name() + ", pins=" + pins + "]";
    }
  }

  final Map<Key128, Entry> visible = new HashMap<>();
  private final Set<Entry> erased = new HashSet<>();
  private final Set<Entry> standalone = new HashSet<>();
  long hits;
  long misses;
  long inserts;
  long keptExisting;

  /** A read of {@code key} that counts. */
  @Nullable Entry read(Key128 key) {
    Entry entry = visible.get(key);
    if (entry == null) {
      misses++;
    } else {
      hits++;
      entry.read = true;
    }
    return entry;
  }

  /** True if it is stored, false if the older value stays. */
  boolean insert(Entry entry) {
    Entry older = visible.get(entry.key);
    if (older != null) {
      keptExisting++;
      older.boosted = true;
      return false;
    }
    inserts++;
    entry.visible = true;
    visible.put(entry.key, entry);
    return true;
  }

  void addStandalone(Entry entry) {
    standalone.add(entry);
  }

  boolean erase(Key128 key) {
    Entry entry = visible.get(key);
    if (entry != null) {
      hide(entry);
    }
    return entry != null;
  }

  private void hide(Entry entry) {
    visible.remove(entry.key);
    entry.visible = false;
    if (entry.pins > 0) {
      erased.add(entry);
    } else {
      entry.free();
    }
  }

  /** True if it frees the entry. */
  boolean release(Entry entry, boolean eraseIfLast) {
    entry.pins--;
    if (entry.pins > 0 || (entry.visible && !eraseIfLast)) {
      return false;
    }
    if (entry.visible) {
      hide(entry);
    } else {
      erased.remove(entry);
      standalone.remove(entry);
      entry.free();
    }
    return true;
  }

  /** Removes what is visible, not pinned, and has at least this charge. */
  List<Entry> removeUnpinned(long leastCharge) {
    List<Entry> removed =
        visible.values().stream()
            .filter(entry -> entry.pins == 0 && entry.charge >= leastCharge)
            .toList();
    removed.forEach(this::hide);
    return removed;
  }

  void close() {
    List.copyOf(visible.values()).forEach(this::hide);
  }

  long occupancy() {
    return visible.size() + erased.size();
  }

  long usageBytes() {
    return charges(visible.values(), false) + charges(erased, false) + charges(standalone, false);
  }

  long standaloneBytes() {
    return charges(standalone, false);
  }

  long pinnedBytes() {
    return charges(visible.values(), true) + charges(erased, true) + charges(standalone, true);
  }

  private static long charges(Iterable<Entry> entries, boolean pinnedOnly) {
    long sum = 0;
    for (Entry entry : entries) {
      sum += !pinnedOnly || entry.pins > 0 ? entry.charge : 0;
    }
    return sum;
  }

  long entriesOf(EntryRole role) {
    return visible.values().stream().filter(entry -> entry.type.role() == role).count();
  }
}
