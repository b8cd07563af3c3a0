/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.Handle;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that are loaded for later, by an executor that each test runs itself. */
class PrefetchesTest {
  private final TestSource source = new TestSource(100_000);
  private BlockFiles files = BlockFiles.builder().build();

  @AfterEach
  void nothingLeaks() throws Exception {
    files.close();
    TestSource.assertAllBack(files);
  }

  private CachedFile open() throws IOException {
    return files.open(FileKey.unique(), source);
  }

  private void openPrefetching(Executor executor, int most) throws IOException {
    files.close();
    files =
        BlockFiles.builder()
            .capacityBytes(128 << 10)
            .blockBytes(1024)
            .prefetcher(executor, most)
            .build();
  }

  @Test
  void prefetchesAreBoundedAndTheirFailuresCounted() throws IOException {
    Queue<Runnable> queue = new ArrayDeque<>();
    openPrefetching(queue::add, 2);
    CachedFile file = open();
    assertThat(file.prefetch(1500, 30_000)).isTrue();
    assertThat(queue).hasSize(2);
    assertThat(file.stats().prefetchesRefused()).isEqualTo(1);
    queue.remove().run();
    assertThat(file.cursor().readByte(1500)).isEqualTo(source.at(1500));
    assertThat(file.stats().misses()).isZero();
    assertThat(file.stats().blocksAhead()).isEqualTo(8);
    source.before =
        (position, bytes) -> {
          throw new IOException("broken");
        };
    queue.remove().run();
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
    source.before = (position, bytes) -> {};
    assertThat(file.prefetch(1024, 8 * 1024)).as("is there").isFalse();
    assertThat(file.prefetch(90_000, Long.MAX_VALUE)).isTrue();
    file.close();
    queue.forEach(Runnable::run);
    assertThat(files.cache().monitor().pinnedUsageBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 7})
  void aPrefetchLoadsTheRestWhereABlockHasComeMeanwhile(int block) throws IOException {
    Queue<Runnable> queue = new ArrayDeque<>();
    openPrefetching(queue::add, 1);
    CachedFile file = open();
    assertThat(file.prefetch(0, 8 * 1024)).isTrue();
    file.cursor().readByte(block * 1024L);
    queue.remove().run();
    for (int i = 0; i < 8; i++) {
      assertThat(file.cursor().readByte(i * 1024L)).isEqualTo(source.at(i * 1024L));
    }
    assertThat(file.stats().misses()).isEqualTo(1);
    assertThat(file.stats().blocksAhead()).isEqualTo(7);
    assertThat(source.pieces)
        .hasSize(8)
        .allSatisfy((piece, times) -> assertThat(times).isEqualTo(1));
  }

  @Test
  void aPrefetchIntoAFullCacheReadsEachBlockOnce() throws IOException {
    openPrefetching(Runnable::run, 1);
    source.length = 1 << 20;
    CachedFile file = open();
    List<Handle<PooledBuffer>> pins = new ArrayList<>();
    do {
      pins.add(file.pin(pins.size() * 1024L));
    } while (!pins.get(pins.size() - 1).isStandalone());
    source.pieces.clear();
    assertThat(file.prefetch(900 * 1024L, 4 * 1024)).isTrue();
    assertThat(source.pieces)
        .hasSize(4)
        .allSatisfy((piece, times) -> assertThat(times).isEqualTo(1));
    pins.forEach(Handle::close);
  }

  /** All memory of the pool. */
  private List<PooledBuffer> takeAll() {
    List<PooledBuffer> taken = new ArrayList<>();
    for (PooledBuffer buffer = files.pool().take(1); buffer != null; ) {
      taken.add(buffer);
      buffer = files.pool().take(1);
    }
    return taken;
  }

  @Test
  void aPrefetchThatFindsNoMemoryHasFailed() throws IOException {
    openPrefetching(Runnable::run, 1);
    CachedFile file = open();
    List<PooledBuffer> taken = takeAll();
    assertThat(file.prefetch(0, 1024)).isTrue();
    assertThat(file.stats().blocksAhead()).isZero();
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
    taken.forEach(files.pool()::give);
    assertThat(file.prefetch(0, 1024)).isTrue();
    assertThat(file.stats().blocksAhead()).isEqualTo(1);
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
  }

  @Test
  void aPrefetchWhoseMemoryEndsMidwayHasFailed() throws IOException {
    openPrefetching(Runnable::run, 1);
    CachedFile file = open();
    List<PooledBuffer> taken = takeAll();
    for (int i = 0; i < 3; i++) {
      files.pool().give(taken.remove(0));
    }
    assertThat(file.prefetch(0, 8 * 1024)).isTrue();
    assertThat(file.stats().blocksAhead()).isEqualTo(3);
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
    taken.forEach(files.pool()::give);
    assertThat(file.prefetch(0, 8 * 1024)).isTrue();
    assertThat(file.stats().blocksAhead()).isEqualTo(8);
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
  }

  @Test
  void aPrefetchThatFailsOnTheThreadOfItsCallerMakesRoomForOneMoreOnly() throws IOException {
    AtomicReference<Executor> executor = new AtomicReference<>(Runnable::run);
    openPrefetching(task -> executor.get().execute(task), 1);
    CachedFile file = open();
    source.before =
        (position, bytes) -> {
          throw new StackOverflowError("of this test");
        };
    assertThatThrownBy(() -> file.prefetch(0, 1024)).isInstanceOf(StackOverflowError.class);
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
    source.before = (position, bytes) -> {};
    Queue<Runnable> queue = new ArrayDeque<>();
    executor.set(queue::add);
    assertThat(file.prefetch(0, 30_000)).isTrue();
    assertThat(queue).hasSize(1);
    assertThat(file.stats().prefetchesRefused()).isEqualTo(1);
    queue.remove().run();
  }

