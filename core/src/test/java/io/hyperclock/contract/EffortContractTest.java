/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How hard an insert tries when nearly everything is pinned. */
abstract class EffortContractTest extends CacheContract {
  private static final int CAPACITY = 1000;
  private static final int CACHES = 8;

  EffortContractTest(Variant variant) {
    super(variant);
  }

  /**
   * Entries that could be evicted stay in inverse proportion to the cap: one leaves at the hand's
   * third visit, an insert passes about as many pinned ones as the cap says, and so up to three
   * rounds of inserts are there at once.
   */
  @ParameterizedTest
  @ValueSource(ints = {-42, 0, 1, 10, 100, 1000})
  void effortCapTradesRoomForWork(int cap) {
    int count = CAPACITY - 1;
    double mean = 0;
    for (int i = 0; i < CACHES; i++) {
      mean += occupancyAmongPins(cap, count) / (double) CACHES;
    }
    if (!variant.strict()) {
      double share = count / (Math.max(1, cap) + 1.0);
      assertThat(mean).isCloseTo(count + 2.2 * share, within(1.4 * share + 1));
    }
  }

  /** Entries after as many inserts as there are pinned ones; it depends on where these lie. */
  private long occupancyAmongPins(int cap, int count) {
    HashSeed hashSeed = HashSeed.fixed(random.nextLong());
    BlockCache<Object> cache =
        track(builder(3 * CAPACITY, 1).evictionEffortCap(cap).hashSeed(hashSeed).build());
    cache.setCapacityBytes(CAPACITY);
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < count; lo++) {
      pins.add(insertPinned(cache, lo, 1));
    }
    for (long lo = count; lo < 2 * count; lo++) {
      assertThat(insertBlock(cache, lo, 1, io.hyperclock.entry.Priority.LOW))
          .isEqualTo(InsertResult.INSERTED);
    }
    if (variant.strict()) {
      assertThat(cache.monitor().occupancy()).isEqualTo(CAPACITY);
      assertThat(cache.monitor().stats().evictionEffortExceeded()).isZero();
    }
    long occupancy = cache.monitor().occupancy();
    assertThat(countPresent(cache, 0, count)).isEqualTo(count);
    release(pins);
    return occupancy;
  }

  @Test
  void givingUpIsCounted() {
    BlockCache<Object> cache = track(builder(3 * CAPACITY, 1).evictionEffortCap(10).build());
    cache.setCapacityBytes(CAPACITY);
    List<Handle<Object>> pins = new ArrayList<>();
    for (long lo = 0; lo < CAPACITY; lo++) {
      pins.add(insertPinned(cache, lo, 1));
    }
    assertThat(cache.monitor().stats().evictionEffortExceeded()).isZero();
    for (long i = 1; i <= 5; i++) {
      InsertResult result = insertBlock(cache, 5000 + i, 1, io.hyperclock.entry.Priority.HIGH);
      if (variant.strict()) {
        assertThat(result).isEqualTo(InsertResult.REFUSED);
        assertThat(cache.monitor().stats().evictionEffortExceeded()).isZero();
      } else {
        assertThat(result).isEqualTo(InsertResult.INSERTED);
        assertThat(cache.monitor().stats().evictionEffortExceeded()).isEqualTo(i);
      }
    }
    release(pins);
  }
}
