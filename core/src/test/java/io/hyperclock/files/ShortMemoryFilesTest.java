/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import io.hyperclock.memory.ShortMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files whose pool gets less memory from the JVM than the capacity of the cache. */
class ShortMemoryFilesTest {
  private static final int BLOCK = 1024;
  private static final int CAPACITY = 32 << 20;
  private static final int MEMORY = 4 << 20;
  private static final int MOST_BLOCKS = MEMORY / BLOCK;
  private static final int LENGTH = 3 * MEMORY;
  private final TestSource source = new TestSource(LENGTH);
  private final ShortMemory memory = new ShortMemory(MEMORY);
  private BlockFiles files = files(1, CapacityMode.NON_STRICT);

  private BlockFiles files(int shards, CapacityMode mode) {
    return files(shards, mode, CAPACITY);
  }

  private BlockFiles files(int shards, CapacityMode mode, long capacity) {
    return BlockFiles.builder()
        .capacityBytes(capacity)
        .blockBytes(BLOCK)
        .pool(memory::pool)
        .cache(settings -> settings.shards(shards).capacityMode(mode))
        .build();
  }

  @AfterEach
  void nothingLeaks() throws Exception {
    files.close();
    TestSource.assertAllBack(files);
  }

  private CachedFile open() throws IOException {
    return files.open(FileKey.unique(), source);
  }

  private static boolean isCached(CachedFile file, long at) {
    return file.loads.contains(at);
  }

  private static int cached(CachedFile file) {
    int count = 0;
    for (long at = 0; at < LENGTH; at += BLOCK) {
      count += isCached(file, at) ? 1 : 0;
    }
    return count;
  }

  @ParameterizedTest
  @CsvSource({"1, NON_STRICT", "1, STRICT", "16, NON_STRICT", "16, STRICT"})
  void eachBlockReadBecomesCachedAndOldOnesLeave(int shards, CapacityMode mode) throws IOException {
    files = files(shards, mode);
    CachedFile file = open();
    Cursor cursor = file.cursor();
    int missing = 0;
    for (long at = 0; at < LENGTH; at += BLOCK) {
      assertThat(cursor.readByte(at + 7)).isEqualTo(source.at(at + 7));
      missing += isCached(file, at) ? 0 : 1;
    }
    assertThat(missing).as("%s", files).isZero();
    assertThat(file.stats().uncachedReads()).isZero();
    assertThat(memory.calls)
        .as("slabs, and one that was refused")
        .hasValue(MEMORY / (512 << 10) + 1);
    assertThat(cached(file))
        .as("not more at a time than need be")
        .isBetween(MOST_BLOCKS * 9 / 10, MOST_BLOCKS);
    assertThat(files.cache().monitor().capacityBytes()).isEqualTo(CAPACITY);
    assertThat(files.cache().monitor().pinnedUsageBytes()).isZero();
  }

  /** Else each shard would be emptied, of what is in use too, while the cache is filled once. */
  @ParameterizedTest
  @CsvSource({"1, 8", "16, 8", "1, 256", "16, 64"})
  void aRefusalEvictsLittle(int shards, int ratio) throws IOException {
    memory.leftBytes.set(MEMORY / 4);
    files = files(shards, CapacityMode.NON_STRICT, ratio * (MEMORY / 4L));
    CachedFile file = open();
    Cursor cursor = file.cursor();
    CacheMonitor<PooledBuffer> monitor = files.cache().monitor();
    long before = 0;
    for (long at = 0; at < LENGTH; at += BLOCK) {
      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
      long entries = monitor.occupancy();
      assertThat(before - entries).as("evicted at once").isLessThan(MOST_BLOCKS / 4 / 50);
      before = entries;
    }
    assertThat(files.pool().refusals()).isGreaterThan(LENGTH / BLOCK / 100);
    assertThat(file.stats().uncachedReads()).isZero();
  }

  @Test
  void aCapacityBeyondAnyChargeIsNoBurden() throws IOException {
    files.cache().setCapacityBytes(BlockCache.MAX_CAPACITY_BYTES);
    CachedFile file = open();
    byte[] read = new byte[LENGTH];
    file.cursor().read(0, read, 0, LENGTH);
    assertThat(read).isEqualTo(source.bytes(0, LENGTH));
    assertThat(file.stats().uncachedReads()).isZero();
    assertThat(cached(file)).isBetween(MOST_BLOCKS * 9 / 10, MOST_BLOCKS);
  }

