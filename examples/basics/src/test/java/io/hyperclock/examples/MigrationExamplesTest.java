/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the migration page shows before and after does the same. */
class MigrationExamplesTest {
  private static final int BLOCK = 4096;
  private static final AtomicInteger DISK_READS = new AtomicInteger();
  private static final BlockDisk DISK =
      (file, offset) -> {
        DISK_READS.incrementAndGet();
        byte[] block = new byte[BLOCK];
        block[0] = (byte) (offset / BLOCK);
        return block;
      };

  static Stream<BlockReads<?>> reads() {
    return Stream.of(
        new CaffeineReads(64 * BLOCK, DISK), new HyperClockReads(64 * BLOCK, "db", DISK));
  }

  @ParameterizedTest
  @MethodSource("reads")
  <F> void readsAreCachedUntilForgotten(BlockReads<F> reads) {
    try (reads) {
      DISK_READS.set(0);
      F file = reads.open(7);
      assertThat(reads.read(file, 3 * BLOCK)[0]).isEqualTo((byte) 3);
      assertThat(reads.read(reads.open(7), 3 * BLOCK)[0]).isEqualTo((byte) 3);
      assertThat(DISK_READS).hasValue(1);
      assertThat(reads.hitRatio()).isEqualTo(0.5);

      reads.forget(file, 3 * BLOCK);
      assertThat(reads.load(file, 3 * BLOCK)[0]).isEqualTo((byte) 3);
      assertThat(reads.load(file, 3 * BLOCK)[0]).isEqualTo((byte) 3);
      reads.read(file, 3 * BLOCK);
      assertThat(DISK_READS).hasValue(2);

      reads.write(file, 3 * BLOCK, new byte[] {42});
      assertThat(reads.read(file, 3 * BLOCK)).containsExactly(42);
      assertThat(DISK_READS).hasValue(2);

      reads.delete(file);
      assertThat(reads.read(reads.open(8), 3 * BLOCK)[0]).isEqualTo((byte) 3);
      assertThat(DISK_READS).hasValue(3);
    }
  }

  @ParameterizedTest
  @MethodSource("reads")
  <F> void evictedBytesAreSeen(BlockReads<F> reads) {
    try (reads) {
      F file = reads.open(7);
      for (int i = 0; i < 200; i++) {
        reads.read(file, (long) i * BLOCK);
      }
      assertThat(reads.evictedBytes()).isBetween(136L * BLOCK, 145L * BLOCK);
    }
  }

  @Test
  void oldBlocksAreReadAgain() {
    AtomicLong nanos = new AtomicLong(-5);
    try (ExpiringReads reads =
        new ExpiringReads(64 * BLOCK, DISK, Duration.ofSeconds(1), nanos::get)) {
      DISK_READS.set(0);
      reads.read(1, 0);
      nanos.addAndGet(999_999_999);
      reads.read(1, 0);
      assertThat(DISK_READS).hasValue(1);
      nanos.addAndGet(1);
      assertThat(reads.read(1, 0)).hasSize(BLOCK);
      assertThat(DISK_READS).hasValue(2);
      nanos.addAndGet(999_999_999);
      reads.read(1, 0);
      assertThat(DISK_READS).hasValue(2);
    }
  }

  private static void readFromThreads(PooledReads reads) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 5_000; i++) {
                    long offset = i % 100;
                    long found = reads.read(1, offset, buffer -> buffer.getLong(0));
                    assertThat(found).isEqualTo(offset);
                    if (i % 7 == 0) {
                      reads.forget(1, offset);
                    }
                  }
                }));
      }
      for (Future<?> one : done) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void countedBlocksGoBackToThePool() throws Exception {
    DirectBufferPool pool = new DirectBufferPool(BLOCK);
    ReferenceCountedReads reads = new ReferenceCountedReads(pool, 50);
    readFromThreads(reads);
    reads.trim();
    assertThat(pool.inUse()).isBetween(1, 50);
    reads.close();
    assertThat(pool.inUse()).isZero();
  }

  @Test
  void handledBlocksGoBackToThePool() throws Exception {
    DirectBufferPool pool = new DirectBufferPool(BLOCK);
    HandleReads reads = new HandleReads(pool, 50);
    reads.read(1, 3, buffer -> 0);
    reads.read(1, 4, buffer -> 0);
    assertThat(reads.sumOfCached(1, 10)).isEqualTo(7);
    readFromThreads(reads);
    assertThat(pool.inUse()).isBetween(1, 50);
    reads.close();
    assertThat(pool.inUse()).isZero();
  }
}
