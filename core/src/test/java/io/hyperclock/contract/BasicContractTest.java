/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Insert, read, erase, and which bit patterns are keys. */
abstract class BasicContractTest extends CacheContract {
  private static final long[] EDGES = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};

  BasicContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void emptyCacheFindsNothing() {
    BlockCache<Object> cache = roomy(10);
    for (long hi : EDGES) {
      for (long lo : EDGES) {
        assertThat(cache.get(hi, lo)).isNull();
        assertThat(cache.peek(hi, lo)).isNull();
        assertThat(cache.lookup(hi, lo)).isNull();
        assertThat(cache.erase(hi, lo)).isFalse();
      }
    }
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void everyReadFindsTheInsertedValue() {
    BlockCache<Object> cache = roomy(10);
    Object value = new Object();
    assertThat(cache.insert(HI, 1, value, 3)).isEqualTo(InsertResult.INSERTED);

    assertThat(cache.get(HI, 1)).isSameAs(value);
    assertThat(cache.peek(HI, 1)).isSameAs(value);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.value()).isSameAs(value);
      assertThat(handle.keyHi()).isEqualTo(HI);
      assertThat(handle.keyLo()).isEqualTo(1);
      assertThat(handle.chargeBytes()).isEqualTo(3);
      assertThat(handle.isStandalone()).isFalse();
    }
    assertThat(cache.get(HI, 2)).isNull();
    assertThat(cache.get(1, HI)).as("words swapped").isNull();
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isEqualTo(3);
  }

  @Test
  void presentKeyKeepsItsOlderValue() {
    BlockCache<Object> cache = roomy(10);
    Object older = "older";
    assertThat(cache.insert(HI, 1, older, 2)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.insert(HI, 1, "newer", 5)).isEqualTo(InsertResult.KEPT_EXISTING);

    assertThat(cache.get(HI, 1)).isSameAs(older);
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isEqualTo(2);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.get(HI, 1)).isNull();
  }

  @Test
  void erasedKeyIsGoneAndMayComeBack() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    insert(cache, 2, 1);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.erase(HI, 1)).isFalse();

    assertThat(cache.get(HI, 1)).isNull();
    assertThat(cache.peek(HI, 1)).isNull();
    assertThat(cache.lookup(HI, 1)).isNull();
    assertThat(cache.get(HI, 2)).isEqualTo(text(2));
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isEqualTo(1);

    assertThat(cache.insert(HI, 1, "again", 4)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.get(HI, 1)).isEqualTo("again");
    assertThat(cache.monitor().usageBytes()).isEqualTo(5);
  }

  @Test
  void allBitPatternsAreKeys() {
    BlockCache<Object> cache = roomy(EDGES.length * EDGES.length);
    for (long hi : EDGES) {
      for (long lo : EDGES) {
        assertThat(cache.insert(hi, lo, List.of(hi, lo), 1)).isEqualTo(InsertResult.INSERTED);
      }
    }
    for (long hi : EDGES) {
      for (long lo : EDGES) {
        assertThat(cache.get(hi, lo)).isEqualTo(List.of(hi, lo));
      }
    }
    assertThat(cache.erase(-1, -1)).isTrue();
    assertThat(cache.erase(0, 0)).isTrue();
    assertThat(cache.get(-1, -1)).isNull();
    assertThat(cache.get(0, 0)).isNull();
    assertThat(cache.get(0, -1)).isEqualTo(List.of(0L, -1L));
    assertThat(cache.get(-1, 0)).isEqualTo(List.of(-1L, 0L));
    List<List<Long>> visited = new ArrayList<>();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> visited.add(List.of(hi, lo)));
    assertThat(visited)
        .hasSize(EDGES.length * EDGES.length - 2)
        .doesNotHaveDuplicates()
        .allSatisfy(key -> assertThat(cache.peek(key.get(0), key.get(1))).isEqualTo(key));
  }

  @Test
  void keysThatDifferInOneBitAreDifferent() {
    BlockCache<Object> cache = roomy(129);
    long hi = random.nextLong();
    long lo = random.nextLong();
    cache.insert(hi, lo, -1, 1);
    for (int bit = 0; bit < 64; bit++) {
      assertThat(cache.insert(hi ^ 1L << bit, lo, bit, 1)).isEqualTo(InsertResult.INSERTED);
      assertThat(cache.insert(hi, lo ^ 1L << bit, 64 + bit, 1)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.get(hi, lo)).isEqualTo(-1);
    for (int bit = 0; bit < 64; bit++) {
      assertThat(cache.get(hi ^ 1L << bit, lo)).isEqualTo(bit);
      assertThat(cache.get(hi, lo ^ 1L << bit)).isEqualTo(64 + bit);
    }
  }

  @Test
  void zeroChargeEntryIsAnEntry() {
    BlockCache<Object> cache = roomy(10);
    assertThat(insert(cache, 1, 0)).isEqualTo(InsertResult.INSERTED);
    assertThat(cache.get(HI, 1)).isEqualTo(text(1));
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.chargeBytes()).isZero();
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    }
  }

  @Test
  void oneValueMayStandUnderSeveralKeys() {
    BlockCache<Object> cache = roomy(10);
    Object value = new Object();
    cache.insert(HI, 1, value, 1);
    cache.insert(HI, 2, value, 1);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.get(HI, 1)).isNull();
    assertThat(cache.get(HI, 2)).isSameAs(value);
  }

  @Test
  void entryKeepsItsType() {
    EntryType<Object> ofCache = EntryType.of("of the cache");
    EntryType<CharSequence> ofInsert =
        EntryType.<CharSequence>named("of the insert").role(EntryRole.FILTER_BLOCK).build();
    BlockCache<Object> cache = track(roomyBuilder(10).defaultType(ofCache).build());
    insert(cache, 1, 1);
    for (Priority priority : Priority.values()) {
      long lo = 2 + priority.ordinal();
      assertThat(cache.insert(HI, lo, text(lo), ofInsert, lo, priority))
          .isEqualTo(InsertResult.INSERTED);
      try (Handle<Object> handle = pin(cache, lo)) {
        assertThat(handle.type()).isSameAs(ofInsert);
        assertThat(handle.chargeBytes()).isEqualTo(lo);
        assertThat(handle.value()).isEqualTo(text(lo));
      }
    }
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.type()).isSameAs(ofCache);
    }
  }

  @Test
  void defaultTypeIsNamedBlockAndLeftToTheCollector() {
    BlockCache<Object> cache = roomy(10);
    insert(cache, 1, 1);
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.type().name()).isEqualTo("block");
      assertThat(handle.type().disposer()).isNull();
    }
  }

  @Test
  void eraseUnreferencedLeavesPinnedEntriesOnly() {
    BlockCache<Object> cache = roomy(100);
    for (long lo = 0; lo < 100; lo++) {
      insert(cache, lo, 1);
    }
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < 100; lo += 7) {
      pins.add(pin(cache, lo));
    }
    cache.eraseUnreferenced();

    assertThat(cache.monitor().occupancy()).isEqualTo(pins.size());
    assertThat(cache.monitor().usageBytes()).isEqualTo(pins.size());
    for (long lo = 0; lo < 100; lo++) {
      assertThat(cache.peek(HI, lo)).isEqualTo(lo % 7 == 0 ? text(lo) : null);
    }
    release(pins);
    cache.eraseUnreferenced();
    assertThat(cache.monitor().occupancy()).isZero();
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @Test
  void settingsAreReported() {
    long capacityBytes = 1000L * variant.shards();
    BlockCache<Object> cache = cache(capacityBytes, 1);
    assertThat(cache.monitor().capacityBytes()).isEqualTo(capacityBytes);
    assertThat(cache.monitor().capacityMode()).isEqualTo(variant.mode());
    long slots = cache.monitor().slots();
    assertThat(slots).isGreaterThanOrEqualTo(capacityBytes);

    cache.setCapacityBytes(500L * variant.shards());
    assertThat(cache.monitor().capacityBytes()).isEqualTo(500L * variant.shards());
    if (!variant.isAutomatic()) {
      assertThat(cache.monitor().slots()).isEqualTo(slots);
    }
    for (CapacityMode mode : CapacityMode.values()) {
      cache.setCapacityMode(mode);
      assertThat(cache.monitor().capacityMode()).isEqualTo(mode);
    }
    assertThat(cache.fileKeys()).isSameAs(cache.fileKeys());
  }

  @Test
  void oneBuilderMakesIndependentCaches() {
    BlockCacheBuilder<Object> builder = roomyBuilder(10);
    BlockCache<Object> first = track(builder.build());
    BlockCache<Object> second = track(builder.capacityBytes(5_000).build());
    insert(first, 1, 1);
    assertThat(second.get(HI, 1)).isNull();
    assertThat(second.monitor().capacityBytes()).isEqualTo(5_000);
    assertThat(first.monitor().capacityBytes()).isNotEqualTo(5_000);
    assertThat(first.fileKeys()).isNotSameAs(second.fileKeys());
    close(first);
    assertThat(insert(second, 1, 1)).isEqualTo(InsertResult.INSERTED);
  }

  @Test
  void conditionalEraseTakesOnlyTheValueThatWasSeen() {
    BlockCache<Object> cache = roomy(10);
    String seen = text(1);
    cache.insert(HI, 1, seen, 1);
    // Equal, but not the same.
    assertThat(cache.erase(HI, 1, text(1))).isFalse();
    assertThat(cache.peek(HI, 1)).isSameAs(seen);
    assertThat(cache.erase(HI, 2, seen)).isFalse();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.erase(HI, 1, seen)).isTrue();
    assertThat(cache.peek(HI, 1)).isNull();
    assertThat(cache.erase(HI, 1, seen)).isFalse();
    assertThat(cache.monitor().usageBytes()).isZero();
    assertThatThrownBy(() -> cache.erase(HI, 1, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("expected must not be null");
  }

  @Test
  void conditionalEraseOfAHeldValueFreesItWithItsLastHandle() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    try (Handle<Object> held = pin(cache, 1)) {
      assertThat(cache.erase(HI, 1, "another")).isFalse();
      assertThat(cache.erase(HI, 1, block)).isTrue();
      assertThat(has(cache, 1)).isFalse();
      assertThat(held.value()).isSameAs(block);
      assertThat(block.timesFreed()).isZero();
    }
    assertThat(block.timesFreed()).isEqualTo(1);
  }
}
