/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.table.Migration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The old tables of a shard in which something is held. They are charged until nothing is. */
final class OldTables {
  /** Slots that a write searches in the mean: as many as it moves. */
  static final int SLOTS_PER_WRITE = Migration.BLOCK;

  private final CapacityLedger ledger;
  private final AtomicReference<List<Shard>> held = new AtomicReference<>(List.of());

  // Plain: says when to search, and a lost step does no harm.
  private long due;

  /** None yet. */
  OldTables(CapacityLedger ledger) {
    this.ledger = ledger;
  }

  void add(Shard old) {
    held.updateAndGet(present -> with(present, old));
  }

  static List<Shard> with(List<Shard> present, Shard another) {
    Shard[] all = present.toArray(new Shard[present.size() + 1]);
    all[present.size()] = another;
    return List.of(all);
  }

  /** These, and another one if there is one. */
  List<Shard> and(@Nullable Shard another) {
    List<Shard> all = held.get();
    return another == null || all.contains(another) ? all : with(all, another);
  }

  /**
   * Whether these have, with another table, no more slots than a table may: else sizes that change
   * while handles stay would take all of the capacity, or of the heap where slots are not charged.
   *
   * @param another slots of that table
   */
  boolean haveRoomFor(Shard from, int another) {
    return held.get().isEmpty() || slots() + another <= from.sizing.most(ledger.capacity());
  }

  /** The same, after those that nothing is held in have been given up. */
  boolean makeRoomFor(Shard from, int another) {
    if (!haveRoomFor(from, another)) {
      drop();
    }
    return haveRoomFor(from, another);
  }

  /** Their slots, without a look whether something is still held. */
  long slots() {
    List<Shard> present = held.get();
    long sum = 0;
    for (int i = 0; i < present.size(); i++) { // Takes no memory: in the midst of writes.
      sum += present.get(i).store.slots();
    }
    return sum;
  }

  /** Charge of those in which something is still held. */
  long bytes() {
    drop();
    return held.get().stream().mapToLong(old -> old.sizing.metadataBytes()).sum();
  }

  /**
   * Sees to it that these lead to each other and to the table in use only: not to those between, in
   * which nothing is held. By one thread at a time, while no entries are moved. Takes no memory: it
   * is between two steps that belong together.
   *
   * @param newest the table in use
   */
  void shorten(Shard newest) {
    List<Shard> all = held.get();
    for (int i = 0; i < all.size(); i++) { // An iterator would take memory.
      Shard old = all.get(i);
      for (Shard next = old.next(); isEmpty(next, all, newest); next = old.next()) {
        old.table.leadPastNext();
      }
    }
  }

  private static boolean isEmpty(@Nullable Shard table, List<Shard> held, Shard newest) {
    return table != null && table != newest && !held.contains(table);
  }

  /**
   * Now and then gives up those that nothing is held in: no release tells that it was the last. Not
   * from within a callback of an eviction.
   *
   * @param slots to be searched in the mean over many calls
   * @return whether some may have been given up
   */
  boolean search(int slots) {
    List<Shard> present = held.get();
    if (present.isEmpty() || !present.get(0).table.mayEvict()) {
      return false;
    }
    due += slots;
    if (due < slots()) {
      return false;
    }
    due = 0;
    drop();
    return held.get() != present;
  }

  /** Gives up those that nothing is held in. */
  void drop() {
    for (Shard old : held.get()) {
      old.scan.eraseUnreferenced();
      if (!old.scan.holdsAny()) {
        forget(old);
      }
    }
  }

  private void forget(Shard old) {
    for (List<Shard> all = held.get(); all.contains(old); all = held.get()) {
      // The one thread whose exchange succeeds takes the charge of this table away.
      if (held.compareAndSet(all, all.stream().filter(shard -> shard != old).toList())) {
        ledger.slotsLeft(old.sizing.metadataBytes());
        return;
      }
    }
  }
}
