/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import io.hyperclock.BlockCache;
import io.hyperclock.internal.slot.Cold;
import io.hyperclock.internal.slot.Meta;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tail;
import io.hyperclock.internal.table.Probing;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the structure of a quiet cache: states, values, counters, displacements and the ledger
 * agree with each other. For tests and diagnosis; it reads everything and changes nothing.
 * Standalone entries and open pins are allowed.
 */
public final class InvariantsChecker {
  private InvariantsChecker() {}

  /**
   * What is wrong with a cache that no thread uses at the moment.
   *
   * @param cache a cache of this library, open or closed
   * @return one sentence per violation, empty if it is whole
   */
  public static List<String> violations(BlockCache<?> cache) {
    List<String> found = new ArrayList<>();
    Shard[] shards = ((HyperClockCache<?>) cache).shards();
    for (int i = 0; i < shards.length; i++) {
      checkShard("shard " + i + ": ", shards[i], found);
    }
    return found;
  }

  private static void checkShard(String where, Shard shard, List<String> found) {
    SlotStore store = shard.store();
    int[] displacements = new int[store.slots() * Tail.LANES];
    long charge = 0;
    long occupied = 0;
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      checkSlot(where + "slot " + slot + ": " + Meta.toString(meta), shard, slot, meta, found);
      if (!Meta.isEmpty(meta)) {
        occupied++;
        charge += Cold.chargeBytes(store.coldAcquire(slot));
        countPath(shard, slot, displacements);
      }
    }
    for (int slot = 0; slot < store.slots(); slot++) {
      for (int lane = 0; lane < Tail.LANES; lane++) {
        int actual = Tail.displacements(store.tailAcquire(slot), lane);
        int expected = displacements[slot * Tail.LANES + lane];
        if (actual != expected && actual != Tail.STUCK) {
          found.add(where + "slot " + slot + ": displacements " + actual + " != " + expected);
        }
      }
    }
    if (occupied != shard.ledger().occupancy()) {
      found.add(where + "occupancy " + shard.ledger().occupancy() + " != " + occupied);
    }
    long usage = shard.ledger().metadataBytes() + shard.ledger().standaloneUsage() + charge;
    if (usage != shard.ledger().usage()) {
      found.add(where + "usage " + shard.ledger().usage() + " != " + usage);
    }
    shard.replacement().violations().forEach(violation -> found.add(where + violation));
    if (shard.ledger().standaloneUsage() < 0) {
      found.add(where + "standalone usage " + shard.ledger().standaloneUsage() + " < 0");
    }
  }

  private static void checkSlot(String what, Shard shard, int slot, long meta, List<String> found) {
    boolean hasValue = shard.store().valueOpaque(slot) != null;
    switch (Meta.state(meta)) {
      case EMPTY -> {
        if (hasValue) {
          found.add(what + " keeps a value");
        }
      }
      case UNDER_CONSTRUCTION -> found.add(what + " was left behind");
      case INVISIBLE -> {
        if (Meta.refcount(meta) == 0) {
          found.add(what + " is unreferenced and was not freed");
        }
      }
      case VISIBLE -> {
        if (!hasValue) {
          found.add(what + " has no value");
        }
        if (Meta.isSuperseding(meta)) {
          found.add(what + " still supersedes another");
        }
        if (Meta.isPrepared(meta)) {
          found.add(what + " still has its value exchanged");
        }
        if (Tail.isCondemned(shard.store().tailAcquire(slot))) {
          found.add(what + " was condemned and not erased");
        }
      }
    }
    boolean collected = shard.type(shard.store().coldAcquire(slot)).disposer() == null;
    if (Meta.isReadable(meta) && !(Meta.isVisible(meta) && collected)) {
      found.add(what + " must not be readable without a pin");
    }
    if (Meta.isVisible(meta) && collected && !Meta.isReadable(meta)) {
      found.add(what + " should be readable without a pin");
    }
  }

  private static void countPath(Shard shard, int last, int[] displacements) {
    Probing probing = shard.table().probing();
    long hi = shard.store().keyHiOpaque(last);
    long lo = shard.store().keyLoOpaque(last);
    long hash = probing.hash(hi, lo);
    int increment = probing.increment(hash);
    int slot = probing.home(hash, hi, lo);
    for (int step = 0; slot != last; step++) {
      displacements[slot * Tail.LANES + Tail.lane(hash)]++;
      slot = probing.next(slot, increment, step);
    }
  }
}
