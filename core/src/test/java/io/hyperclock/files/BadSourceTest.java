/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sources that misbehave, memory that ends, and closes at the wrong moment. */
@Timeout(value = 60, threadMode = SEPARATE_THREAD)
class BadSourceTest {
  private final TestSource source = new TestSource(100_000);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private BlockFiles files = BlockFiles.builder().capacityBytes(1 << 20).blockBytes(1024).build();

  @AfterEach
  void nothingLeaks() throws Exception {
    files.close();
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    TestSource.assertAllBack(files);
  }

  private CachedFile open() throws IOException {
    return files.open(FileKey.unique(), source);
  }

  @Test
  void shortAnswersAreAskedForTheRest() throws IOException {
    source.mostBytes = 300;
    byte[] read = new byte[20_000];
    open().cursor().read(10, read, 0, read.length);
    assertThat(read).isEqualTo(source.bytes(10, read.length));
  }

  @Test
  void aFileThatShrankFailsWhatIsNotCached() throws IOException {
    CachedFile file = open();
    Cursor cursor = file.cursor();
    cursor.readByte(90_000);
    source.length = 50_000;
    assertThatThrownBy(() -> cursor.readByte(80_000))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("shrink");
    assertThatThrownBy(() -> cursor.readByte(50_000)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> file.cursor(ReadMode.BYPASS).readByte(80_000))
        .isInstanceOf(EOFException.class);
    assertThat(cursor.readByte(90_001)).isEqualTo(source.at(90_001));
    source.length = 200_000;
    assertThat(cursor.readByte(80_000)).isEqualTo(source.at(80_000));
    assertThatThrownBy(() -> cursor.readByte(100_000)).isInstanceOf(EOFException.class);
  }

