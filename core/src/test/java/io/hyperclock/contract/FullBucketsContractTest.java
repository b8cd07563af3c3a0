/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What happens where both buckets of a key are full: an entry of theirs leaves, unless all are
 * held.
 */
abstract class FullBucketsContractTest extends CacheContract {
  private static final int SLOTS_OF_A_KEY = 16;

  FullBucketsContractTest(Variant variant) {
    super(variant);
  }

  /** Keys that have the same two buckets. */
  private List<Long> crowd(BlockCache<?> cache, int size) {
    Buckets buckets = new Buckets((int) cache.monitor().slots() / 8, seed);
    Set<Integer> wanted = places(buckets, 0);
    List<Long> keys = new ArrayList<>();
    for (long lo = 0; keys.size() < size; lo++) {
      if (places(buckets, lo).equals(wanted)) {
        keys.add(lo);
      }
    }
    return keys;
  }

  private static Set<Integer> places(Buckets buckets, long lo) {
    long hash = buckets.hash(HI, lo);
    return Set.of(buckets.first(hash), buckets.second(hash));
  }

  private static int present(BlockCache<Object> cache, List<Long> keys) {
    int present = 0;
    for (long lo : keys) {
      present += has(cache, lo) ? 1 : 0;
    }
    return present;
  }

