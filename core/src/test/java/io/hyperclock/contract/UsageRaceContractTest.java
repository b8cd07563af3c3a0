/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.Priority;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Usage while several threads insert. */
abstract class UsageRaceContractTest extends CacheContract {
  private static final int WRITERS = 3;
  private static final int INSERTS = 8000;

  UsageRaceContractTest(Variant variant) {
    super(variant);
  }

  @Test
  void usageStaysWithinCapacityWhileThreadsInsert() throws Exception {
    long capacityBytes = 1003L * variant.shards() + 3;
    BlockCache<Object> cache = cache(capacityBytes, 10);
    AtomicInteger writing = new AtomicInteger(WRITERS);
    AtomicLong largest = new AtomicLong();
    Crew.run(
        WRITERS + 1,
        thread -> {
          if (thread == WRITERS) {
            while (writing.get() > 0) {
              largest.accumulateAndGet(cache.monitor().usageBytes(), Math::max);
            }
          } else {
            try {
              write(cache, thread, largest);
            } finally {
              writing.decrementAndGet();
            }
          }
        });
    if (variant.strict()) {
      assertThat(largest.get()).isLessThanOrEqualTo(capacityBytes);
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(capacityBytes);
    } else {
      assertThat(cache.monitor().usageBytes())
          .isLessThanOrEqualTo(capacityBytes + capacityBytes / 10);
    }
    assertThat(largest.get()).isGreaterThan(capacityBytes / 2);
    long[] sum = new long[2];
    cache
        .monitor()
        .forEachEntry(
            (hi, lo, value, type, charge) -> {
              sum[0]++;
              sum[1] += charge;
            });
    assertThat(cache.monitor().occupancy()).isEqualTo(sum[0]);
    assertThat(cache.monitor().usageBytes()).isEqualTo(sum[1]);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
  }

  private void write(BlockCache<Object> cache, int thread, AtomicLong largest) {
    SplittableRandom own = new SplittableRandom(seed + thread);
    for (int i = 0; i < INSERTS; i++) {
      long lo = own.nextInt(4000);
      switch (own.nextInt(8)) {
        case 0 -> cache.erase(HI, lo);
        case 1 -> {
          Handle<Object> handle = cache.lookup(HI, lo);
          if (handle != null) {
            handle.adjustCharge(own.nextInt(30));
            handle.close();
          }
        }
        default -> {
          InsertResult result = insertBlock(cache, lo, own.nextInt(30), Priority.LOW);
          if (!variant.strict()) {
            assertThat(result).isIn(InsertResult.INSERTED, InsertResult.KEPT_EXISTING);
          }
        }
      }
      largest.accumulateAndGet(cache.monitor().usageBytes(), Math::max);
    }
  }

  @Test
  void chargesThatChangeUnderSeveralHandlesAddUp() throws Exception {
    BlockCache<Object> cache = roomy(1000);
    for (long lo = 0; lo < 8; lo++) {
      inserted(cache, lo, 1);
    }
    Crew.run(
        3,
        thread -> {
          SplittableRandom own = new SplittableRandom(seed + thread);
          for (int i = 0; i < 5000; i++) {
            try (Handle<Object> handle = cache.lookup(HI, own.nextInt(8))) {
              handle.adjustCharge(own.nextInt(20));
            }
          }
        });
    long sum = 0;
    for (long lo = 0; lo < 8; lo++) {
      try (Handle<Object> handle = pin(cache, lo)) {
        sum += handle.chargeBytes();
      }
    }
    assertThat(cache.monitor().usageBytes()).isEqualTo(sum);
    cache.eraseUnreferenced();
    assertThat(cache.monitor().usageBytes()).isZero();
  }
}
