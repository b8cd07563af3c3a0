/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which failures make a server unreachable or read only, and what is said of them. */
class ServerHealthTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final TierState.Cause LOADING = new TierState.Cause("REFUSED", "LOADING");

  private final ScriptedStore store = new ScriptedStore();
  private final RequestWindow line = new RequestWindow("line", 4, 1 << 20, RemoteTiers.PATIENT);
  private final AtomicInteger recoveries = new AtomicInteger();

  @AfterEach
  void close() {
    line.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }

  private ServerHealth health(int threshold, Duration probeInterval) {
    StateLog log = new StateLog("tier", System.getLogger("health"), line);
    return new ServerHealth(line, store, log, new byte[1], threshold, probeInterval);
  }

  private ServerHealth begun(int threshold, Duration probeInterval) {
    ServerHealth health = health(threshold, probeInterval);
    health.begin(recoveries::incrementAndGet);
    assertThat(health.state()).isEqualTo(TierState.OPEN);
    return health;
  }

  private TierState.@Nullable Cause causeAfter(Throwable failure) {
    ServerHealth health = begun(1, NEVER);
    health.answered(failure);
    assertThat(health.state().mode()).isEqualTo(Mode.BYPASS);
    return health.state().cause();
  }

  @Test
  void failuresAreNamed() {
    assertThat(causeAfter(new TimeoutException("late")))
        .isEqualTo(new TierState.Cause("TIMED_OUT", "late"));
    assertThat(causeAfter(new IllegalStateException()))
        .isEqualTo(new TierState.Cause("IllegalStateException", "null"));
    assertThat(causeAfter(ScriptedStore.notSent()))
        .isEqualTo(new TierState.Cause("NOT_SENT", "not connected"));
    assertThat(causeAfter(new RemoteStore.Failure(RemoteStore.Failure.Kind.NOT_SENT, LOADING)))
        .isEqualTo(LOADING);
  }

  @Test
  void valuesThatAreRefusedInARowMakeItReadOnly() {
    ServerHealth health = begun(3, NEVER);
    for (int round = 0; round < 3; round++) {
      health.written(ScriptedStore.refused(), false);
      health.written(ScriptedStore.refused(), false);
      assertThat(health.takesValues()).isTrue();
      health.written(null, false);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(health.takesValues()).isTrue();
      health.written(ScriptedStore.refused(), false);
      health.written(null, true); // A full server removes.
    }
    assertThat(health.takesValues()).isFalse();
    assertThat(health.isReachable()).isTrue();
    assertThat(health.state())
        .isEqualTo(
            new TierState(
                Mode.READ_ONLY,
                "server must take values: failures=3, last=REFUSED: OOM",
                new TierState.Cause("REFUSED", "OOM")));
  }

  @Test
  void aRefusalIsAnAnswer() {
    ServerHealth health = begun(3, NEVER);
    for (int round = 0; round < 3; round++) {
      health.answered(ScriptedStore.notSent());
      health.written(ScriptedStore.notSent(), round % 2 == 0);
      health.written(ScriptedStore.refused(), true);
      health.written(null, false);
    }
    assertThat(health.state()).isEqualTo(TierState.OPEN);
  }

  @Test
  void aServerThatTookNoValuesAndThenIsGoneIsBypassed() {
    ServerHealth health = begun(1, NEVER);
    health.written(ScriptedStore.refused(), false);
    assertThat(health.state().mode()).isEqualTo(Mode.READ_ONLY);
    health.answered(ScriptedStore.notSent());
    assertThat(health.state().mode()).isEqualTo(Mode.BYPASS);
    assertThat(health.isReachable()).isFalse();
  }

  /** Nobody need look for it: what is owed is removed without a caller. */
  @Test
  void itIsToldEachTimeThatTheServerAnswersAgain() {
    ServerHealth health = begun(1, Duration.ofMillis(1));
    assertThat(recoveries).hasValue(1);
    health.answered(ScriptedStore.notSent());
    TierTestLimits.eventually(() -> recoveries.get() == 2);
    health.written(ScriptedStore.refused(), false);
    TierTestLimits.eventually(() -> recoveries.get() == 3);
    TierTestLimits.eventually(() -> health.state().equals(TierState.OPEN));
    assertThat(health.isReachable()).isTrue();
    assertThat(health.takesValues()).isTrue();
  }

  /** And stays so while only its reads are answered. */
  @Test
  void aServerThatTakesNoValuesIsAskedUntilItDoes() {
    store.onWrite = () -> CompletableFuture.failedFuture(ScriptedStore.refused());
    ServerHealth health = begun(1, Duration.ofMillis(1));
    int asked = store.reads.get();
    health.written(ScriptedStore.refused(), false);
    TierTestLimits.eventually(() -> store.reads.get() > asked + 3);
    assertThat(health.state().mode()).isEqualTo(Mode.READ_ONLY);
    store.onWrite = () -> CompletableFuture.completedFuture("OK");
    TierTestLimits.eventually(() -> health.state().equals(TierState.OPEN));
  }

  @Test
  void theBeginWaitsForTheFirstAnswer() {
    CompletableFuture<List<byte @Nullable []>> answer = new CompletableFuture<>();
    store.onRead = () -> answer;
    Thread beginning = Thread.currentThread();
    CompletableFuture<Void> answering =
        CompletableFuture.runAsync(
            () -> {
              while (!answer.isDone() && beginning.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
              }
              answer.complete(List.of());
            });
    try {
      begun(1, NEVER);
    } finally {
      answer.complete(List.of());
      answering.join();
    }
  }

  @Test
  void whoIsInterruptedWaitsForNoAnswer() {
    store.onRead = CompletableFuture::new;
    ServerHealth health = health(1, NEVER);
    Thread.currentThread().interrupt();
    health.begin(recoveries::incrementAndGet);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(health.state().mode()).isEqualTo(Mode.BYPASS);
    assertThat(recoveries).hasValue(0);
  }
}
