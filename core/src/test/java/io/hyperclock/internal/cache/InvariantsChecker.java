/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.policy.adaptive.PolicyInvariants;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.GenerationWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.SlotWords;
import io.hyperclock.internal.table.Buckets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the structure of a quiet cache: states, values, counters, tags and the ledger agree with
 * each other. For tests and diagnosis; it reads everything and changes nothing. Standalone entries
 * and open pins are allowed.
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
    Shards shards = ((HyperClockCache<?>) cache).shards;
    for (int i = 0; i < shards.count(); i++) {
      checkShard("shard " + i + ": ", shards.at(i), shards.resizing(i), found);
    }
    return found;
  }

  /** What the slots of one table add up to. */
  private static final class Sum {
    long charge;
    long occupied;
    long metadata;
  }

  private static void checkShard(
      String where, Shard first, @Nullable Resizing resizing, List<String> found) {
    Shard shard = first.newest();
    Sum sum = new Sum();
    if (resizing != null) {
      if (!resizing.finish()) {
        found.add(where + "entries are left in the table before");
      }
      resizing.held.drop();
      for (Shard old : old(resizing)) {
        checkOld(where + "old table: ", old, found);
        checkSlots(where + "old table: ", old, sum, found);
      }
    }
    checkSlots(where, shard, sum, found);
    sum.metadata += resizing == null ? 0 : resizing.charge.charged;
    long charge = sum.charge;
    long occupied = sum.occupied;
    if (sum.metadata != shard.ledger.metadataBytes()) {
      found.add(where + "metadata " + shard.ledger.metadataBytes() + " != " + sum.metadata);
    }
    if (occupied != shard.ledger.occupancy()) {
      found.add(where + "occupancy " + shard.ledger.occupancy() + " != " + occupied);
    }
    long usage = shard.ledger.metadataBytes() + shard.ledger.standaloneUsage() + charge;
    if (usage != shard.ledger.usage()) {
      found.add(where + "usage " + shard.ledger.usage() + " != " + usage);
    }
    List<Replacement> older =
        resizing == null
            ? List.of()
            : old(resizing).stream().map(table -> table.replacement).toList();
    PolicyInvariants.violations(shard.replacement, older)
        .forEach(violation -> found.add(where + violation));
    if (shard.ledger.standaloneUsage() < 0) {
      found.add(where + "standalone usage " + shard.ledger.standaloneUsage() + " < 0");
    }
  }

  private static void checkSlots(String where, Shard shard, Sum sum, List<String> found) {
    SlotStore store = shard.store;
    sum.metadata += shard.sizing.metadataBytes();
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      String what = where + "slot " + slot + ": " + SlotWords.text(meta);
      checkSlot(what, shard, slot, meta, found);
      checkTag(what, shard, slot, meta, found);
      long cold = store.coldAcquire(slot);
      if (!MetaWord.isEmpty(meta) && !ChargeWord.isForwarded(cold)) {
        sum.occupied++;
        sum.charge += ChargeWord.chargeBytes(cold);
        if (ChargeWord.isUnsettled(cold)) {
          found.add(what + " waits for its charge");
        }
      }
    }
  }

  /** The tables in which something is held, and the one that is being left. */
  private static List<Shard> old(Resizing resizing) {
    return resizing.held.and(resizing.newest().before());
  }

  /** In a table that was left are only entries that somebody holds. */
  private static void checkOld(String where, Shard shard, List<String> found) {
    SlotStore store = shard.store;
    for (int slot = 0; slot < store.slots(); slot++) {
      if (MetaWord.isVisible(store.metaAcquire(slot))) {
        found.add(where + "slot " + slot + " is visible");
      }
    }
  }

  private static void checkSlot(String what, Shard shard, int slot, long meta, List<String> found) {
    boolean hasValue = shard.store.valueOpaque(slot) != null;
    switch (SlotWords.state(meta)) {
      case EMPTY -> {
        if (hasValue) {
          found.add(what + " keeps a value");
        }
      }
      case UNDER_CONSTRUCTION -> found.add(what + " was left behind");
      case INVISIBLE -> {
        if (MetaWord.refcount(meta) == 0) {
          found.add(what + " is unreferenced and was not freed");
        }
      }
      case VISIBLE -> {
        if (!hasValue) {
          found.add(what + " has no value");
        }
        if (MetaWord.isSuperseding(meta)) {
          found.add(what + " still supersedes another");
        }
        if (MetaWord.isPrepared(meta)) {
          found.add(what + " still has its value exchanged");
        }
        if (GenerationWord.isErasing(shard.store.tailAcquire(slot))) {
          found.add(what + " was erasing and not erased");
        }
      }
    }
    EntryType<?> type = shard.types.of(shard.store.coldAcquire(slot));
    boolean unpinned = type.disposer() == null || type.isStamped();
    if (MetaWord.isReadable(meta) && !(MetaWord.isVisible(meta) && unpinned)) {
      found.add(what + " must not be readable without a pin");
    }
    if (MetaWord.isVisible(meta) && unpinned && !MetaWord.isReadable(meta)) {
      found.add(what + " should be readable without a pin");
    }
  }

  /** A slot has the tag of its key, in one of the two buckets of that, or none if it is empty. */
  private static void checkTag(String what, Shard shard, int slot, long meta, List<String> found) {
    SlotStore store = shard.store;
    int tag = SlotWords.tag(store, slot);
    if (MetaWord.isEmpty(meta)) {
      if (tag != 0) {
        found.add(what + " keeps the tag " + tag);
      }
      return;
    }
    Buckets buckets = shard.table.buckets();
    long hash = buckets.hash(store.keyHiOpaque(slot), store.keyLoOpaque(slot));
    if (!SlotWords.isTagOf(tag, hash)) {
      found.add(what + " has the tag " + tag + " of another hash");
    }
    int bucket = slot / SlotStore.BUCKET_SLOTS;
    if (bucket != buckets.first(hash) && bucket != buckets.second(hash)) {
      found.add(what + " lies in neither of its buckets");
    }
  }
}