  @Test
  void whatTheSourceThrowsReachesAllWhoWaitAndTheNextTriesAgain() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    source.before =
        (position, bytes) -> {
          entered.countDown();
          await(go);
          throw new IOException("broken");
        };
    CachedFile file = open();
    List<Future<Byte>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(threads.submit(() -> file.cursor().readByte(5000)));
    }
    await(entered);
    go.countDown();
    for (Future<Byte> reader : readers) {
      assertThatThrownBy(reader::get)
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("broken");
    }
    for (RuntimeException unchecked : List.of(new IllegalArgumentException("odd"))) {
      source.before =
          (position, bytes) -> {
            throw unchecked;
          };
      assertThatThrownBy(() -> file.cursor().readByte(5000)).isSameAs(unchecked);
      assertThatThrownBy(() -> file.cursor().read(5000, new byte[9000], 0, 9000))
          .isSameAs(unchecked);
    }
    source.before = (position, bytes) -> {};
    assertThat(file.cursor().readByte(5000)).isEqualTo(source.at(5000));
    assertThat(files.cache().monitor().loadStats().underWay()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSourceThatSaysMoreThanItFilledIsNotBelieved() throws IOException {
    BlockSource liar =
        new BlockSource() {
          @Override
          public long length() {
            return 5000;
          }

          @Override
          public long readAt(long position, ByteBuffer[] into) {
            into[0].put((byte) 1);
            return 1024;
          }
        };
    Cursor cursor = files.open("liar", liar).cursor();
    assertThatThrownBy(() -> cursor.readByte(0)).isInstanceOf(IOException.class);
    assertThat(files.pool().outstanding()).isZero();
  }

  @Test
  void aSourceThatNeverAnswersHoldsUpItsOwnReadersOnly() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    source.before =
        (position, bytes) -> {
          if (position == 5120) {
            entered.countDown();
            await(never);
          }
        };
    CachedFile file = open();
    Future<Byte> stuck = threads.submit(() -> file.cursor().readByte(5120));
    await(entered);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiter =
        new Thread(
            () -> {
              try {
                file.cursor().readByte(5121);
              } catch (java.io.InterruptedIOException e) {
                interrupted.set(Thread.currentThread().isInterrupted());
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    waiter.start();
    assertThat(file.cursor().readByte(7000)).isEqualTo(source.at(7000));
    waiter.interrupt();
    waiter.join();
    assertThat(interrupted).isTrue();
    files.close();
    assertThat(stuck.isDone()).isFalse();
    never.countDown();
    assertThatThrownBy(stuck::get).hasCauseInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void aFullCacheIsReadPast(CapacityMode mode) throws IOException {
    files.close();
    files =
        BlockFiles.builder()
            .capacityBytes(32 << 10)
            .blockBytes(1024)
            .cache(settings -> settings.shards(1).capacityMode(mode))
            .build();
    CachedFile file = open();
    List<Handle<PooledBuffer>> pins = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              for (long at = 0; ; at += 1024) {
                pins.add(file.pin(at));
              }
            })
        .isInstanceOf(CapacityExceededException.class);
    assertThat(files.pool().allocatedBytes()).isLessThanOrEqualTo(files.pool().maxBytes());
    byte[] read = new byte[60_000];
    Cursor cursor = file.cursor();
    cursor.read(30_000, read, 0, read.length);
    assertThat(read).isEqualTo(source.bytes(30_000, read.length));
    assertThat(file.stats().uncachedReads()).isPositive();
    // Of two neighbours there is room for one.
    pins.remove(0).close();
    cursor.read(90_000, read, 0, 2000);
    assertThat(read).startsWith(source.bytes(90_000, 2000));
    pins.forEach(Handle::close);
    long uncached = file.stats().uncachedReads();
    for (int i = 0; i < 3; i++) {
      cursor.read(0, read, 0, read.length);
    }
    assertThat(file.stats().uncachedReads()).isEqualTo(uncached);
  }

  @Test
  void theSmallestCacheStillReads() throws IOException {
    files.close();
    files = BlockFiles.builder().capacityBytes(1024).blockBytes(16 << 10).build();
    Cursor cursor = open().cursor();
    for (int i = 0; i < 3; i++) {
      byte[] read = new byte[100_000];
      cursor.read(0, read, 0, read.length);
      assertThat(read).isEqualTo(source.bytes(0, read.length));
    }
  }

  @Test
  void aFileClosedUnderItsReadersAnswersRightOrSaysSo() throws Exception {
    for (int round = 0; round < 20; round++) {
      CachedFile file = open();
      CyclicBarrier start = new CyclicBarrier(3);
      List<Future<?>> readers = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        readers.add(
            threads.submit(
                () -> {
                  Cursor cursor = file.cursor();
                  start.await();
                  for (long at = 0; ; at = (at + 999) % 99_000) {
                    try {
                      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
                    } catch (IllegalStateException e) {
                      return null;
                    }
                  }
                }));
      }
      start.await();
      file.close();
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
    assertThat(source.closes).hasValue(20);
  }

  @Test
  void twoThreadsThatMissNeighboursReadEachBlockOnce() throws Exception {
    for (int round = 0; round < 50; round++) {
      source.pieces.clear();
      CachedFile file = open();
      CyclicBarrier start = new CyclicBarrier(2);
      source.before = (position, bytes) -> Thread.yield();
      List<Future<?>> readers = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        long from = 1024L * (1 + 4 * t);
        readers.add(
            threads.submit(
                () -> {
                  byte[] read = new byte[8 * 1024];
                  start.await();
                  file.cursor().read(from, read, 0, read.length);
                  assertThat(read).isEqualTo(source.bytes(from, read.length));
                  return null;
                }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
      assertThat(source.pieces)
          .hasSize(12)
          .allSatisfy((piece, times) -> assertThat(times).isEqualTo(1));
      file.close();
    }
  }

  /** A source whose length cannot be told. */
  private final class Unopenable implements BlockSource {
    @Override
    public long length() throws IOException {
      throw new IOException("no such object");
    }

    @Override
    public long readAt(long position, ByteBuffer[] into) {
      throw new AssertionError("not open");
    }

    @Override
    public void close() {
      source.close();
      throw new IllegalStateException("cannot be closed");
    }
  }

  @Test
  void whyAFileCannotBeOpenedIsToldThoughItsSourceCannotBeClosed() {
    assertThatThrownBy(() -> files.open("name", new Unopenable()))
        .isInstanceOf(IOException.class)
        .hasMessage("no such object")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement(THROWABLE)
                    .hasMessage("cannot be closed"));
    assertThat(source.closes).hasValue(1);
  }

  @Test
  void aDroppedFileThatCannotBeOpenedStaysDropped() throws IOException {
    CachedFile file = open();
    FileKey key = file.key();
    file.close();
    files.drop(key);
    assertThatThrownBy(() -> files.open(key, new Unopenable())).isInstanceOf(Exception.class);
    assertThat(files.cache().fileKeys().isDropped(key.hi())).isTrue();
    files.open(key, source);
    assertThat(files.cache().fileKeys().isDropped(key.hi())).isFalse();
  }

  @Test
  void aSourceIsClosedWhereItsFileHasNoIdentity() {
    assertThatThrownBy(() -> files.open("", source)).isInstanceOf(IllegalArgumentException.class);
    assertThat(source.closes).hasValue(1);
    assertThatThrownBy(() -> files.open((FileKey) null, source))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key must not be null");
    assertThat(source.closes).hasValue(2);
    assertThatThrownBy(() -> files.open("name", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("source must not be null");
  }

  /** Of a store that is broken, each of whose sources throws what broke it. */
  private static final class Broken implements BlockSource {
    private final IOException failure;
    private boolean isOpenable;
    private int closes;

    Broken(IOException failure) {
      this.failure = failure;
    }

    @Override
    public long length() throws IOException {
      if (isOpenable) {
        return 1000;
      }
      throw failure;
    }

    @Override
    public long readAt(long position, ByteBuffer[] into) throws IOException {
      throw failure;
    }

    @Override
    public void close() throws IOException {
      if (closes++ == 0) {
        throw failure;
      }
    }
  }

  @Test
  void oneExceptionOfASourceThatCannotBeOpenedNorClosedIsThrownAsItIs() {
    Broken broken = new Broken(new IOException("broken"));
    assertThatThrownBy(() -> files.open("name", broken)).isSameAs(broken.failure);
    assertThat(broken.closes).isEqualTo(1);
  }

  @Test
  void allFilesAndTheCacheAreClosedThoughAllSourcesThrowTheSame() throws IOException {
    IOException failure = new IOException("broken");
    List<Broken> sources = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Broken broken = new Broken(failure);
      broken.isOpenable = true;
      sources.add(broken);
      files.open("name" + i, broken);
    }
    assertThatThrownBy(files::close).isSameAs(failure);
    assertThat(sources).extracting(broken -> broken.closes).containsExactly(1, 1, 1);
    assertThat(files.toString()).contains("open=0");
    assertThatThrownBy(() -> files.cache().openScope()).hasMessageContaining("closed");
  }
}
