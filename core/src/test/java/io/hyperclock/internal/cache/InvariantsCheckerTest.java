/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.TentativeInserts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checker itself must see each kind of damage. */
class InvariantsCheckerTest {
  private HyperClockCache<String> cache;
  private Shard shard;
  private SlotStore store;
  private int occupied;

  @BeforeEach
  void fill() {
    cache =
        (HyperClockCache<String>)
            BlockCache.<String>builder()
                .capacityBytes(10_000)
                .estimatedEntryCharge(10)
                .hashSeed(HashSeed.fixed(1))
                .build();
    for (int i = 0; i < 300; i++) {
      cache.insert(1, i, "value", 10);
    }
    shard = cache.shards.at(0);
    store = shard.store;
    while (MetaWord.isEmpty(store.metaAcquire(occupied))) {
      occupied++;
    }
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
  }

  private void assertFound(String... parts) {
    assertThat(InvariantsChecker.violations(cache))
        .isNotEmpty()
        .anySatisfy(violation -> assertThat(violation).contains(parts));
  }

  @Test
  void seesDriftOfUsage() {
    shard.ledger.addUsage(1);
    assertFound("usage");
  }

  @Test
  void seesDriftOfOccupancy() {
    shard.ledger.getAndAddOccupancy(-1);
    assertFound("occupancy");
  }

  @Test
  void seesAMissingTag() {
    shard.table.slots().clearTag(occupied, 0);
    assertFound("has the tag");
  }

  @Test
  void seesAnEntryThatLiesInNeitherBucket() {
    SlotProtocol slots = shard.table.slots();
    long hash = shard.table.buckets().hash(1, 1);
    int bucket = 0;
    while (bucket == shard.table.buckets().first(hash)
        || bucket == shard.table.buckets().second(hash)) {
      bucket++;
    }
    int slot = bucket * SlotStore.BUCKET_SLOTS + SlotStore.BUCKET_SLOTS - 1;
    assertThat(slots.claim(slot)).isTrue();
    slots.fill(slot, 1, 1, "value", 0);
    TentativeInserts tentativeInserts = new TentativeInserts(slots);
    tentativeInserts.announce(slot, hash);
    assertThat(tentativeInserts.publish(slot, MetaWord.visible(1, false, true, 0))).isTrue();
    assertFound("lies in neither of its buckets");
  }

  @Test
  void seesASlotLeftUnderConstruction() {
    assertThat(shard.table.slots().take(occupied, store.metaAcquire(occupied))).isTrue();
    assertFound("was left behind");
  }

  @Test
  void seesAnErasedEntryThatNobodyFreed() {
    long meta = store.metaAcquire(occupied);
    store.setMetaRelease(occupied, meta & ~(1L << 63 | 1L << 62));
    assertFound("was not freed");
  }

  @Test
  void seesAValueKeptByAnEmptySlot() {
    store.setMetaRelease(occupied, 0);
    assertFound("keeps a value");
  }

  @Test
  void seesAWrongReadableBit() {
    store.setMetaRelease(occupied, store.metaAcquire(occupied) & Long.MAX_VALUE);
    assertFound("should be readable");
  }
}
