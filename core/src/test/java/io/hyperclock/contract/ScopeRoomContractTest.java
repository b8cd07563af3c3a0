/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.InsertResult;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Room that read scopes hold back: usage stays honest, and nobody empties the cache for it. */
@Tag("scope")
abstract class ScopeRoomContractTest extends CacheContract {
  private static final int ENTRIES = 50;

  /** Entries that one step of the classic hand may take. */
  private static final long HAND_STEP = 4;

  /** What non-strict entries give up for retired values. */
  private static final long SHARE = ENTRIES / 16;

  ScopeRoomContractTest(Variant variant) {
    super(variant);
  }

  private BlockCache<Object> full() {
    BlockCache<Object> cache = cache(ENTRIES, 1);
    for (long lo = 0; cache.monitor().usageBytes() < ENTRIES; lo++) {
      inserted(cache, lo, 1);
    }
    return cache;
  }

  @Test
  void insertsDoNotEmptyTheCacheForAnOpenScope() {
    BlockCache<Object> cache = full();
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, -1)).isNull();
      for (long lo = 1000; lo < 1000 + 3 * ENTRIES; lo++) {
        InsertResult result = insertBlock(cache, lo, 1, Priority.LOW);
        if (variant.strict()) {
          assertThat(result).isEqualTo(InsertResult.REFUSED);
          assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES);
          assertThat(cache.monitor().scopeStats().retiredBytes()).isBetween(1L, HAND_STEP);
        } else {
          assertThat(result).isEqualTo(InsertResult.INSERTED);
        }
        assertThat(cache.monitor().occupancy())
            .isBetween(ENTRIES - SHARE - HAND_STEP, ENTRIES + 1L);
      }
      assertThat(cache.monitor().usageBytes())
          .isEqualTo(cache.monitor().occupancy() + cache.monitor().scopeStats().retiredBytes());
    }
    assertThat(cache.monitor().scopeStats().retiredBytes()).isZero();
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES + 2L);
    assertThat(insertBlock(cache, 9999, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
  }

  @Test
  void aLargeInsertEvictsNoMoreThanItNeeds() {
    BlockCache<Object> cache = full();
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, -1)).isNull();
      insertBlock(cache, 1000, 10, Priority.LOW);
      assertThat(cache.monitor().scopeStats().retiredBytes())
          .isBetween(10L, 10 + SHARE + HAND_STEP);
      insertBlock(cache, 1001, 10, Priority.LOW);
      assertThat(cache.monitor().scopeStats().retiredBytes())
          .isLessThanOrEqualTo(2 * (10 + SHARE + HAND_STEP));
    }
    assertThat(insertBlock(cache, 1002, 10, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
  }

  @Test
  void collectedValuesMakeRoomAtOnce() {
    BlockCache<Object> cache = cache(ENTRIES, 1);
    for (long lo = 0; lo < 2 * ENTRIES; lo++) {
      insert(cache, lo, 1);
    }
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, -1)).isNull();
      for (long lo = 1000; lo < 1000 + ENTRIES; lo++) {
        assertThat(insert(cache, lo, 1)).isEqualTo(InsertResult.INSERTED);
        assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES);
      }
      assertThat(cache.monitor().scopeStats().retiredValues()).isZero();
    }
  }

  @Test
  void shrinkingDoesNotEmptyTheCacheForAnOpenScope() {
    BlockCache<Object> cache = full();
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, -1)).isNull();
      cache.setCapacityBytes(ENTRIES / 2);
      assertThat(cache.monitor().occupancy()).isBetween(ENTRIES / 2 - HAND_STEP, ENTRIES / 2L);
      assertThat(cache.monitor().usageBytes()).isEqualTo(ENTRIES);
    }
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES / 2);
  }

  @Test
  void pinnedInsertsAndChargesAreBoundedToo() {
    BlockCache<Object> cache = full();
    try (ReadScope<Object> scope = cache.openScope()) {
      assertThat(scope.get(HI, -1)).isNull();
      Block alone = block(1);
      var handle = cache.createStandalone(HI, 1, alone, Block.TYPE, 5, false);
      if (variant.strict()) {
        assertThat(handle).isNull();
        blocks.keep(alone);
      } else {
        handle.close();
      }
      assertThat(cache.monitor().scopeStats().retiredBytes()).isBetween(5L, 5 + HAND_STEP);
    }
  }

  /** Blocks of which the first one to be freed keeps its thread until the test goes on. */
  private static final class SlowType {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicBoolean isFirst = new AtomicBoolean(true);
    final EntryType<Block> type =
        EntryType.<Block>named("slow to free").disposer(this::dispose).build();

    private void dispose(long hi, long lo, Block block) {
      block.free(hi, lo);
      if (isFirst.getAndSet(false)) {
        begun.countDown();
        await(goOn);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSlowDisposerDoesNotHoldBackTheRoomOfOthers() throws Exception {
    BlockCache<Object> cache = cache(ENTRIES, 1);
    SlowType slow = new SlowType();
    long entries = 0;
    for (; cache.monitor().usageBytes() < ENTRIES; entries++) {
      assertThat(cache.insert(HI, entries, block(entries), slow.type, 1, Priority.LOW))
          .isEqualTo(InsertResult.INSERTED);
    }
    long last = entries;
    Thread closer =
        new Thread(
            () -> {
              try (ReadScope<Object> scope = cache.openScope()) {
                assertThat(scope.get(HI, -1)).isNull();
                for (long lo = 0; lo < last; lo++) {
                  cache.erase(HI, lo);
                }
              }
            });
    closer.start();
    await(slow.begun);
    try {
      for (long lo = 1000; lo < 1000 + ENTRIES; lo++) {
        assertThat(insertBlock(cache, lo, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      }
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES);
      assertThat(cache.monitor().scopeStats().retiredValues()).isZero();
    } finally {
      slow.goOn.countDown();
      closer.join(60_000);
    }
    assertThat(closer.isAlive()).isFalse();
  }
}
