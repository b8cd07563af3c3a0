/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static java.time.Duration.ZERO;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One budget, whose total, ratio and reservations change while the cache is used. */
@Timeout(TierTestLimits.TEST_SECONDS)
class BudgetUnderTrafficTest {
  private static final long STEP = 1 << 20;
  private static final long SEED = System.nanoTime();
  private static final double[] RATIOS = {0, 0.2, 0.5, 1};

  @Test
  void sumsStayExactAndEveryValueIsFreed() throws Exception {
    Blocks blocks = new Blocks();
    CompressedSecondaryCache tier =
        CompressedSecondaryCache.builder()
            .capacityBytes(0)
            .maxCapacityBytes(8 * STEP)
            .estimatedEntryCharge(STEP / 16)
            .build();
    try (TieredBlockCache<Blocks.Block> cache =
        TieredBlockCache.builder(BlockCache.<Blocks.Block>builder().estimatedEntryCharge(STEP / 16))
            .tier(tier)
            .admission(AdmissionPolicy.ALL)
            .totalCapacityBytes(8 * STEP, 0.5)
            .build()) {
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Future<Long>> running = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
          SplittableRandom random = new SplittableRandom(SEED + thread);
          running.add(threads.submit(() -> drive(cache, blocks, random)));
        }
        long reserved = 0;
        for (Future<Long> each : running) {
          reserved += each.get();
        }
        cache.setTotalCapacityBytes(6 * STEP);
        cache.setSecondaryRatio(0.5);
        assertSplit(cache, tier, 6 * STEP, reserved);
        cache.release(reserved);
        assertSplit(cache, tier, 6 * STEP, 0);
        await()
            .pollDelay(ZERO)
            .atMost(TierTestLimits.SECONDS, SECONDS)
            .until(() -> cache.stats().pendingOffers() == 0);
        assertThat(cache.stats().primary().pinnedUsageBytes()).isZero();
        assertThat(cache.stats().primary().usageBytes()).isLessThanOrEqualTo(3 * STEP);
        assertThat(tier.stats().usageBytes()).isLessThanOrEqualTo(3 * STEP);
      } finally {
        threads.shutdown();
      }
    }
    await().pollDelay(ZERO).atMost(TierTestLimits.SECONDS, SECONDS).until(() -> blocks.live() == 0);
    blocks.assertSound();
  }

  private static void assertSplit(
      TieredBlockCache<?> cache, CompressedSecondaryCache tier, long total, long reserved) {
    long steps = (reserved + STEP - 1) / STEP;
    long rest = Math.max(1, total - steps * STEP);
    assertThat(cache.primary().monitor().capacityBytes() + tier.stats().capacityBytes())
        .withFailMessage("seed " + SEED + "L, reserved " + reserved)
        .isEqualTo(rest);
    assertThat(tier.stats().capacityBytes()).isBetween((rest - 1) / 2, (rest + 1) / 2);
  }

  /** Returns what it has reserved and not released. */
  private static long drive(
      TieredBlockCache<Blocks.Block> cache, Blocks blocks, SplittableRandom random) {
    long reserved = 0;
    for (int step = 0; step < 2_000; step++) {
      long key = random.nextInt(300);
      switch (random.nextInt(40)) {
        case 0 -> cache.setTotalCapacityBytes((4 + random.nextInt(5)) * STEP);
        case 1 -> cache.setSecondaryRatio(RATIOS[random.nextInt(RATIOS.length)]);
        case 2 -> {
          long bytes = random.nextLong(STEP);
          cache.reserve(bytes);
          reserved += bytes;
        }
        case 3 -> {
          cache.release(reserved / 2);
          reserved -= reserved / 2;
        }
        case 4 -> cache.erase(TieredRig.HI, key);
        default -> {
          if (TieredRig.check(key, cache.lookup(TieredRig.HI, key, blocks.data)) < 0) {
            cache.insert(
                TieredRig.HI, key, blocks.make(key, 0), blocks.data, STEP / 16, Priority.LOW);
          }
        }
      }
    }
    return reserved;
  }
}
