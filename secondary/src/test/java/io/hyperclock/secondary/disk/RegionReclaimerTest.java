/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A record that is written again when its region is given up, and what comes between. */
class RegionReclaimerTest {
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  private static final int REGION_BYTES = 1 << 16;
  private static final int REGIONS = 4;
  private static final long CAPACITY = REGIONS * REGION_BYTES;
  private static final int VALUE_BYTES = 4000;

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();
  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch letGo = new CountDownLatch(1);
  private volatile @Nullable Thread writer;

  private DiskSecondaryCache open() {
    return DiskSecondaryCache.builder()
        .device(holding(FileDevice.open(directory)))
        .capacityBytes(CAPACITY)
        .regionBytes(REGION_BYTES)
        .stallLimit(TierTestLimits.TIME)
        .compression(Compression.NONE)
        .build();
  }

  /** Holds the first read that the writer makes for a record to be written again. */
  private Device holding(Device under) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(under, arguments);
              Thread caller = Thread.currentThread();
              if (method.getName().equals("read") && caller.getName().endsWith("-writer")) {
                writer = caller;
                reading.countDown();
                assertThat(letGo.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
              }
              return result;
            });
  }

  private static boolean insert(DiskSecondaryCache tier, long key, int version) {
    byte[] value = new byte[VALUE_BYTES];
    value[0] = (byte) version;
    return tier.insert(1, key, value, TYPE, true);
  }

  private static int version(DiskSecondaryCache tier, long key) {
    byte[] value = tier.lookupNow(TierRequest.of(1, key, TYPE)).value();
    return value == null ? -1 : value[0];
  }

  /**
   * Key 0 stands at the start of the first region and is hit; the writer reads it again when the
   * last region is begun, in which there is room for it.
   */
  private void fillUntilRead(DiskSecondaryCache tier) throws InterruptedException {
    assertThat(insert(tier, 0, 1)).isTrue();
    assertThat(version(tier, 0)).isEqualTo(1);
    for (long key = 1; tier.diskStats().usedRegions() < REGIONS; key++) {
      assertThat(insert(tier, key, 1)).isTrue();
    }
    assertThat(reading.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
  }

  /** Lets the writer go on until it waits for the lock, which the caller holds. */
  private void goOnToTheLock(DiskSecondaryCache tier) {
    letGo.countDown();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .pollInSameThread()
        .until(() -> tier.log.lock.hasQueuedThread(writer));
  }

  private static long slot(DiskSecondaryCache tier) {
    return tier.log.index.get(tier.log.index.first(tier.log.index.hash(1, 0)));
  }

  /** So that it has made what it had begun. */
  private static void writerWaitsForWork(DiskSecondaryCache tier) {
    await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () -> {
              tier.log.lock.lock();
              try {
                return tier.log.lock.hasWaiters(tier.log.work);
              } finally {
                tier.log.lock.unlock();
              }
            });
  }

  @Test
  void isWrittenAgain() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      fillUntilRead(tier);
      letGo.countDown();
      await()
          .pollDelay(Duration.ZERO)
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(() -> tier.diskStats().reinserted() > 0);
      assertThat(version(tier, 0)).isEqualTo(1);
    }
  }

  @Test
  void isReplacedMeanwhile() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      fillUntilRead(tier);
      tier.log.lock.lock();
      try {
        goOnToTheLock(tier);
        assertThat(insert(tier, 0, 2)).isTrue();
      } finally {
        tier.log.lock.unlock();
      }
      writerWaitsForWork(tier);
      assertThat(version(tier, 0)).isEqualTo(2);
    }
  }

  /** Emptied and filled anew, the region has the newer value at the very place of the older one. */
  @Test
  void standsAtTheSamePlaceInAnotherLife() throws Exception {
    try (DiskSecondaryCache tier = open()) {
      fillUntilRead(tier);
      long older = slot(tier);
      tier.log.lock.lock();
      try {
        goOnToTheLock(tier);
        tier.setCapacity(0);
        tier.setCapacity(CAPACITY);
        assertThat(insert(tier, 0, 2)).isTrue();
        assertThat(SlotLayout.same(slot(tier), older)).isTrue();
      } finally {
        tier.log.lock.unlock();
      }
      writerWaitsForWork(tier);
      assertThat(version(tier, 0)).isEqualTo(2);
    }
  }
}
