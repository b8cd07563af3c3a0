/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values freed explicitly are freed exactly once, after their last reader, whatever ends them. */
abstract class DisposerContractTest extends CacheContract {
  DisposerContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void pinFreeReadsOfAValueFreedByHandAreRefused() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    insert(cache, 2, 1);
    assertThatThrownBy(() -> cache.get(HI, 1))
        .isInstanceOf(PinRequiredException.class)
        .hasMessageContaining("=");
    assertThatThrownBy(() -> cache.peek(HI, 1)).isInstanceOf(PinRequiredException.class);
    assertThatThrownBy(() -> cache.getAll(new long[] {HI, 2, HI, 1}, new Object[2]))
        .isInstanceOf(PinRequiredException.class);

    assertThat(cache.get(HI, 2)).isEqualTo(text(2));
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.get(HI, 1)).isNull();
    assertThat(cache.peek(HI, 1)).isNull();
  }

  @Test
  void eraseFreesAtOnceUnlessPinned() {
    BlockCache<Object> cache = roomy(10);
    Block block = inserted(cache, 1, 1);
    cache.erase(HI, 1);
    assertThat(block.timesFreed()).isEqualTo(1);
    cache.erase(HI, 1);
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void eraseUnreferencedFreesEach() {
    BlockCache<Object> cache = roomy(10);
    List<Block> all = new ArrayList<>();
    for (long lo = 0; lo < 10; lo++) {
      all.add(inserted(cache, lo, 1));
    }
    try (Handle<Object> handle = pin(cache, 3)) {
      cache.eraseUnreferenced();
      for (Block block : all) {
        assertThat(block.timesFreed()).isEqualTo(block == handle.value() ? 0 : 1);
      }
    }
  }

  @Test
  void evictionFreesEach() {
    BlockCache<Object> cache = cache(50L * variant.shards(), 1);
    List<Block> all = new ArrayList<>();
    for (long lo = 0; lo < 2000; lo++) {
      all.add(inserted(cache, lo, 1));
    }
    long freed = all.stream().filter(block -> block.timesFreed() == 1).count();
    assertThat(freed)
        .isEqualTo(2000 - cache.monitor().occupancy())
        .isEqualTo(cache.monitor().stats().evictions());
    for (Block block : all) {
      assertThat(block.timesFreed()).isEqualTo(has(cache, block.lo) ? 0 : 1);
    }
  }

  @Test
  void shrinkingFreesEach() {
    BlockCache<Object> cache = cache(50L * variant.shards(), 1);
    List<Block> all = new ArrayList<>();
    for (long lo = 0; lo < 50; lo++) {
      all.add(inserted(cache, lo, 1));
    }
    cache.setCapacityBytes(variant.shards());
    for (Block block : all) {
      assertThat(block.timesFreed()).isEqualTo(has(cache, block.lo) ? 0 : 1);
    }
    assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(variant.shards());
  }

  @Test
  void closeFreesEach() {
    BlockCache<Object> cache = roomy(100);
    List<Block> all = new ArrayList<>();
    for (long lo = 0; lo < 100; lo++) {
      all.add(inserted(cache, lo, 1));
    }
    close(cache);
    assertThat(all).allSatisfy(block -> assertThat(block.timesFreed()).isEqualTo(1));
  }

  @Test
  void keptExistingFreesTheNewValueOnly() {
    BlockCache<Object> cache = roomy(10);
    Block older = inserted(cache, 1, 1);
    Block newer = block(1);
    assertThat(cache.insert(HI, 1, newer, Block.TYPE, 1, Priority.HIGH))
        .isEqualTo(InsertResult.KEPT_EXISTING);
    assertThat(newer.timesFreed()).isEqualTo(1);
    assertThat(older.timesFreed()).isZero();
  }

  @Test
  void refusedValuesStayTheCallers() {
    BlockCache<Object> cache = track(builder(4, 1).shards(1).build());
    try (Handle<Object> all = insertPinned(cache, 1, 4)) {
      assertThat(all.isStandalone()).isFalse();
      Block inserted = block(2);
      Block pinned = block(3);
      InsertResult result = cache.insert(HI, 2, inserted, Block.TYPE, 1, Priority.HIGH);
      assertThat(result).isEqualTo(variant.strict() ? InsertResult.REFUSED : InsertResult.INSERTED);
      assertThat(inserted.timesFreed()).isZero();
      if (variant.strict()) {
        assertThatThrownBy(() -> cache.insertPinned(HI, 3, pinned, Block.TYPE, 1, Priority.HIGH))
            .isInstanceOf(CapacityExceededException.class);
        blocks.keep(inserted);
        blocks.keep(pinned);
      } else {
        cache.insertPinned(HI, 3, pinned, Block.TYPE, 1, Priority.HIGH).close();
      }
      assertThat(pinned.timesFreed()).isZero();
    }
  }

  @Test
  void droppedValueIsFreed() {
    BlockCache<Object> cache = track(builder(4, 1).shards(1).build());
    Block block = block(1);
    InsertResult result = cache.insert(HI, 1, block, Block.TYPE, 5, Priority.HIGH);
    switch (result) {
      case DROPPED -> assertThat(block.timesFreed()).isEqualTo(1);
      case REFUSED -> {
        assertThat(block.timesFreed()).isZero();
        blocks.keep(block);
      }
      default -> assertThat(block.timesFreed()).isZero();
    }
    assertThat(result.callerKeepsValue()).isEqualTo(variant.strict());
  }

  @Test
  void valueIsAliveWhileAnyReaderHoldsIt() {
    BlockCache<Object> cache = cache(20L * variant.shards(), 1);
    Block erased = inserted(cache, 1, 1);
    Block churned = inserted(cache, 2, 1);
    Block swept = inserted(cache, 3, 1);
    List<Handle<Object>> pins = List.of(pin(cache, 1), pin(cache, 2), pin(cache, 3));
    cache.erase(HI, 1);
    for (long lo = 100; lo < 2000; lo++) {
      insert(cache, lo, 1);
    }
    cache.eraseUnreferenced();
    cache.setCapacityBytes(variant.shards());
    for (Handle<Object> handle : pins) {
      assertThat(((Block) handle.value()).timesFreed()).isZero();
      handle.close();
    }
    assertThat(erased.timesFreed()).isEqualTo(1);
    cache.eraseUnreferenced();
    assertThat(churned.timesFreed()).isEqualTo(1);
    assertThat(swept.timesFreed()).isEqualTo(1);
  }
}