  @Test
  void keysThatShareBothBucketsEvictEachOtherAndNobodyElse() {
    BlockCache<Object> cache = cache(200, 1);
    List<Long> crowd = crowd(cache, 100);
    for (long lo : crowd) {
      assertThat(insertBlock(cache, lo, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      assertThat(has(cache, lo)).isTrue();
      assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(SLOTS_OF_A_KEY);
      assertThat(cache.monitor().usageBytes()).isEqualTo(cache.monitor().occupancy());
    }
    assertThat(present(cache, crowd)).isEqualTo(SLOTS_OF_A_KEY);
    CacheStats stats = cache.monitor().stats();
    assertThat(stats.localEvictions()).isEqualTo(100 - SLOTS_OF_A_KEY);
    assertThat(stats.evictions()).isEqualTo(100 - SLOTS_OF_A_KEY);
    assertThat(stats.withoutSlot()).isZero();
  }

  @Test
  void whatPutsEvictFromTheirBucketsIsCounted() {
    BlockCache<Object> cache = cache(200, 1);
    for (long lo : crowd(cache, 100)) {
      InsertResult result = cache.put(HI, lo, block(lo), Block.TYPE, 1, Priority.LOW);
      assertThat(result).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().stats().localEvictions()).isEqualTo(100 - SLOTS_OF_A_KEY);
    assertThat(cache.monitor().stats().withoutSlot()).isZero();
  }

  @Test
  void anEntryThatIsUsedIsNotTheOneToLeave() {
    BlockCache<Object> cache = cache(200, 1);
    List<Long> crowd = crowd(cache, 400);
    long hot = crowd.get(0);
    insertBlock(cache, hot, 1, Priority.HIGH);
    for (long lo : crowd.subList(1, 400)) {
      pin(cache, hot).close();
      insertBlock(cache, lo, 1, Priority.HIGH);
    }
    assertThat(has(cache, hot)).isTrue();
    assertThat(cache.monitor().stats().localEvictions()).isEqualTo(400 - SLOTS_OF_A_KEY);
  }

  /** Those that are not used leave for them, not each for the other. */
  @Test
  void keysThatReturnDoNotEvictEachOtherForEver() {
    BlockCache<Object> cache = cache(200, 1);
    for (long lo = 1_000_000; lo < 1_000_190; lo++) {
      insertBlock(cache, lo, 1, Priority.LOW);
    }
    List<Long> crowd = crowd(cache, SLOTS_OF_A_KEY + 4);
    for (long lo : crowd.subList(4, SLOTS_OF_A_KEY + 4)) {
      insertBlock(cache, lo, 1, Priority.LOW);
    }
    int misses = 0;
    for (int round = 0; round < 20; round++) {
      misses = 0;
      for (long lo : crowd.subList(0, 4)) {
        if (!has(cache, lo)) {
          misses++;
          insertBlock(cache, lo, 1, Priority.LOW);
        }
      }
    }
    assertThat(misses).isZero();
  }

  @Test
  void aHeldEntryDoesNotLeaveForAnother() {
    BlockCache<Object> cache = cache(200, 1);
    List<Long> crowd = crowd(cache, 100);
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo : crowd.subList(0, SLOTS_OF_A_KEY - 1)) {
      pins.add(insertPinned(cache, lo, 1));
    }
    for (long lo : crowd.subList(SLOTS_OF_A_KEY, 100)) {
      assertThat(insertBlock(cache, lo, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      assertThat(has(cache, lo)).isTrue();
    }
    for (Handle<Object> pin : pins) {
      assertThat(((Block) pin.value()).timesFreed()).isZero();
      assertThat(has(cache, pin.keyLo())).isTrue();
    }
    assertThat(cache.monitor().occupancy()).isEqualTo(SLOTS_OF_A_KEY);
    release(pins);
  }

  @Test
  void whereAllAreHeldAnInsertIsDroppedOrRefusedCountedAndReported() {
    BlockCache<Object> cache = cache(200, 2);
    List<Long> crowd = crowd(cache, 50);
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo : crowd.subList(0, SLOTS_OF_A_KEY)) {
      pins.add(insertPinned(cache, lo, 1));
    }
    assertThat(cache.monitor().problems()).isEmpty();
    long usage = cache.monitor().usageBytes();
    for (long lo : crowd.subList(SLOTS_OF_A_KEY, 40)) {
      assertThat(insertBlock(cache, lo, 1, Priority.HIGH))
          .isEqualTo(variant.strict() ? InsertResult.REFUSED : InsertResult.DROPPED);
      assertThat(has(cache, lo)).isFalse();
      assertThat(cache.monitor().usageBytes()).isEqualTo(usage);
    }
    assertStandaloneOrRefused(cache, crowd.get(40));
    assertThat(cache.monitor().stats().withoutSlot()).isEqualTo(40 - SLOTS_OF_A_KEY + 1);
    assertThat(cache.monitor().stats().localEvictions()).isZero();
    List<Problem> problems = cache.monitor().problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).severity()).isEqualTo(Problem.Severity.WARN);
    assertThat(problems.get(0).message())
        .contains("25 inserts found every slot")
        .contains("recommended estimatedEntryCharge=1");
    release(pins);
    assertThat(insertBlock(cache, crowd.get(41), 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
    assertThat(has(cache, crowd.get(41))).isTrue();
  }

  /** Without strict capacity the older value goes, but the newer one has no slot then either. */
  @Test
  void aPutWhereAllAreHeldIsCountedOnce() {
    BlockCache<Object> cache = cache(200, 2);
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo : crowd(cache, SLOTS_OF_A_KEY)) {
      pins.add(insertPinned(cache, lo, 1));
    }
    Block newer = block(pins.get(0).keyLo());
    InsertResult result = cache.put(HI, newer.lo, newer, Block.TYPE, 1, Priority.LOW);
    if (result.callerKeepsValue()) {
      blocks.keep(newer);
    }
    assertThat(result).isEqualTo(variant.strict() ? InsertResult.REFUSED : InsertResult.DROPPED);
    assertThat(cache.monitor().stats().withoutSlot()).isEqualTo(1);
    assertThat(has(cache, newer.lo)).isEqualTo(variant.strict());
    release(pins);
  }

  private void assertStandaloneOrRefused(BlockCache<Object> cache, long lo) {
    try (Handle<Object> alone = insertPinned(cache, lo, 1)) {
      assertThat(alone.isStandalone()).isTrue();
      assertThat(has(cache, lo)).isFalse();
    } catch (CapacityExceededException e) {
      assertThat(variant.strict()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 12, 13, 16, 17, 31, 32, 33, 63, 64})
  void tablesOfAFewEntriesWork(long capacity) {
    BlockCache<Object> cache = cache(capacity, 1);
    for (long lo = 0; lo < 20 * capacity; lo++) {
      assertThat(insertBlock(cache, lo, 1, Priority.LOW)).isEqualTo(InsertResult.INSERTED);
      assertThat(has(cache, lo)).isTrue();
      assertThat(cache.monitor().usageBytes())
          .isLessThanOrEqualTo(capacity)
          .isEqualTo(cache.monitor().occupancy());
    }
    assertThat(cache.monitor().occupancy()).isGreaterThanOrEqualTo(capacity - 2 - capacity / 6);
  }
}
