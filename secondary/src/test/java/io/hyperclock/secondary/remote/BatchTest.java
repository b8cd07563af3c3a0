/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.internal.tier.TierCounters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever executors, stores and codecs throw, a batch ends, and gives its room back once. */
class BatchTest {
  private final RequestWindow line = new RequestWindow("batch", 4, 1 << 20, RemoteTiers.PATIENT);
  private final TierCounters counters = new TierCounters();
  private final Batch<byte[]> batch = new Batch<>(counters, line);
  private final CompletableFuture<TierResult<byte[]>> future =
      batch.add(TierRequest.of(RemoteTiers.HI, 1, TestValues.BYTES), 0);
  private final AtomicInteger released = new AtomicInteger();

  /** What would run soon runs at once on a line that is closed. */
  @BeforeEach
  void closeLine() {
    line.close(Duration.ofSeconds(20), () -> {}, Thread::new);
  }

  private void answer(List<byte[]> values, Executor executor) {
    batch.answered(values, new Throwing(), executor, released::incrementAndGet);
  }

  private void assertEnded(TierOutcome outcome) {
    assertThat(future).isCompletedWithValue(TierResult.miss(outcome));
    assertThat(released).hasValue(1);
  }

  @Test
  void listThatThrowsIsNoRejection() {
    List<byte[]> values =
        new AbstractList<>() {
          @Override
          public byte[] get(int index) {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public int size() {
            return 1;
          }
        };
    answer(values, Runnable::run);
    assertEnded(TierOutcome.UNAVAILABLE);
  }

  @Test
  void valueThatFindsNoMemoryIsNoRejection() {
    answer(List.of(new byte[1]), Runnable::run);
    assertEnded(TierOutcome.UNAVAILABLE);
  }

  @Test
  void executorMayRejectWhatItRan() {
    answer(
        List.of(new byte[1]),
        task -> {
          task.run();
          throw new RejectedExecutionException("on purpose");
        });
    assertEnded(TierOutcome.UNAVAILABLE);
  }

  /** As a pool does that takes a task and then finds no thread. */
  @Test
  void executorMayRunWhatItRejected() {
    List<Runnable> tasks = new ArrayList<>();
    answer(
        List.of(new byte[1]),
        task -> {
          tasks.add(task);
          throw new OutOfMemoryError("on purpose");
        });
    assertEnded(TierOutcome.UNAVAILABLE);
    tasks.forEach(Runnable::run);
    assertEnded(TierOutcome.UNAVAILABLE);
  }

  /** Who closes does not wait for who has begun to end a lookup, and is held up. */
  @Test
  void closeEndsWhatAnotherThreadIsAboutToEnd() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    Thread tester = Thread.currentThread();
    RequestWindow open = new RequestWindow("batch", 4, 1 << 20, RemoteTiers.PATIENT);
    Batch<byte[]> two = new Batch<>(new TierCounters(), open);
    CompletableFuture<TierResult<byte[]>> first =
        two.add(TierRequest.of(RemoteTiers.HI, 1, TestValues.BYTES), 0);
    CompletableFuture<TierResult<byte[]>> second =
        two.add(TierRequest.of(RemoteTiers.HI, 2, TestValues.BYTES), 0);
    two.begin();
    first.thenRun(
        () -> {
          if (Thread.currentThread() != tester) {
            awaitLatch(leave);
          }
        });
    open.close(Duration.ofMillis(200), () -> {}, Thread::new);
    assertThat(first).isCompletedWithValue(TierResult.miss(TierOutcome.CLOSED));
    assertThat(second).isCompletedWithValue(TierResult.miss(TierOutcome.CLOSED));
    leave.countDown();
  }

  /** Of two ends the first one counts, and nothing is decoded for a lookup that has ended. */
  @Test
  void whatHasEndedStaysAsItIs() {
    batch.endAll(TierOutcome.TIMED_OUT);
    batch.run();
    Counting reader = new Counting();
    batch.answered(List.of(new byte[1]), reader, Runnable::run, released::incrementAndGet);
    assertThat(reader.roomsGivenBack).isEmpty();
    assertEnded(TierOutcome.TIMED_OUT);
    TierStats stats = counters.toStats(1, 0, 0);
    assertThat(stats.count(TierOutcome.TIMED_OUT)).isEqualTo(1);
    for (TierOutcome other : TierOutcome.values()) {
      assertThat(other == TierOutcome.TIMED_OUT ? 0 : stats.count(other)).as("%s", other).isZero();
    }
  }

  @Test
  void whatACloseEndsIsCounted() {
    batch.begin(); // On a line that is closed.
    assertThat(future).isCompletedWithValue(TierResult.miss(TierOutcome.CLOSED));
    assertThat(counters.toStats(1, 0, 0).count(TierOutcome.CLOSED)).isEqualTo(1);
  }

  @Test
  void roomIsGivenBackWhenTheLastIsDecoded() {
    batch.add(TierRequest.of(RemoteTiers.HI, 2, TestValues.BYTES), 0);
    Counting reader = new Counting();
    List<byte[]> values = List.of(new byte[1], new byte[1]);
    batch.answered(values, reader, Runnable::run, released::incrementAndGet);
    assertThat(reader.roomsGivenBack).containsExactly(0, 0);
    assertEnded(TierOutcome.CORRUPT);
  }

  /** Says how often room had been given back when it was asked. */
  private final class Counting implements Batch.Reader {
    private final List<Integer> roomsGivenBack = new ArrayList<>();

    @Override
    public <V> TierResult<V> read(TierRequest<V> request, long required, byte[] value) {
      roomsGivenBack.add(released.get());
      return TierResult.miss(TierOutcome.CORRUPT);
    }
  }

  @Test
  void aFailureThatTheExecutorRejectsEndsItToo() {
    batch.failed(
        TierOutcome.TIMED_OUT,
        task -> {
          throw new RejectedExecutionException("on purpose");
        });
    assertThat(future).isCompletedWithValue(TierResult.miss(TierOutcome.UNAVAILABLE));
  }

  /** Not even until the time limit that it had: there are many lookups meanwhile. */
  @Test
  void aBatchThatHasEndedIsNotHeld() {
    RequestWindow patient = new RequestWindow("batch", 4, 1 << 20, Duration.ofHours(1));
    WeakReference<?> ended = new WeakReference<>(ended(patient));
    TierTestLimits.eventually(
        () -> {
          System.gc();
          return ended.get() == null;
        });
    patient.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }

  private static Batch<byte[]> ended(RequestWindow on) {
    Batch<byte[]> one = new Batch<>(new TierCounters(), on);
    one.add(TierRequest.of(RemoteTiers.HI, 1, TestValues.BYTES), 0);
    one.begin();
    one.endAll(TierOutcome.ABSENT);
    return one;
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Throwing implements Batch.Reader {
    @Override
    public <V> TierResult<V> read(TierRequest<V> request, long required, byte[] value) {
      throw new OutOfMemoryError("on purpose");
    }
  }
}
