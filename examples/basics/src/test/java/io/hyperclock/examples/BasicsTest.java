/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.versioned.VersionedCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BasicsTest {
  @Test
  void theSecondPassOfTheQuickstartReadsNothingFromDisk(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("blocks"), new byte[20 * 4096 + 17]);
    assertThat(Quickstart.readTwice(file)).isEqualTo(21);
  }

  @Test
  void pinnedBuffersAllGoBackToThePool() {
    DirectBufferPool pool = new DirectBufferPool(8192);
    long sum = PinnedBuffers.readSkewed(pool, 20_000, 1_000);
    assertThat(sum).isEqualTo(expectedSum(20_000, 1_000));
    assertThat(pool.inUse()).isZero();
    assertThat(pool.allocated()).isBetween(200, 260);
  }

  @Test
  void batchesFindWhatTheCompressedTierKept() {
    assertThat(BatchOfLookups.foundAgain(1_000)).isGreaterThan(500);
    assertThat(BatchOfLookups.foundAgain(50)).isEqualTo(50);
  }

  @Test
  void firstStepsOfTheReadme() {
    assertThat(FirstSteps.read(7)).containsExactly(7);

    DirectBufferPool pool = new DirectBufferPool(4096);
    try (BlockCache<ByteBuffer> cache =
        BlockCache.<ByteBuffer>builder().capacityBytes(1 << 20).build()) {
      assertThat(FirstSteps.pin(cache, pool, 7)).isEqualTo(42);
      assertThat(FirstSteps.pin(cache, pool, 7)).isEqualTo(42);
      assertThat(pool.inUse()).isOne();
    }
    assertThat(pool.inUse()).isZero();

    EntryType<byte[]> type = EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
    assertThat(FirstSteps.tiers(8 << 20, type)).isZero();
    try (TieredBlockCache<byte[]> cache = FirstSteps.budget(8 << 20)) {
      assertThat(cache.primary().monitor().capacityBytes()).isEqualTo((8 << 20) * 15 / 16);
    }

    VersionedCache<byte[]> rows =
        VersionedCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(4096).build();
    assertThat(FirstSteps.versions(rows, 1, 2, new byte[] {5})).containsExactly(5);
  }

  @Test
  void eventLoopReadsEachBlockOnceAndNeverOnItsOwnThread() {
    EventLoopReads reads = new EventLoopReads();
    try (reads) {
      assertThat(reads.sum(1_000, 10)).isEqualTo(2 * 100 * 45);
      assertThat(reads.diskReads()).as("ten blocks of each kind").isEqualTo(20);
    }
    assertThat(reads.buffersInUse()).isZero();
  }

  private static long expectedSum(int reads, int blocks) {
    SplittableRandom random = new SplittableRandom(42);
    long sum = 0;
    for (int i = 0; i < reads; i++) {
      sum += Math.min(random.nextLong(blocks), random.nextLong(blocks));
    }
    return sum;
  }
}