  @ParameterizedTest
  @CsvSource({"1, 8", "1, 64", "1, 256", "16, 64", "16, 256"})
  void blocksThatAreReadAgainStay(int shards, int ratio) throws IOException {
    files = files(shards, CapacityMode.NON_STRICT, ratio * (long) MEMORY);
    CachedFile file = files.open(FileKey.unique(), new TestSource(1L << 30));
    Cursor cursor = file.cursor();
    Random random = new Random(1);
    int hot = MOST_BLOCKS * 4 / 10;
    long cold = hot;
    long again = 0;
    int reads = 50 * MOST_BLOCKS;
    for (int i = 0; i < reads; i++) {
      boolean isHot = random.nextBoolean();
      long misses = file.stats().misses();
      cursor.readByte(BLOCK * (isHot ? random.nextInt(hot) : cold++));
      if (isHot && i > reads / 4) {
        again += file.stats().misses() - misses;
      }
    }
    assertThat(again * 100.0 / (reads * 3 / 8.0)).as("%% of hot reads that miss").isLessThan(8);
    assertThat(file.stats().uncachedReads()).isZero();
  }

  @Test
  void neighboursAreStillReadTogether() throws IOException {
    source.readAhead = 32 * BLOCK;
    Cursor cursor = open().cursor();
    for (long at = 0; at < LENGTH; at += BLOCK) {
      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
    }
    assertThat(source.reads.get()).isLessThan(LENGTH / BLOCK / 16);
    assertThat(source.pieces).allSatisfy((piece, times) -> assertThat(times).isEqualTo(1));
  }

  @Test
  void pinsHoldAllThereIsAndOthersTakeTheirMemoryWhenTheyEnd() throws IOException {
    CachedFile file = open();
    List<Handle<PooledBuffer>> pins = new ArrayList<>();
    for (long at = 0; at < MEMORY; at += BLOCK) {
      pins.add(file.pin(at));
    }
    Cursor cursor = file.cursor();
    assertThat(cursor.readByte(MEMORY + 5)).isEqualTo(source.at(MEMORY + 5));
    assertThat(file.stats().uncachedReads()).isEqualTo(1);
    int calls = memory.calls.get();
    pins.forEach(Handle::close);
    pins.clear();
    for (long at = MEMORY; at < 2 * MEMORY - MEMORY / 4; at += BLOCK) {
      pins.add(file.pin(at));
    }
    assertThat(file.stats().uncachedReads()).isEqualTo(1);
    assertThat(memory.calls).hasValue(calls);
    pins.forEach(Handle::close);
  }

  /** What is evicted while a scope is open gives no memory before the scope ends. */
  @Test
  void blocksStayWhereAnOpenScopeHoldsBackWhatIsEvicted() throws IOException {
    CachedFile file = open();
    Cursor cursor = file.cursor();
    for (long at = 0; at < 2 * MEMORY; at += BLOCK) {
      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
    }
    int before = cached(file);
    try (ReadScope scope = files.cache().openScope()) {
      for (long at = 0; at < LENGTH; at += BLOCK) {
        assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
      }
      assertThat(cached(file)).isBetween(before * 3 / 4, MOST_BLOCKS);
    }
    long uncached = file.stats().uncachedReads();
    for (long at = 2 * MEMORY; at < LENGTH; at += BLOCK) {
      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
    }
    assertThat(file.stats().uncachedReads()).as("after the scope").isEqualTo(uncached);
  }

  @Test
  void memoryThatTheJvmGivesLaterIsUsed() throws IOException {
    CachedFile file = open();
    file.cursor().read(0, new byte[LENGTH], 0, LENGTH);
    memory.leftBytes.set(CAPACITY);
    memory.nanoTime.addAndGet(60_000_000_000L);
    for (int round = 0; round < 2; round++) {
      file.cursor().read(0, new byte[LENGTH], 0, LENGTH);
    }
    assertThat(cached(file)).isEqualTo(LENGTH / BLOCK);
  }

  @Test
  void manyThreadsReadRightBytesAndTheCacheStaysAsFullAsItCan() throws Exception {
    long seed = new Random().nextLong();
    files = files(4, CapacityMode.NON_STRICT);
    CachedFile file = open();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Random random = new Random(seed + i);
        workers.add(
            threads.submit(
                () -> {
                  Cursor cursor = file.cursor();
                  for (int k = 0; k < 5000; k++) {
                    long at = random.nextInt(LENGTH - 8);
                    assertThat(cursor.readLong(at))
                        .as("seed=%d", seed)
                        .isEqualTo(source.longAt(at));
                  }
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cached(file)).as("seed=%d", seed).isBetween(MOST_BLOCKS * 3 / 4, MOST_BLOCKS);
    assertThat(memory.calls).as("seed=%d", seed).hasValueLessThan(MEMORY / (512 << 10) + 10);
  }
}