  @Test
  void aPrefetchThatIsRefusedMakesRoomAgain() throws IOException {
    AtomicReference<Executor> executor = new AtomicReference<>();
    openPrefetching(task -> executor.get().execute(task), 1);
    CachedFile file = open();
    executor.set(
        task -> {
          throw new RejectedExecutionException("full");
        });
    for (int i = 0; i < 3; i++) {
      assertThat(file.prefetch(0, 1024)).isFalse();
    }
    executor.set(Runnable::run);
    assertThat(file.prefetch(0, 1024)).isTrue();
    assertThat(file.stats().prefetchesRefused()).isEqualTo(3);
  }

  /** Such as an executor that can start no more threads: no reader is to fail by a hint. */
  @Test
  void anExecutorThatBreaksRefusesAPrefetch() throws IOException {
    AtomicReference<Executor> executor = new AtomicReference<>();
    openPrefetching(task -> executor.get().execute(task), 1);
    CachedFile file = open();
    executor.set(
        task -> {
          throw new InternalError("no more threads");
        });
    assertThat(file.prefetch(0, 1024)).isFalse();
    executor.set(
        task -> {
          throw new IllegalStateException("shut down");
        });
    assertThat(file.prefetch(0, 1024)).isFalse();
    executor.set(Runnable::run);
    assertThat(file.prefetch(0, 1024)).isTrue();
    assertThat(file.stats().prefetchesRefused()).isEqualTo(2);
    assertThat(file.stats().prefetchesFailed()).isZero();
  }

  @Test
  void aPartPrefetchesWhatLiesInIt() throws IOException {
    try (BlockFiles own =
            BlockFiles.builder().blockBytes(1024).prefetcher(Runnable::run, 8).build();
        CachedFile file = own.open(FileKey.unique(), source)) {
      Cursor part = file.cursor().part(10 * 1024, 2048);
      assertThat(part.prefetch(1024, Long.MAX_VALUE)).isTrue();
      assertThat(source.pieces).containsOnlyKeys(11L);
      assertThat(part.prefetch(-5, 5)).isFalse();
      assertThat(part.prefetch(5000, 10)).isFalse();
      assertThat(part.prefetch(-5, Long.MAX_VALUE)).isTrue();
      assertThat(source.pieces).containsOnlyKeys(10L, 11L);
    }
  }

  @Test
  void aRangeWithoutAByteOfTheFileLoadsNothing() throws IOException {
    openPrefetching(Runnable::run, 8);
    CachedFile file = open();
    assertThat(file.prefetch(1500, 0)).isFalse();
    assertThat(file.prefetch(1500, -1)).isFalse();
    assertThat(file.prefetch(100_010, 10)).isFalse();
    assertThat(file.prefetch(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
    assertThat(file.prefetch(Long.MIN_VALUE, 5)).isFalse();
    assertThat(file.prefetch(-1, Long.MIN_VALUE)).isFalse();
    Cursor part = file.cursor().part(1500, 2000);
    assertThat(part.prefetch(-5, 5)).isFalse();
    assertThat(part.prefetch(2000, 10)).isFalse();
    assertThat(part.prefetch(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
    assertThat(part.prefetch(Long.MIN_VALUE, 5)).isFalse();
    assertThat(part.prefetch(-1, Long.MIN_VALUE)).isFalse();
    assertThat(source.reads).hasValue(0);
    assertThat(part.prefetch(1999, 10)).isTrue();
    assertThat(source.pieces).containsOnlyKeys(3L);
  }

  @Test
  @Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
  void theLastBlockOfTheLongestFileIsPrefetched() throws IOException {
    openPrefetching(Runnable::run, 8);
    TestSource longest = new TestSource(Long.MAX_VALUE);
    CachedFile file = files.open(FileKey.unique(), longest);
    assertThat(file.prefetch(Long.MAX_VALUE - 5, 5)).isTrue();
    assertThat(longest.reads).hasValue(1);
    long last = Long.MAX_VALUE - 1;
    assertThat(file.cursor().readByte(last)).isEqualTo(longest.at(last));
    assertThat(file.stats().misses()).isZero();
  }

  @Test
  void aFileThatWasClosedMeanwhileIsNotRead() throws IOException {
    Queue<Runnable> queue = new ArrayDeque<>();
    openPrefetching(queue::add, 2);
    CachedFile file = open();
    assertThat(file.prefetch(0, 16 * 1024)).isTrue();
    assertThat(queue).hasSize(2);
    queue.remove().run();
    assertThat(source.reads).hasValue(1);
    file.close();
    queue.remove().run();
    assertThat(source.reads).hasValue(1);
    assertThat(file.stats().prefetchesFailed()).isEqualTo(1);
    assertThat(open().prefetch(0, 16 * 1024)).as("there is room again").isTrue();
    assertThat(queue).hasSize(2);
  }

  @Test
  void onlyCursorsThatAdmitPrefetch() throws IOException {
    openPrefetching(Runnable::run, 8);
    CachedFile file = open();
    for (ReadMode mode : List.of(ReadMode.NO_ADMIT, ReadMode.BYPASS)) {
      assertThat(file.cursor(mode).prefetch(0, 10_000)).as(mode.name()).isFalse();
      assertThat(files.cache().monitor().occupancy()).as(mode.name()).isZero();
    }
    assertThat(source.reads).hasValue(0);
  }
}
