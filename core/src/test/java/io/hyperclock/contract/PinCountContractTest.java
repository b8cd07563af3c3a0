/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The counters of one entry: their limit, and what happens when they run round. */
abstract class PinCountContractTest extends CacheContract {
  private static final int MAX_PINS = 1 << 22;

  /** More than the 24 bits of either counter can tell apart. */
  private static final int CYCLES = (1 << 24) + (1 << 20);

  PinCountContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void pinsBeyondTheLimitAreRefusedAndNothingBreaks() {
    BlockCache<Object> cache = roomy(4);
    Block block = inserted(cache, 1, 3);
    Block other = inserted(cache, 2, 1);
    List<Handle<Object>> pins = new ArrayList<>(MAX_PINS);
    for (int i = 0; i < MAX_PINS; i++) {
      pins.add(i % 2 == 0 ? cache.lookup(HI, 1) : pins.get(0).ref());
    }
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> cache.lookup(HI, 1)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> pins.get(0).ref()).isInstanceOf(IllegalStateException.class);
    }
    lookupAllFailsAndLeavesNothing(cache, pins.get(0));
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    try (Handle<Object> handle = pin(cache, 2)) {
      assertThat(handle.value()).isSameAs(other);
    }

    pins.remove(pins.size() - 1).close();
    pins.add(pin(cache, 1));
    assertThatThrownBy(() -> cache.lookup(HI, 1)).isInstanceOf(IllegalStateException.class);
    release(pins);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(block.timesFreed()).isZero();
    try (Handle<Object> handle = pin(cache, 1)) {
      assertThat(handle.value()).isSameAs(block);
    }
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  /** Handles of an earlier call must not pass for pins of this one. */
  private static void lookupAllFailsAndLeavesNothing(
      BlockCache<Object> cache, Handle<Object> leftOver) {
    @SuppressWarnings("unchecked")
    Handle<Object>[] handles = new Handle[3];
    Arrays.fill(handles, leftOver);
    assertThatThrownBy(() -> cache.lookupAll(new long[] {HI, 2, HI, 1, HI, 2}, handles))
        .isInstanceOf(IllegalStateException.class);
    assertThat(handles).containsOnlyNulls();
  }

  @Test
  void entryWithAllItsPinsCanStillBeErasedAndVisited() {
    BlockCache<Object> cache = roomy(4);
    Block block = inserted(cache, 1, 3);
    List<Handle<Object>> pins = new ArrayList<>(MAX_PINS);
    pins.add(pin(cache, 1));
    while (pins.size() < MAX_PINS) {
      pins.add(pins.get(0).ref());
    }
    long[] visited = new long[1];
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> visited[0]++);
    assertThat(visited[0]).isEqualTo(1);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.lookup(HI, 1)).isNull();
    assertThat(block.timesFreed()).isZero();
    release(pins);
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void countersRunRoundWithoutLosingAPin() {
    BlockCache<Object> cache = roomy(4);
    Block block = inserted(cache, 1, 3);
    List<Handle<Object>> pins = new ArrayList<>();
    for (int i = 0; i < 12_345; i++) {
      pins.add(pin(cache, 1));
    }
    for (int i = 0; i < CYCLES; i++) {
      cache.lookup(HI, 1).close();
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.erase(HI, 1)).isTrue();
    Handle<Object> held = pins.get(0);
    for (int i = 0; i < CYCLES; i++) {
      held.ref().close();
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    assertThat(block.timesFreed()).isZero();
    assertThat(cache.lookup(HI, 1)).isNull();

    Handle<Object> last = pins.remove(pins.size() - 1);
    release(pins);
    assertThat(last.value()).isSameAs(block);
    assertThat(block.timesFreed()).isZero();
    assertThat(last.discard()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  private static void letGo(Handle<Object> handle, boolean useful) {
    if (useful) {
      handle.close();
    } else {
      handle.discard();
    }
  }

  @Test
  void uselessReleasesDoNotWearTheCountersOut() {
    BlockCache<Object> cache = roomy(4);
    Block block = inserted(cache, 1, 3);
    Handle<Object> held = pin(cache, 1);
    for (int i = 0; i < CYCLES; i++) {
      letGo(cache.lookup(HI, 1), i % 3 == 0);
    }
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    assertThat(held.eraseIfLast()).as("the only pin left").isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
  }

  @Test
  void manyPinFreeReadsDoNotPin() {
    BlockCache<Object> cache = roomy(4);
    insert(cache, 1, 3);
    Handle<Object> held = pin(cache, 1);
    for (int i = 0; i < CYCLES; i++) {
      cache.get(HI, 1);
    }
    assertThat(cache.get(HI, 1)).isEqualTo(text(1));
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    held.close();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(cache.monitor().occupancy()).isZero();
  }

  @Test
  void countersRunRoundWhileSeveralThreadsPin() throws Exception {
    BlockCache<Object> cache = roomy(4);
    Block block = inserted(cache, 1, 3);
    Handle<Object> held = pin(cache, 1);
    Crew.run(
        3,
        thread -> {
          Handle<Object> own = cache.lookup(HI, 1);
          for (int i = 0; i < CYCLES / 4; i++) {
            letGo(cache.lookup(HI, 1), (i & 7) != thread);
          }
          own.close();
        });
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(3);
    assertThat(cache.erase(HI, 1)).isTrue();
    assertThat(block.timesFreed()).isZero();
    assertThat(held.discard()).isTrue();
    assertThat(block.timesFreed()).isEqualTo(1);
  }
}
