/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoadException;
import io.hyperclock.BlockLoader;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.versioned.VersionedCache;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
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
      BlockLoader<ByteBuffer> loader = FirstSteps.loader(pool);
      assertThat(FirstSteps.pin(cache, loader, 7)).isEqualTo(7);
      assertThat(FirstSteps.pin(cache, loader, 7)).isEqualTo(7);
      assertThat(pool.inUse()).isOne();
    }
    assertThat(pool.inUse()).isZero();

    assertThat(FirstSteps.tiers(8 << 20)).isOne();
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

  /** A caller who gives up, before the block is there, leaves no pin behind. */
  @Test
  void eventLoopReadsClosePinsOfCallersWhoGaveUp() throws Exception {
    ExecutorService disk = Executors.newSingleThreadExecutor();
    CountDownLatch stuck = new CountDownLatch(1);
    EventLoopReads reads = new EventLoopReads(disk);
    try (reads) {
      disk.execute(() -> await(stuck));
      CompletableFuture<Long> cancelled = reads.answerPinned(1);
      CompletableFuture<Long> timedOut = reads.answerPinned(2);
      CompletableFuture<Long> waiting = reads.answerPinned(2);
      cancelled.cancel(true);
      timedOut.completeExceptionally(new TimeoutException());
      stuck.countDown();
      assertThat(waiting.get()).isEqualTo(2);
      disk.submit(() -> {}).get();
      assertThat(reads.diskReads()).isEqualTo(2);
      assertThat(reads.pinnedBytes()).isZero();
    } finally {
      stuck.countDown();
    }
    assertThat(reads.buffersInUse()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void pinningTakesOneTypeHoweverManyBlocksAreMissing() {
    DirectBufferPool pool = new DirectBufferPool(4096);
    try (BlockCache<ByteBuffer> cache =
        BlockCache.<ByteBuffer>builder().capacityBytes(1 << 20).build()) {
      BlockLoader<ByteBuffer> loader = FirstSteps.loader(pool);
      for (int offset = 0; offset < 40_000; offset++) {
        assertThat(FirstSteps.pin(cache, loader, offset)).isEqualTo(offset);
      }
    }
    assertThat(pool.inUse()).isZero();
  }

  @Test
  void aReadThatFailsGivesItsBufferBack() {
    DirectBufferPool pool = new DirectBufferPool(4096);
    try (BlockCache<ByteBuffer> cache =
        BlockCache.<ByteBuffer>builder().capacityBytes(1 << 20).build()) {
      assertThatThrownBy(() -> FirstSteps.pin(cache, FirstSteps.loader(pool), 1L << 30))
          .isInstanceOf(BlockLoadException.class)
          .hasCauseInstanceOf(EOFException.class);
      assertThat(pool.inUse()).isZero();
    }
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
