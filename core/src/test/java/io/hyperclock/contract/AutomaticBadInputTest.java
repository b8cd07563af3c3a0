/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.stats.CacheStats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may come while the table of a cache changes its size, or is made to. */
class AutomaticBadInputTest extends CacheContract {
  private static final long MIB = 1 << 20;
  private static final int BUCKET = 8;

  /** With it no key of these tests is evicted while the table has room. */
  private static final int SEED = 7;

  AutomaticBadInputTest() {
    super(Variant.adaptive(SlotStorage.HEAP, CapacityMode.NON_STRICT, 1));
  }

  private BlockCache<Object> untracked() {
    return BlockCache.<Object>builder()
        .capacityBytes(64 * MIB)
        .shards(1)
        .hashSeed(HashSeed.fixed(SEED))
        .executor(Runnable::run)
        .build();
  }

  private BlockCache<Object> open() {
    return track(untracked());
  }

  /** Inserts until a large table has just begun to be left; the values. */
  private List<Block> fillUntilMoving(BlockCache<Object> cache) {
    List<Block> blocks = new ArrayList<>();
    long slots = cache.monitor().slots();
    while (slots < 4096 || cache.monitor().slots() == slots) {
      slots = cache.monitor().slots();
      blocks.add(inserted(cache, blocks.size(), 256));
    }
    return blocks;
  }

  /** Some entries lie in the old table then, some in the new one, and one is held. */
  @Test
  void closeWhileEntriesAreMovedFreesEachOnce() {
    BlockCache<Object> cache = untracked();
    List<Block> blocks = fillUntilMoving(cache);
    for (int i = 0; i < 20; i++) {
      blocks.add(inserted(cache, blocks.size(), 256));
    }
    int last = blocks.size() - 1;
    Handle<Object> old = pin(cache, 5);
    Handle<Object> fresh = pin(cache, last);
    cache.close();
    assertThat(blocks.get(5).timesFreed()).isZero();
    assertThat(blocks.get(last).timesFreed()).isZero();
    old.close();
    fresh.close();
    assertThat(blocks).allMatch(block -> block.timesFreed() == 1);
  }

  @Test
  void capacityMayShrinkToNothingWhileEntriesAreMoved() {
    BlockCache<Object> cache = open();
    List<Block> blocks = fillUntilMoving(cache);
    Handle<Object> held = pin(cache, 5);
    cache.setCapacityBytes(MIB / 16);
    assertThat(held.value()).isSameAs(blocks.get(5));
    assertThat(cache.monitor().occupancy()).isLessThan(300);
    held.close();
    assertThat(cache.monitor().stats().heldTableBytes()).isZero();
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(MIB / 16);
    assertThat(blocks.stream().filter(block -> block.timesFreed() > 1)).isEmpty();
    cache.setCapacityBytes(64 * MIB);
    inserted(cache, 1L << 40, 256);
    pin(cache, 1L << 40).close();
  }

  @Test
  void aTableHasSlotsForAllThatIsHeld() {
    BlockCache<Object> cache = open();
    List<Handle<Object>> held = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      inserted(cache, i, 256);
      held.add(pin(cache, i));
    }
    long before = cache.monitor().slots();
    cache.setCapacityBytes(MIB / 128);
    CacheStats full = cache.monitor().stats();
    assertThat(full.occupancy()).isBetween(2_000L, full.slots());
    held.forEach(Handle::close);
    cache.setCapacityBytes(MIB / 128);
    CacheStats fits = cache.monitor().stats();
    assertThat(fits.slots()).isLessThan(before);
    assertThat(fits.occupancy()).isBetween(0L, fits.slots());
  }

  /** Who knows the seed fills two buckets of his choice, and nothing else. */
  @Test
  void keysOfTwoBucketsEvictEachOther() {
    BlockCache<Object> cache = open();
    long slots = cache.monitor().slots();
    Buckets buckets = new Buckets((int) slots / BUCKET, SEED);
    for (long lo = 1L << 32; lo < (1L << 32) + 100; lo++) {
      inserted(cache, lo, 10);
    }
    long present = countPresent(cache, 1L << 32, (1L << 32) + 100);
    assertThat(present).isGreaterThan(95);
    long hash = buckets.hash(HI, 0);
    int sent = 0;
    for (long lo = 0; sent < 200; lo++) {
      long other = buckets.hash(HI, lo);
      if (buckets.first(other) == buckets.first(hash)
          && buckets.second(other) == buckets.second(hash)) {
        sent++;
        assertThat(cache.insert(HI, lo, "x", 10)).isEqualTo(InsertResult.INSERTED);
        assertThat(cache.get(HI, lo)).isEqualTo("x");
      }
    }
    assertThat(cache.monitor().slots()).isEqualTo(slots);
    assertThat(cache.monitor().stats().localEvictions()).isGreaterThanOrEqualTo(200 - 2 * BUCKET);
    assertThat(countPresent(cache, 1L << 32, (1L << 32) + 100))
        .isGreaterThanOrEqualTo(present - 2 * BUCKET);
  }
}
