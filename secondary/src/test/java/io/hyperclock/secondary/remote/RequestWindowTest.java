/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.testing.TierTestLimits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads of a line that end when idle. */
class RequestWindowTest {
  private static final Duration IDLE = Duration.ofMillis(20);

  private final RequestWindow line =
      new RequestWindow("held", 4, 1 << 20, RemoteTiers.PATIENT, IDLE);
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch leave = new CountDownLatch(1);
  private final CountDownLatch ran = new CountDownLatch(1);

  @AfterEach
  void close() {
    leave.countDown();
    line.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }

  private void hold() {
    held.countDown();
    try {
      leave.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The other thread waits for longer than it does when idle. */
  @Test
  void whatIsDueLaterRunsThoughAThreadIsHeldUp() throws Exception {
    line.soon(this::hold);
    assertThat(held.await(60, SECONDS)).isTrue();
    line.after(IDLE.multipliedBy(20), ran::countDown);
    assertThat(ran.await(60, SECONDS)).isTrue();
  }

  /** When the task that holds it up is due there is one thread, the other one having ended. */
  @Test
  void whatIsDueLaterRunsThoughTheLastThreadIsHeldUp() throws Exception {
    line.after(IDLE.multipliedBy(10), this::hold);
    line.after(IDLE.multipliedBy(20), ran::countDown);
    assertThat(ran.await(60, SECONDS)).isTrue();
    assertThat(held.getCount()).isZero();
  }

  /** Not even until the time limit that it had: there are many commands meanwhile. */
  @Test
  void anAnswerIsNotHeldWhenItsCommandHasEnded() {
    RequestWindow patient = new RequestWindow("patient", 4, 1 << 20, Duration.ofHours(1));
    WeakReference<?> answered = new WeakReference<>(answered(patient));
    TierTestLimits.eventually(
        () -> {
          System.gc();
          return answered.get() == null;
        });
    patient.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }

  /** What was to be done with the answer. */
  private static BiConsumer<Object, Throwable> answered(RequestWindow on) {
    AtomicInteger answers = new AtomicInteger();
    BiConsumer<Object, Throwable> done = (answer, failure) -> answers.incrementAndGet();
    on.send(() -> CompletableFuture.completedFuture("answer"), done);
    assertThat(answers).hasValue(1);
    return done;
  }
}
