/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The disk tier below a cache, and what it writes. */
class DiskBelowTest {
  private static final int VALUE_BYTES = 4 << 10;
  private static final int REGION_BYTES = 64 << 10;

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  private DiskSecondaryCache open(int regions) {
    return DiskSecondaryCache.builder()
        .directory(directory)
        .capacityBytes((long) regions * REGION_BYTES)
        .regionBytes(REGION_BYTES)
        .stallLimit(TierTestLimits.TIME)
        .estimatedRecordBytes(VALUE_BYTES)
        .build();
  }

  private static byte[] value(long number) {
    byte[] value = new byte[VALUE_BYTES];
    SplittableRandom random = new SplittableRandom(number);
    ByteBuffer words = ByteBuffer.wrap(value);
    while (words.hasRemaining()) {
      words.putLong(random.nextLong());
    }
    return value;
  }

  /** Tries until there is room. */
  private static void insert(DiskSecondaryCache disk, long number, EntryType<byte[]> type) {
    byte[] value = value(number);
    while (!disk.insert(1, number, value, type, true)) {
      LockSupport.parkNanos(50_000);
    }
  }

  private static TieredBlockCache<byte[]> above(DiskSecondaryCache disk) {
    return TieredBlockCache.builder(
            BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(VALUE_BYTES))
        .tier(disk)
        .admission(AdmissionPolicy.ALL)
        .build();
  }

  @Test
  void callersWhoWaitReadThemselves() {
    Thread[] decoder = new Thread[1];
    EntryType<byte[]> type = TestValues.showing(value -> decoder[0] = Thread.currentThread());
    try (DiskSecondaryCache filled = open(64)) {
      insert(filled, 0, type);
      insert(filled, 1, type);
    }
    writers.awaitEnd();
    DiskSecondaryCache disk = open(64);
    try (TieredBlockCache<byte[]> cache = above(disk)) {
      try (Handle<byte[]> handle = cache.lookup(1, 0, type)) {
        assertThat(handle.value()).isEqualTo(value(0));
      }
      assertThat(decoder[0]).isSameAs(Thread.currentThread());
      try (AsyncLookup<byte[]> lookup = cache.startLookup(1, 1, type);
          Handle<byte[]> handle = lookup.await()) {
        assertThat(handle.value()).isEqualTo(value(1));
      }
      assertThat(decoder[0]).isNotSameAs(Thread.currentThread());
    }
  }

  /** Until a region is clean: what fills all of them at once leaves no room to write again. */
  private static void awaitClean(DiskSecondaryCache disk) {
    DiskStats stats = disk.diskStats();
    while (stats.usedRegions() == stats.regions()) {
      LockSupport.parkNanos(50_000);
      stats = disk.diskStats();
    }
  }

  /** A part of what is given up is written again, so as much more is written. */
  @Test
  void writesLittleMoreThanItTakes() {
    EntryType<byte[]> type = EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();
    SplittableRandom random = new SplittableRandom(3);
    try (DiskSecondaryCache disk = open(32)) {
      for (int number = 0; number < 3_000; number++) {
        awaitClean(disk);
        insert(disk, number, type);
        for (int i = 0; i < 2; i++) {
          disk.lookupNow(TierRequest.of(1, (long) (number * Math.sqrt(random.nextDouble())), type));
        }
      }
      DiskStats stats = disk.diskStats();
      assertThat(stats.usedRegions()).isGreaterThan(16);
      assertThat(stats.reinserted()).isPositive();
      assertThat(stats.writeAmplification()).isBetween(1.0, 1.45);
    }
  }

  /** The disk takes other values meanwhile, until it has given up its copy. */
  @Test
  void whatTheDiskHasForgottenIsOfferedAgain() {
    EntryType<byte[]> type = EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();
    DiskSecondaryCache disk = open(6);
    try (TieredBlockCache<byte[]> cache = above(disk)) {
      insert(disk, 0, type);
      try (Handle<byte[]> kept = cache.lookup(1, 0, type)) {
        assertThat(kept.value()).isEqualTo(value(0));
        for (int number = 1; disk.mayHold(1, 0); number++) {
          awaitClean(disk);
          insert(disk, number, type);
        }
      }
      awaitClean(disk);
      cache.setCapacityBytes(1);
      cache.setCapacityBytes(1 << 20);
      TierTestLimits.eventually(() -> cache.stats().pendingOffers() == 0);
      assertThat(cache.stats().total().keptBelow()).isZero();
      assertThat(cache.stats().total().accepted()).isEqualTo(1);
      try (Handle<byte[]> found = cache.lookup(1, 0, type)) {
        assertThat(found.value()).isEqualTo(value(0));
      }
      cache.setCapacityBytes(1);
      assertThat(cache.stats().total().keptBelow()).isEqualTo(1);
    }
  }
}
