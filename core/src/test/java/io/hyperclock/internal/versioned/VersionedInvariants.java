/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.policy.adaptive.PolicyInvariants;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.SlotWords;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedStats;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must hold of a cache of two versions in which nothing is under way. */
public final class VersionedInvariants {
  private VersionedInvariants() {}

  /** How many have joined a group and not left. */
  static int members(Group group) {
    int members = 0;
    Group.Member member = group.state.get().members();
    for (; member != null; member = member.next()) {
      members++;
    }
    return members;
  }

  /**
   * What does not hold.
   *
   * @return one sentence per violation
   */
  public static List<String> violations(VersionedCache<?> cache) {
    List<String> found = new ArrayList<>();
    long items = 0;
    long alone = 0;
    long itemBytes = 0;
    long prepares = 0;
    Set<String> keys = new HashSet<>();
    for (VersionedShard shard : ((DefaultVersionedCache<?>) cache).shards) {
      SlotStore store = shard.store();
      long standalone = 0;
      for (int slot = 0; slot < store.slots(); slot++) {
        long meta = store.metaAcquire(slot);
        Prepare prepare = shard.prepares.get(slot);
        if (MetaWord.isEmpty(meta)) {
          if (prepare != null || store.valueOpaque(slot) != null) {
            found.add("empty slot " + slot + " holds something");
          }
          continue;
        }
        String words = SlotWords.text(meta);
        if (!MetaWord.isVisible(meta) || MetaWord.isSuperseding(meta)) {
          found.add("slot " + slot + " is " + words);
        }
        if (!keys.add(store.keyHiOpaque(slot) + ":" + store.keyLoOpaque(slot))) {
          found.add("slot " + slot + " holds a second entry of its key");
        }
        boolean isPrepared = MetaWord.isPrepared(meta);
        if (isPrepared != (prepare != null)
            || MetaWord.refcount(meta) != (isPrepared ? 1 : 0)
            || !isPrepared && !MetaWord.isReadable(meta)
            || prepare != null && !prepare.isPending()) {
          found.add("slot " + slot + " is " + words + " with " + prepare);
        }
        boolean isAlone = store.valueOpaque(slot) == Prepare.NOTHING;
        if (isAlone && (!isPrepared || MetaWord.isReadable(meta))) {
          found.add("slot " + slot + " has no value and is " + words);
        }
        standalone += prepare == null ? 0 : prepare.chargeBytes;
        Prepare.Beneath beneath = prepare == null ? null : prepare.beneath();
        if (beneath != null) {
          if (!isAlone || ChargeWord.chargeBytes(store.coldAcquire(slot)) != 0) {
            found.add("slot " + slot + " has two committed values");
          }
          isAlone = false;
          itemBytes += beneath.chargeBytes();
          standalone += beneath.chargeBytes();
        }
        items += isAlone ? 0 : 1;
        alone += isAlone ? 1 : 0;
        prepares += isPrepared ? 1 : 0;
        itemBytes += ChargeWord.chargeBytes(store.coldAcquire(slot));
      }
      require(found, "standalone usage", shard.ledger.standaloneUsage(), standalone);
      found.addAll(PolicyInvariants.violations(shard.replacement()));
    }
    VersionedStats stats = cache.monitor().stats();
    require(found, "items", stats.items(), items);
    require(found, "itemBytes", stats.itemBytes(), itemBytes);
    require(found, "prepares", stats.prepares(), prepares);
    require(found, "occupancy", stats.occupancy(), items + alone);
    long usage = stats.metadataBytes() + itemBytes + stats.preparedBytes();
    require(found, "usageBytes", stats.usageBytes(), usage);
    return found;
  }

  private static void require(List<String> found, String name, long counted, long actual) {
    if (counted != actual) {
      found.add(name + " " + counted + " != " + actual);
    }
  }
}
