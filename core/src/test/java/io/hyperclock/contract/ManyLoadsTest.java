/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many callers beside a load that does not end, and hits that cost nothing. */
class ManyLoadsTest {
  private static final int CALLERS = 1400;

  private static BlockCache<Object> cache() {
    return BlockCache.builder()
        .capacityBytes(1 << 20)
        .estimatedEntryCharge(64)
        .recordHits(false)
        .build();
  }

  @Test
  @Timeout(120)
  void blockedLoadHoldsUpNoOtherKey() throws Exception {
    try (BlockCache<Object> cache = cache()) {
      HeldLoader held = new HeldLoader((hi, lo) -> "slow");
      Call<Object> slow = Call.start(() -> cache.get(1, 0, held));
      held.awaitEntered();
      List<Call<Object>> calls = new ArrayList<>();
      for (int i = 1; i <= CALLERS; i++) {
        long lo = i;
        calls.add(Call.start(() -> cache.get(1, lo, (h, l) -> "quick " + l)));
      }
      for (int i = 1; i <= CALLERS; i++) {
        assertThat(calls.get(i - 1).result()).isEqualTo("quick " + i);
      }
      assertThat(cache.monitor().loadStats().underWay()).isEqualTo(1);
      assertThat(cache.monitor().loadStats().loads()).isEqualTo(CALLERS);
      held.letGo();
      assertThat(slow.result()).isEqualTo("slow");
    }
  }

  @Test
  void hitAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().getId();
    BlockLoader<Object> loader = (hi, lo) -> "loaded";
    try (BlockCache<Object> cache = cache()) {
      long allocated = Long.MAX_VALUE;
      for (int round = 0; round < 5; round++) {
        long before = threads.getThreadAllocatedBytes(me);
        for (int i = 0; i < 20_000; i++) {
          assertLoaded(cache.get(1, i & 15, loader));
        }
        allocated = Math.min(allocated, threads.getThreadAllocatedBytes(me) - before);
      }
      assertThat(allocated).as("bytes in 20,000 hits").isLessThan(20_000);
      assertThat(cache.monitor().loadStats().loads()).isEqualTo(16);
    }
  }

  private static void assertLoaded(Object value) {
    if (value == null) {
      throw new AssertionError("no value");
    }
  }
}
