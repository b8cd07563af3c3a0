/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Overwriting where room is short, in callbacks, after close, and where it is not offered. */
abstract class OverwriteLimitsContractTest extends CacheContract {
  /** Share of the slots that may be in use. */
  private static final double OCCUPANCY_LIMIT = 0.84;

  private static final EntryType<Object> COLLECTED = EntryType.of("collected");

  OverwriteLimitsContractTest(Variant variant) {
    super(variant);
  }

  private InsertResult put(BlockCache<Object> cache, Block block, long charge) {
    InsertResult result = cache.put(HI, block.lo, block, Block.TYPE, charge, Priority.LOW);
    if (result.callerKeepsValue()) {
      blocks.keep(block);
    }
    return result;
  }

  private static void closed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closedCacheRefuses() {
    BlockCache<Object> cache = roomy(10);
    Block older = inserted(cache, 1, 1);
    Handle<Object> held = pin(cache, 1);
    close(cache);
    closed(() -> cache.put(HI, 1, "x", 1));
    closed(() -> cache.put(HI, 1, "x", COLLECTED, 1, Priority.LOW));
    closed(() -> cache.putIfAbsent(HI, 1, "x", 1));
    closed(() -> cache.replace(HI, 1, "x", COLLECTED, 1));
    closed(() -> cache.compareAndReplace(HI, 1, older, "x", COLLECTED, 1));
    assertThat(older.timesFreed()).isZero();
    held.close();
    assertThat(older.timesFreed()).isEqualTo(1);
  }

  @Test
  void roomForOneValueOnly() {
    BlockCache<Object> cache = cache(10L * variant.shards(), 1);
    Block older = inserted(cache, 1, 8);
    for (int i = 0; i < 20; i++) {
      Block newer = block(1);
      InsertResult result = put(cache, newer, 8);
      assertThat(result).isIn(InsertResult.REPLACED, InsertResult.INSERTED);
      assertThat(older.timesFreed()).isEqualTo(1);
      assertThat(newer.timesFreed()).isZero();
      assertThat(cache.monitor().usageBytes()).isEqualTo(8);
      assertThat(cache.monitor().occupancy()).isEqualTo(1);
      older = newer;
    }
    Block last = block(1);
    InsertResult result = cache.replace(HI, 1, last, Block.TYPE, 9);
    if (result.callerKeepsValue()) {
      blocks.keep(last);
    }
    assertThat(result).isIn(InsertResult.REPLACED, InsertResult.NOT_PRESENT, InsertResult.REFUSED);
    assertThat(has(cache, 1)).isEqualTo(result == InsertResult.REPLACED);
    assertThat(older.timesFreed()).isEqualTo(1);
  }

