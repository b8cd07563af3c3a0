/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.Handle;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers that wait for the load of another: what is that one's own affair does not reach them. */
@Timeout(value = 60, threadMode = SEPARATE_THREAD)
class SharedKeyTest {
  private final FileKey key = FileKey.unique();
  private final BlockFiles files =
      BlockFiles.builder().capacityBytes(1 << 20).blockBytes(1024).build();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch loading = new CountDownLatch(1);
  private final CountDownLatch ends = new CountDownLatch(1);

  @AfterEach
  void nothingLeaks() throws Exception {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    files.close();
    TestSource.assertAllBack(files);
  }

  private TestSource failing(Throwable failure) {
    TestSource source = new TestSource(10_000);
    source.before =
        (position, bytes) -> {
          loading.countDown();
          awaitEnd();
          if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
          }
          if (failure instanceof Error error) {
            throw error;
          }
          throw (IOException) failure;
        };
    return source;
  }

  private void awaitEnd() throws InterruptedIOException {
    try {
      ends.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted by this test");
    }
  }

  private Future<Byte> read(CachedFile file, AtomicReference<Thread> reader) {
    return submit(() -> file.cursor().readByte(5), reader);
  }

  private <T> Future<T> submit(Callable<T> read, AtomicReference<Thread> reader) {
    return threads.submit(
        () -> {
          reader.set(Thread.currentThread());
          return read.call();
        });
  }

  private Future<Byte> readBehind(CachedFile file) throws InterruptedException {
    return waiting(() -> file.cursor().readByte(5));
  }

  private <T> Future<T> waiting(Callable<T> call) throws InterruptedException {
    loading.await();
    AtomicReference<Thread> reader = new AtomicReference<>();
    Future<T> read = submit(call, reader);
    while (reader.get() == null || reader.get().getState() != Thread.State.WAITING) {
      assertThat(read.isDone()).isFalse();
      Thread.onSpinWait();
    }
    return read;
  }

  @Test
  void aReaderTriesItsOwnSourceWhereThatOfAnotherFileFails() throws Exception {
    for (Throwable failure :
        new Throwable[] {
          new IOException("of another"),
          new IllegalStateException("of another"),
          new InternalError("of another, such as a mapped file that has become shorter")
        }) {
      SharedKeyTest fresh = new SharedKeyTest();
      fresh.readsItsOwnSource(failure, false);
      fresh.nothingLeaks();
    }
  }

  @Test
  void aReaderTriesItsOwnSourceWhereAnotherFileIsClosed() throws Exception {
    readsItsOwnSource(new IOException("closed"), true);
  }

  private void readsItsOwnSource(Throwable failure, boolean closes) throws Exception {
    TestSource good = new TestSource(10_000);
    CachedFile bad = files.open(key, failing(failure));
    CachedFile own = files.open(key, good);
    Future<Byte> leader = read(bad, new AtomicReference<>());
    Future<Byte> waiter = readBehind(own);
    if (closes) {
      bad.close();
    }
    ends.countDown();
    assertThatThrownBy(leader::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(closes ? IllegalStateException.class : failure.getClass());
    assertThat(waiter.get()).isEqualTo(good.at(5));
    assertThat(own.stats().sourceReads()).isEqualTo(1);
  }

  @Test
  void readersOfOneFileGetWhatItsSourceHasThrown() throws Exception {
    for (Throwable failure :
        new Throwable[] {
          new IOException("of the source of both"), new InternalError("of the source of both")
        }) {
      SharedKeyTest fresh = new SharedKeyTest();
      fresh.bothGet(failure);
      fresh.nothingLeaks();
    }
  }

  private void bothGet(Throwable failure) throws Exception {
    CachedFile file = files.open(key, failing(failure));
    Future<Byte> leader = read(file, new AtomicReference<>());
    Future<Byte> waiter = readBehind(file);
    ends.countDown();
    assertThatThrownBy(leader::get).cause().isSameAs(failure);
    assertThatThrownBy(waiter::get).cause().isSameAs(failure);
  }

  @Test
  void anInterruptOfTheReaderThatLoadsIsItsOwn() throws Exception {
    TestSource source = failing(new IOException("not thrown"));
    CachedFile file = files.open(key, source);
    AtomicReference<Thread> reader = new AtomicReference<>();
    Future<Byte> leader = read(file, reader);
    Future<Byte> waiter = readBehind(file);
    source.before = (position, bytes) -> {};
    reader.get().interrupt();
    assertThatThrownBy(leader::get).cause().isInstanceOf(InterruptedIOException.class);
    assertThat(waiter.get()).isEqualTo(source.at(5));
  }

  @Test
  void aReaderLoadsAnewWhereTheBlockOfAnotherFileHasAnotherLength() throws Exception {
    TestSource source = new TestSource(1000);
    source.before =
        (position, bytes) -> {
          loading.countDown();
          awaitEnd();
        };
    CachedFile shorter = files.open(key, source);
    TestSource grown = new TestSource(1024, 1);
    CachedFile longer = files.open(key, grown);
    Future<Byte> leader = read(shorter, new AtomicReference<>());
    Future<Byte> cursor = waiting(() -> longer.cursor().readByte(1010));
    Future<Handle<PooledBuffer>> pin = waiting(() -> longer.pin(1010));
    ends.countDown();
    assertThat(leader.get()).isEqualTo(source.at(5));
    assertThat(cursor.get()).isEqualTo(grown.at(1010));
    try (Handle<PooledBuffer> held = pin.get()) {
      assertThat(held.value().length()).isEqualTo(1024);
      assertThat(held.value().bytes().get(1010)).isEqualTo(grown.at(1010));
    }
  }

  /** A source that cannot be closed. */
  private record Unclosable(TestSource source) implements BlockSource {
    @Override
    public long length() {
      return source.length();
    }

    @Override
    public long readAt(long position, ByteBuffer[] into) throws IOException {
      return source.readAt(position, into);
    }

    @Override
    public void close() {
      source.close();
      throw new IllegalStateException("cannot be closed");
    }
  }

  @Test
  void aSourceThatCannotBeClosedKeepsNothingElseOpen() throws IOException {
    TestSource[] sources = {new TestSource(2000), new TestSource(2000), new TestSource(2000)};
    BlockFiles several = BlockFiles.builder().capacityBytes(1 << 20).blockBytes(1024).build();
    for (TestSource source : sources) {
      several.open(FileKey.unique(), new Unclosable(source)).cursor().readByte(0);
    }
    assertThatThrownBy(several::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot be closed");
    for (TestSource source : sources) {
      assertThat(source.closes).hasValue(1);
    }
    assertThat(several.pool().outstanding()).isZero();
  }
}
