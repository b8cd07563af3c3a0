/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.entry.Key128;
import io.hyperclock.internal.table.TableScan;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Walks over all entries of one shard, of which a cache that sizes itself may have several tables.
 * Entries go from older tables to newer ones: who looks at the older ones first meets each that
 * stays.
 *
 * @param resizing how it comes by another size, or null if it keeps the one it has
 */
record ShardScan(Shard shard, @Nullable Resizing resizing) {
  /** The tables that may hold something, the newest one last. */
  private List<Shard> tables() {
    if (resizing == null) {
      return List.of(shard);
    }
    Shard newest = shard.newest();
    return OldTables.with(resizing.held.and(newest.before()), newest);
  }

  private void forEach(Consumer<TableScan> look) {
    for (Shard table : tables()) {
      look.accept(table.scan);
    }
  }

  /** Adds up a figure of each table. */
  long sum(ToLongFunction<TableScan> figure) {
    long sum = 0;
    for (Shard table : tables()) {
      sum += figure.applyAsLong(table.scan);
    }
    return sum;
  }

  /** See {@link TableScan#forEachWord}. */
  void forEachWord(TableScan.WordVisitor visitor) {
    forEach(table -> table.forEachWord(visitor));
  }

  /** See {@link TableScan#eraseUnreferenced}. */
  void eraseUnreferenced() {
    boolean entered = resizing != null && resizing.enter();
    try {
      forEach(TableScan::eraseUnreferenced);
    } finally {
      if (resizing != null && entered) {
        resizing.leave();
      }
    }
    if (resizing != null) {
      resizing.held.drop();
    }
  }

  /** See {@link TableScan#eraseKeys}; a thread that adds an entry afterwards has to erase it. */
  void eraseAll() {
    Shard newest;
    do {
      newest = shard.newest();
      Shard before = newest.before();
      if (before != null) {
        eraseBefore(before);
      }
      newest.scan.eraseKeys();
    } while (shard.newest() != newest);
    if (resizing != null) {
      resizing.held.drop();
    }
  }

  private static void eraseBefore(Shard before) {
    before.scan.eraseKeys();
    // [view] what was seen hidden there is found in the newest table, if it has moved.
    VarHandle.acquireFence();
  }

  /**
   * Visits each entry that stays meanwhile and whose words are chosen once, see {@link
   * TableScan#forEachPinned}.
   */
  void forEachPinned(TableScan.WordChoice choice, TableScan.PinnedVisitor visitor) {
    if (resizing == null) {
      shard.scan.forEachPinned(choice, visitor);
    } else if (resizing.enter()) {
      try {
        shard.newest().scan.forEachPinned(choice, visitor);
      } finally {
        resizing.leave();
      }
    } else {
      forEachOnItsWay(choice, visitor);
    }
  }

  /** While entries are moved one may be met in two tables. */
  private void forEachOnItsWay(TableScan.WordChoice choice, TableScan.PinnedVisitor visitor) {
    Set<Key128> seen = new HashSet<>();
    Shard newest = shard.newest();
    Shard before = newest.before();
    for (Shard table = before == null ? newest : before; table != null; table = table.next()) {
      table.scan.forEachPinned(
          choice,
          (hi, lo, value, cold) -> {
            if (seen.add(new Key128(hi, lo))) {
              visitor.visit(hi, lo, value, cold);
            }
          });
      // [view] as in eraseBefore.
      VarHandle.acquireFence();
    }
  }
}