  @Test
  void heldOlderValueLeavesNoRoom() {
    BlockCache<Object> cache = cache(10L * variant.shards(), 1);
    Block older = inserted(cache, 1, 8);
    try (Handle<Object> held = pin(cache, 1)) {
      Block newer = block(1);
      InsertResult result = put(cache, newer, 8);
      assertThat(older.timesFreed()).isZero();
      if (variant.strict()) {
        assertThat(result).isEqualTo(InsertResult.REFUSED);
        try (Handle<Object> again = cache.lookup(HI, 1)) {
          assertThat(again == null ? null : again.value()).isSameAs(older);
        }
        assertThat(cache.monitor().usageBytes()).isEqualTo(8);
      } else if (result == InsertResult.DROPPED) {
        assertThat(has(cache, 1)).isFalse();
        assertThat(newer.timesFreed()).isEqualTo(1);
      } else {
        assertThat(result).isEqualTo(InsertResult.REPLACED);
        assertThat(cache.monitor().usageBytes()).isEqualTo(16);
      }
      assertThat(held.value()).isSameAs(older);
    }
    cache.eraseUnreferenced();
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void valueLargerThanTheCache() {
    BlockCache<Object> cache = cache(10L * variant.shards(), 1);
    for (int round = 0; round < 3; round++) {
      Block older = block(1);
      put(cache, older, 4);
      Block newer = block(1);
      InsertResult result = put(cache, newer, 1000L * variant.shards());
      switch (result) {
        case REFUSED -> assertThat(variant.strict()).isTrue();
        case DROPPED -> {
          assertThat(newer.timesFreed()).isEqualTo(1);
          assertThat(older.timesFreed()).isEqualTo(1);
          assertThat(has(cache, 1)).isFalse();
        }
        default -> {
          assertThat(variant.strict()).isFalse();
          assertThat(older.timesFreed()).isEqualTo(1);
        }
      }
      if (variant.strict()) {
        assertThat(result).isEqualTo(InsertResult.REFUSED);
        assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(4);
      }
      cache.erase(HI, 1);
      assertThat(cache.monitor().usageBytes()).isZero();
      assertThat(cache.monitor().occupancy()).isZero();
    }
  }

  /** All slots that inserts may use are pinned; there is always one for what is freed by it. */
  @Test
  void fullTable() {
    BlockCache<Object> cache = cache(64L * variant.shards(), 1);
    List<Handle<Object>> pins = new ArrayList<>();
    long lo = 0;
    for (int failed = 0; failed < 200; lo++) {
      Block block = block(lo);
      if (cache.insert(HI, lo, block, Block.TYPE, 0, Priority.LOW) == InsertResult.INSERTED) {
        pins.add(pin(cache, lo));
      } else {
        failed++;
        if (variant.strict()) {
          blocks.keep(block);
        }
      }
    }
    long occupied = cache.monitor().occupancy();
    assertThat(pins).hasSize((int) occupied);
    int step = 0;
    for (Handle<Object> pin : pins) {
      Block older = (Block) pin.value();
      Block newer = block(older.lo);
      InsertResult result = write(cache, step++ % 3, older, newer);
      if (result.callerKeepsValue()) {
        assertThat(variant.strict() || (step - 1) % 3 == 2).isTrue();
        blocks.keep(newer);
        try (Handle<Object> found = pin(cache, older.lo)) {
          assertThat(found.value()).isSameAs(older);
        }
      } else if (result == InsertResult.DROPPED) {
        assertThat(variant.strict()).isFalse();
        assertThat(newer.timesFreed()).isEqualTo(1);
        assertThat(has(cache, older.lo)).isFalse();
      } else {
        assertThat(result).isEqualTo(InsertResult.REPLACED);
        assertThat(cache.monitor().occupancy()).isEqualTo(occupied + 1);
        cache.erase(HI, older.lo);
      }
      assertThat(older.timesFreed()).isZero();
      assertThat(cache.monitor().occupancy()).isEqualTo(occupied);
      assertThat(cache.monitor().usageBytes()).isZero();
    }
    release(pins);
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  private static InsertResult write(BlockCache<Object> cache, int how, Block older, Block newer) {
    return switch (how) {
      case 0 -> cache.put(HI, newer.lo, newer, Block.TYPE, 0, Priority.LOW);
      case 1 -> cache.replace(HI, newer.lo, newer, Block.TYPE, 0);
      default -> cache.compareAndReplace(HI, newer.lo, older, newer, Block.TYPE, 0);
    };
  }

  /** At the limit of slots, with nothing pinned, a put makes room by what it replaces. */
  @Test
  void fullTableOfUnpinnedEntries() {
    BlockCache<Object> cache = cache(64L * variant.shards(), 1);
    for (long lo = 0; lo < 300L * variant.shards(); lo++) {
      insertBlock(cache, lo, 0, Priority.LOW);
    }
    long limit = (long) (cache.monitor().slots() * OCCUPANCY_LIMIT) + variant.shards();
    for (int i = 0; i < 500; i++) {
      Block block = block(random.nextInt(300 * variant.shards()));
      assertThat(put(cache, block, 0)).isIn(InsertResult.INSERTED, InsertResult.REPLACED);
      assertThat(has(cache, block.lo)).isTrue();
      assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(limit);
    }
  }

  @Test
  void muchUsedEntryKeepsItsPlace() {
    assumeThat(variant.isAutomatic()).isFalse();
    BlockCache<Object> cache = cache(400L * variant.shards(), 1);
    for (long lo = 0; lo < 40; lo++) {
      insert(cache, lo, 1);
    }
    int kept = 0;
    int rounds = 4000 * variant.shards();
    for (int round = 0; round < rounds; round++) {
      insert(cache, 10_000 + round, 1);
      if (round % 20 == 0) {
        for (long lo = 0; lo < 40; lo++) {
          if (cache.get(HI, lo) != null) {
            cache.replace(HI, lo, "newer " + round, COLLECTED, 1);
          }
        }
      }
    }
    for (long lo = 0; lo < 40; lo++) {
      kept += cache.peek(HI, lo) == null ? 0 : 1;
    }
    assertThat(kept).isEqualTo(40);
  }

  @Test
  void listenerSeesNoReplacedValue() {
    List<Object> seen = new ArrayList<>();
    BlockCache<Object> cache =
        track(
            roomyBuilder(10)
                .evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      seen.add(value);
                      return false;
                    })
                .build());
    Block first = inserted(cache, 1, 1);
    put(cache, block(1), 1);
    try (Handle<Object> held = pin(cache, 1)) {
      put(cache, block(1), 1);
    }
    cache.replace(HI, 1, block(1), Block.TYPE, 1);
    assertThat(first.timesFreed()).isEqualTo(1);
    assertThat(seen).isEmpty();
    assertThat(cache.monitor().stats().evictions()).isZero();
  }

