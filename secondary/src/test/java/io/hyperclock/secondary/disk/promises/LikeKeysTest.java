/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P1: exactly this key, however like it another one is to the index. */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class LikeKeysTest {
  private static final int VALUE = 100;

  /** Keys that differ in one bit, or have the same words in another order. */
  @Test
  void neighboursAreNotConfused() {
    List<long[]> keys = new ArrayList<>();
    for (int bit = 0; bit < 64; bit++) {
      keys.add(new long[] {1L << bit, 0});
      keys.add(new long[] {0, 1L << bit});
      keys.add(new long[] {1L << bit, 1L << bit});
    }
    keys.add(new long[] {0, 0});
    keys.add(new long[] {-1, -1});
    MemoryDevice device = MemoryDevice.forgetful();
    try (DiskSecondaryCache tier = Rig.open(device)) {
      for (int i = 0; i < keys.size(); i += 2) {
        assertThat(insert(tier, keys.get(i), i)).isTrue();
      }
      assertFound(tier, keys);
    }
    try (DiskSecondaryCache tier = Rig.open(device.reopened())) {
      assertFound(tier, keys);
    }
  }

  private static boolean insert(DiskSecondaryCache tier, long[] key, int id) {
    return tier.insert(key[0], key[1], TestValues.value(id, 1, VALUE), TestValues.BYTES, true);
  }

  private static void assertFound(DiskSecondaryCache tier, List<long[]> keys) {
    int hits = 0;
    for (int i = 0; i < keys.size(); i++) {
      TierResult<byte[]> result =
          tier.lookupNow(TierRequest.of(keys.get(i)[0], keys.get(i)[1], TestValues.BYTES));
      if (result.isHit()) {
        assertThat(i % 2).as("put: %d", i).isZero();
        assertThat(result.value()).isEqualTo(TestValues.value(i, 1, VALUE));
        hits++;
      }
    }
    assertThat(hits).as("hits").isEqualTo((keys.size() + 1) / 2);
  }

  /**
   * So many lookups of absent keys that the index takes some for present ones: where regions are
   * large it has the fewest bits to tell them apart.
   */
  @Test
  void absentKeysAreAbsent() {
    long seed = Plan.seed();
    System.out.println("LikeKeysTest: -Ddisk.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    try (DiskSecondaryCache tier =
        Rig.builder()
            .device(MemoryDevice.forgetful())
            .regionBytes(64 << 20)
            .capacityBytes(128 << 20)
            .estimatedRecordBytes(48 << 10)
            .maxInFlightBytes(1 << 20)
            .build()) {
      for (int key = 0; key < 2_500; key++) {
        Rig.put(tier, key, 1, VALUE);
      }
      for (int i = 0; i < Plan.times(300_000); i++) {
        long hi = random.nextLong();
        TierResult<byte[]> result =
            tier.lookupNow(TierRequest.of(hi, random.nextInt(2_500), TestValues.BYTES));
        assertThat(result.isHit()).as("hi=%d, -Ddisk.seed=%d", hi, seed).isFalse();
      }
      assertThat(tier.diskStats().uncertified()).as("keys mistaken, then told apart").isPositive();
      int hits = 0;
      for (int key = 0; key < 2_500; key++) {
        hits += Rig.versionNow(tier, key);
      }
      assertThat(hits).as("hits").isGreaterThan(1_000);
    }
  }
}
