/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
    BufferPool pool = new BufferPool(8192);
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
