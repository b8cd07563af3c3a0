/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.disk.Device;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import io.hyperclock.secondary.testing.TestValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Small tiers, and versioned values in them. */
final class Rig {
  static final int REGION = 64 << 10;
  static final long CAPACITY = 8 * REGION;
  static final int NONE = 0;

  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
  private static final long PATIENCE_SECONDS = 60;

  private Rig() {}

  static DiskSecondaryCacheBuilder builder() {
    return DiskSecondaryCache.builder()
        .capacityBytes(CAPACITY)
        .regionBytes(REGION)
        .estimatedRecordBytes(256)
        .maxInFlightBytes(4 * REGION)
        .readThreads(2)
        .probeInterval(Duration.ofMillis(20))
        .stallLimit(Duration.ofMinutes(30))
        .compression(Compression.NONE);
  }

  static DiskSecondaryCache open(Path directory) {
    return builder().directory(directory).build();
  }

  static DiskSecondaryCache open(Device device) {
    return builder().device(device).build();
  }

  /** High word of a key, so that both words differ from key to key. */
  static long hi(int key) {
    return (key + 1) * GOLDEN_RATIO;
  }

  static boolean put(DiskSecondaryCache tier, int key, int version, int sizeBytes) {
    return tier.insert(
        hi(key), key, TestValues.value(key, version, sizeBytes), TestValues.BYTES, true);
  }

  static void erase(DiskSecondaryCache tier, int key) {
    tier.erase(hi(key), key);
  }

  static TierRequest<byte[]> request(int key) {
    return TierRequest.of(hi(key), key, TestValues.BYTES);
  }

  static TierResult<byte[]> find(DiskSecondaryCache tier, int key) {
    return await(tier.lookup(request(key)));
  }

  /** The version of a value found, {@link #NONE} if there is none. */
  static int version(int key, TierResult<byte[]> result) {
    byte[] value = result.value();
    if (value == null) {
      return NONE;
    }
    int version = value.length < 12 ? -1 : TestValues.versionOf(key, value);
    assertThat(version).as("version of a value that nobody put: key=" + key).isPositive();
    return version;
  }

  /** The version that the tier gives now, {@link #NONE} if it misses. */
  static int versionNow(DiskSecondaryCache tier, int key) {
    return version(key, tier.lookupNow(request(key)));
  }

  static <V> V await(CompletableFuture<V> future) {
    try {
      return future.get(PATIENCE_SECONDS, SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("a lookup must complete normally and in time", e);
    }
  }
}
