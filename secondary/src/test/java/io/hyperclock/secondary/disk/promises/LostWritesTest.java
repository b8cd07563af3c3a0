/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.ForwardingDevice;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * P2: a write that a device claims to have done, but has lost or has put elsewhere, is a miss. A
 * few records fill a region, and a key comes back to the same regions again and again: what lies
 * there if a write is lost is an older record of the same key, sound in itself.
 */
@Timeout(value = Plan.PATIENCE_SECONDS, threadMode = SEPARATE_THREAD)
class LostWritesTest {
  private static final int REGION = 8 << 10;

  /** Sizes of values: one, two or eight in a region. */
  private static final int[] VALUES = {5_000, 3_500, 900};

  /** Few, so that they come back to the same regions; one, so that it does within a region. */
  private static final int[] KEYS = {4, 1, 8, 2, 8, 4, 1};

  /** Finer than any device, so that it falls on each field of a record. */
  private static final int UNIT = 64;

  private static final int PUTS = 80;

  /** What becomes of some writes. */
  enum Lie {
    NONE,
    /** They are not done. */
    LOST,
    /** The bytes of an earlier write of the same length are written again instead. */
    STALE,
    /** Only the second half is written. */
    HALF,
    /** Only a part of it is written, from its start. */
    TORN
  }

  @ParameterizedTest
  @EnumSource
  void neverGivesAnOlderValue(Lie lie) {
    long first = Plan.seed();
    int hits = 0;
    int misses = 0;
    for (int round = 0; round < Plan.times(3); round++) {
      Random random = new Random(new SplittableRandom(first + round).nextLong());
      String text = lie + ", round=" + round + ", -Ddisk.seed=" + first;
      int keys = KEYS[round % KEYS.length];
      int size = VALUES[round % VALUES.length];
      int regions = 4 << random.nextInt(3);
      LyingDevice device = new LyingDevice(new MemoryDevice(), lie, random, size);
      int[] newest = new int[keys];
      try (DiskSecondaryCache tier = open(device, regions)) {
        for (int version = 1; version <= PUTS; version++) {
          int key = size < 1_000 ? random.nextInt(keys) : version % keys;
          Rig.put(tier, key, version, size);
          newest[key] = version;
          settle(tier);
          for (int other = 0; other < keys; other++) {
            int found = Rig.versionNow(tier, other);
            assertThat(found).as("%s, key=%d", text, other).isIn(Rig.NONE, newest[other]);
            hits += found == Rig.NONE ? 0 : 1;
            misses += found == Rig.NONE ? 1 : 0;
          }
        }
      }
      device.reopened();
      try (DiskSecondaryCache tier = open(device, regions)) {
        for (int key = 0; key < keys; key++) {
          assertThat(Rig.versionNow(tier, key)).as(text).isIn(Rig.NONE, newest[key]);
        }
      }
    }
    assertThat(hits).as("hits").isGreaterThan(PUTS);
    if (lie != Lie.NONE) {
      assertThat(misses).as("misses").isGreaterThan(PUTS / 8);
    }
  }

  /** What lies where a write is lost is a record of the same key from before a crash. */
  @Test
  void neverGivesAValueFromBeforeACrash() {
    for (int round = 0; round < Plan.times(3); round++) {
      int size = VALUES[round % VALUES.length];
      MemoryDevice memory = MemoryDevice.forgetful();
      for (int life = 0; life < 2; life++) {
        Lie lie = life == 0 ? Lie.NONE : Lie.LOST;
        Random random = new Random(1);
        int hits = 0;
        try (DiskSecondaryCache tier = open(new LyingDevice(memory, lie, random, size), 8)) {
          for (int version = 1; version <= PUTS; version++) {
            Rig.put(tier, 0, life * PUTS + version, size);
            settle(tier);
            int found = Rig.versionNow(tier, 0);
            assertThat(found).as("life=%d", life).isIn(Rig.NONE, life * PUTS + version);
            hits += found == Rig.NONE ? 0 : 1;
          }
        }
        assertThat(hits).isPositive();
        memory.reopened().apply(new Change.Snapshot(life == 0 ? null : memory.snapshot()));
      }
      try (DiskSecondaryCache tier = open(memory, 8)) {
        assertThat(Rig.versionNow(tier, 0)).isIn(Rig.NONE, 2 * PUTS);
      }
    }
  }

  private static DiskSecondaryCache open(Device device, int regions) {
    return Rig.builder()
        .device(device)
        .regionBytes(REGION)
        .capacityBytes((long) regions * REGION)
        .maxInFlightBytes(4 * REGION)
        .reinsertRatio(0)
        .build();
  }

  /** Waits until no more than the active region is in memory. */
  private static void settle(DiskSecondaryCache tier) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> tier.diskStats().inFlightBytes() <= REGION);
  }

  /** Lies about a third of the writes of records. */
  private static final class LyingDevice extends ForwardingDevice {
    private final MemoryDevice under;
    private final Lie lie;
    private final Random random;
    private final int leastBytes;
    private byte @Nullable [] earlier;

    LyingDevice(MemoryDevice under, Lie lie, Random random, int leastBytes) {
      super(under);
      this.leastBytes = leastBytes;
      this.under = under;
      this.lie = lie;
      this.random = random;
    }

    void reopened() {
      under.reopened();
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      int count = source.remaining();
      byte[] bytes = new byte[count];
      source.get(bytes);
      boolean struck = count >= leastBytes && random.nextInt(3) == 0;
      byte[] stale = earlier;
      earlier = count >= leastBytes ? bytes : earlier;
      if (!struck || lie == Lie.NONE) {
        under.write(ByteBuffer.wrap(bytes), position);
      } else if (lie == Lie.HALF) {
        under.write(ByteBuffer.wrap(bytes, count / 2, count - count / 2), position + count / 2);
      } else if (lie == Lie.TORN) {
        under.write(ByteBuffer.wrap(bytes, 0, UNIT * random.nextInt(count / UNIT)), position);
      } else if (lie == Lie.STALE && stale != null && stale.length == count) {
        under.write(ByteBuffer.wrap(stale), position);
      }
      return count;
    }
  }
}