  @Test
  void overwritingIsNoHit() {
    List<Boolean> hits = new ArrayList<>();
    BlockCache<Object> cache =
        track(
            builder(40L * variant.shards(), 1)
                .evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      hits.add(wasHit);
                      return false;
                    })
                .build());
    for (long lo = 0; lo < 500L * variant.shards(); lo++) {
      cache.put(HI, lo, "older", 1);
      cache.put(HI, lo, "newer", 1);
    }
    assertThat(hits).isNotEmpty().doesNotContain(true);
  }

  private static EntryType<Block> freedBy(Disposer<Block> disposer) {
    return EntryType.<Block>named("custom").disposer(disposer).build();
  }

  @Test
  void disposerMayOverwriteItsOwnKey() {
    BlockCache<Object> cache = roomy(10);
    int[] left = {20};
    List<InsertResult> results = new ArrayList<>();
    EntryType<?>[] type = new EntryType<?>[1];
    EntryType<Block> own =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              if (left[0]-- > 0) {
                @SuppressWarnings("unchecked")
                EntryType<Block> same = (EntryType<Block>) type[0];
                results.add(cache.put(hi, lo, block(lo), same, 1, Priority.LOW));
              }
            });
    type[0] = own;
    assertThat(cache.put(HI, 1, block(1), own, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.put(HI, 1, block(1), own, 1, Priority.LOW)).isEqualTo(InsertResult.REPLACED);
    assertThat(results).hasSize(20).containsOnly(InsertResult.REPLACED);
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isEqualTo(1);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void disposerSeesTheNewerValue() {
    BlockCache<Object> cache = roomy(10);
    List<Object> found = new ArrayList<>();
    EntryType<Block> type =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              found.add(cache.get(hi, lo));
              cache.erase(hi, lo);
            });
    cache.put(HI, 1, block(1), type, 1, Priority.LOW);
    assertThat(cache.put(HI, 1, "newer", 2)).isEqualTo(InsertResult.REPLACED);
    assertThat(found).containsExactly("newer");
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void failingDisposerOfAReplacedValue() {
    BlockCache<Object> cache = roomy(10);
    EntryType<Block> type =
        freedBy(
            (hi, lo, block) -> {
              block.free(hi, lo);
              throw new IllegalArgumentException("disposer of " + lo);
            });
    cache.put(HI, 1, block(1), type, 1, Priority.LOW);
    assertThat(cache.put(HI, 1, block(1), type, 2, Priority.LOW)).isEqualTo(InsertResult.REPLACED);
    assertThat(cache.put(HI, 1, "newer", 3)).isEqualTo(InsertResult.REPLACED);
    assertThat(cache.monitor().stats().callbackFailures()).isEqualTo(2);
    assertThat(cache.get(HI, 1)).isEqualTo("newer");
    assertThat(cache.monitor().usageBytes()).isEqualTo(3);
  }

  @Test
  void listenerMayPutTheEvictedKeyBack() {
    List<BlockCache<Object>> itself = new ArrayList<>();
    int[] depth = new int[1];
    int[] left = {100};
    BlockCache<Object> cache =
        track(
            builder(20L * variant.shards(), 1)
                .evictionListener(
                    (hi, lo, value, type, charge, wasHit) -> {
                      if (depth[0]++ == 0 && lo % 3 == 0 && left[0]-- > 0) {
                        itself.get(0).put(hi, lo, "back", COLLECTED, 1, Priority.LOW);
                      }
                      depth[0]--;
                      return false;
                    })
                .build());
    itself.add(cache);
    for (long lo = 0; lo < 400L * variant.shards(); lo++) {
      insertBlock(cache, lo, 1, Priority.LOW);
      cache.put(HI, lo / 2, "half", 1);
    }
    assertThat(cache.monitor().stats().callbackFailures()).isZero();
    cache.eraseUnreferenced();
    assertThat(cache.monitor().usageBytes()).isEqualTo(cache.monitor().occupancy());
  }

  @Test
  void visitorMayOverwriteWhatItVisits() {
    BlockCache<Object> cache = roomy(100);
    for (long lo = 0; lo < 30; lo++) {
      inserted(cache, lo, 1);
    }
    int[] visits = new int[30];
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              assertThat(((Block) value).timesFreed()).isZero();
              if (visits[(int) lo]++ == 0) {
                assertThat(put(cache, block(lo), 2)).isEqualTo(InsertResult.REPLACED);
                assertThat(((Block) value).timesFreed()).as("held by the visit").isZero();
              }
            });
    assertThat(visits).doesNotContain(0);
    assertThat(cache.monitor().occupancy()).isEqualTo(30);
    assertThat(cache.monitor().usageBytes()).isEqualTo(60);
  }
}
