/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.ThreadShortage;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of commands when no thread can be made for their time limits. */
class NoThreadsTest {
  private static final Duration SHORT = Duration.ofMillis(500);

  private final ScriptedStore store = new ScriptedStore();
  private ThreadShortage shortage;
  private RemoteSecondaryCache tier;

  @BeforeEach
  void open() {
    shortage = ThreadShortage.open();
  }

  @AfterEach
  void close() {
    shortage.close();
    if (tier != null) {
      tier.close();
    }
  }

  private RemoteSecondaryCacheBuilder builder() {
    return RemoteTiers.builder(store).executor(Runnable::run).maxInFlightCommands(2);
  }

  private void beginShortage() {
    shortage.begin(Thread.currentThread().getName());
  }

  private void buildWithoutThreads(RemoteSecondaryCacheBuilder builder) throws Exception {
    beginShortage();
    tier = call(builder::build);
  }

  /** What a call gives that must not throw; the test framework ends at such an error. */
  private static <V> V call(Callable<V> call) throws Exception {
    try {
      return call.call();
    } catch (OutOfMemoryError e) {
      throw new AssertionError("must not be thrown", e);
    }
  }

  private CompletableFuture<TierResult<byte[]>> start(long key) throws Exception {
    return call(() -> RemoteTiers.start(tier, key));
  }

  private TierOutcome outcome(long key) throws Exception {
    return start(key).get(TierTestLimits.SECONDS, SECONDS).outcome();
  }

  private void assertNothingUnderWay() {
    assertThat(tier.remoteStats().commandsInFlight()).isZero();
    assertThat(tier.remoteStats().bytesInFlight()).isZero();
  }

  /** One thread is there from the start, a second cannot be made. */
  @Test
  void roomIsGivenBack() throws Exception {
    tier = builder().build();
    beginShortage();
    for (int key = 0; key < 4; key++) {
      assertThat(outcome(key)).isEqualTo(TierOutcome.ABSENT);
    }
    assertNothingUnderWay();
  }

  @Test
  void whatIsAnsweredNeedsNone() throws Exception {
    buildWithoutThreads(builder());
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
    for (int key = 0; key < 4; key++) {
      long each = key;
      assertThat(call(() -> RemoteTiers.insert(tier, each, value(each, 1, 100)))).isTrue();
      assertThat(outcome(key)).isEqualTo(TierOutcome.ABSENT);
    }
    assertNothingUnderWay();
  }

  @Test
  void whatIsNotAnsweredEndsWhenThereAreSome() throws Exception {
    buildWithoutThreads(builder().timeout(SHORT));
    store.onRead = CompletableFuture::new;
    CompletableFuture<TierResult<byte[]>> first = start(1);
    shortage.end();
    assertThat(outcome(2)).isEqualTo(TierOutcome.TIMED_OUT);
    assertThat(first.get(TierTestLimits.SECONDS, SECONDS).outcome())
        .isEqualTo(TierOutcome.TIMED_OUT);
    await().atMost(TierTestLimits.SECONDS, SECONDS).untilAsserted(this::assertNothingUnderWay);
  }

  @Test
  void serverIsAskedAgainWhenThereAreSome() throws Exception {
    store.onRead = () -> CompletableFuture.failedFuture(ScriptedStore.notSent());
    buildWithoutThreads(builder());
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
    store.onRead = null;
    shortage.end();
    assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> tier.state().equals(TierState.OPEN));
  }

  @Test
  void executorThatRefusesIsAMiss() throws Exception {
    buildWithoutThreads(
        builder()
            .executor(
                task -> {
                  throw new RejectedExecutionException("on purpose");
                }));
    assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
    assertNothingUnderWay();
  }

  @Test
  void buildEndsThoughTheServerNeverAnswers() throws Exception {
    store.onRead = CompletableFuture::new;
    long begin = System.nanoTime();
    buildWithoutThreads(builder().timeout(SHORT));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(60));
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    store.onRead = null;
    shortage.end();
    assertThat(outcome(1)).isEqualTo(TierOutcome.UNAVAILABLE);
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> tier.state().equals(TierState.OPEN));
  }

  @Test
  void closeClosesTheStore() throws Exception {
    tier = builder().build();
    beginShortage();
    call(
        () -> {
          tier.close();
          return null;
        });
    assertThat(store.closes).hasValue(1);
  }

  /** A task that found no thread can be called off, so that such tasks do not fill memory. */
  @Test
  void taskThatWaitsForOneCanBeCalledOff() throws Exception {
    RequestWindow line = new RequestWindow("line", 1, 1, RemoteTiers.PATIENT);
    AtomicInteger calledOff = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    beginShortage();
    Future<?> task = call(() -> line.after(Duration.ZERO, calledOff::incrementAndGet));
    assertThat(task).isNotNull();
    task.cancel(false);
    call(() -> line.after(Duration.ZERO, ran::incrementAndGet));
    shortage.end();
    line.makeThread();
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .untilAsserted(() -> assertThat(ran).hasValue(1));
    assertThat(calledOff).hasValue(0);
    line.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }
}
