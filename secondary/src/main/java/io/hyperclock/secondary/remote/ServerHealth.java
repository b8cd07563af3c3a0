/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import io.hyperclock.secondary.TierState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Whether the server answers, and whether it takes values. While it does not, a probe goes out from
 * time to time, so that no lookup has to wait to find out that it is back.
 */
final class ServerHealth {
  private static final long PROBE_TTL_MILLIS = 1_000;

  private final RequestWindow line;
  private final RemoteStore store;
  private final StateLog stateLog;
  private final byte[] probeKey;
  private final Duration probeInterval;
  private volatile Runnable onRecovery = () -> {};
  private final Breaker answers;
  private final Breaker takesValues;
  private final AtomicBoolean probing = new AtomicBoolean();
  private final CountDownLatch asked = new CountDownLatch(1);

  ServerHealth(
      RequestWindow line,
      RemoteStore store,
      StateLog stateLog,
      byte[] probeKey,
      int threshold,
      Duration probeInterval) {
    this.line = line;
    this.store = store;
    this.stateLog = stateLog;
    this.probeKey = probeKey;
    this.probeInterval = probeInterval;
    this.answers = new Breaker("server must answer", threshold);
    this.takesValues = new Breaker("server must take values", threshold);
  }

  boolean isReachable() {
    boolean reachable = !answers.isOpen();
    if (!reachable) {
      line.makeThread(); // The next probe may wait for one.
    }
    return reachable;
  }

  boolean takesValues() {
    return !takesValues.isOpen();
  }

  TierState state() {
    TierState unreachable = answers.state(TierState.Mode.BYPASS);
    if (unreachable != null) {
      return unreachable;
    }
    TierState full = takesValues.state(TierState.Mode.READ_ONLY);
    return full == null ? TierState.OPEN : full;
  }

  /**
   * Asks the server, and waits for its answer or the time limit; without one it is unreachable.
   * {@code recovery} runs each time that it answers again.
   */
  void begin(Runnable recovery) {
    onRecovery = recovery;
    probing.set(true);
    answers.open(new TierState.Cause("NOT_YET_ASKED", "the server has not been asked yet"));
    probe();
    try {
      // The window ends the question in time, unless there is no thread to do so.
      if (!asked.await(2 * line.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        stateLog.note(this::state);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A read has ended. */
  void answered(@Nullable Throwable failure) {
    if (failure == null) {
      answers.succeeded();
    } else if (answers.failed(why(failure))) {
      startProbing();
      stateLog.note(this::state);
    }
  }

  /** A write or removal has ended. A server that refuses values may still remove. */
  void written(@Nullable Throwable failure, boolean removes) {
    boolean refused =
        failure instanceof RemoteStore.Failure e && e.kind() == RemoteStore.Failure.Kind.REFUSED;
    answered(refused ? null : failure);
    if (failure == null && !removes) {
      takesValues.succeeded();
    }
    if (refused && takesValues.failed(why(failure))) {
      startProbing();
      stateLog.note(this::state);
    }
  }

  private static TierState.Cause why(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof RemoteStore.Failure e) {
      TierState.Cause known = e.why();
      return known == null ? Causes.of(e.kind().name(), message) : known;
    }
    return Causes.of(
        failure instanceof TimeoutException ? "TIMED_OUT" : failure.getClass().getSimpleName(),
        message);
  }

  private void startProbing() {
    if (probing.compareAndSet(false, true)) {
      line.after(probeInterval, this::probe);
    }
  }

  private void probe() {
    line.<List<byte @Nullable []>>send(
        () -> store.mget(List.of(probeKey)),
        (any, failure) -> {
          if (failure != null) {
            answers.failed(why(failure));
            stateLog.note(this::state);
            line.after(probeInterval, this::probe);
          } else if (takesValues.isOpen()) {
            answers.close();
            stateLog.note(this::state);
            probeWrites();
          } else {
            recovered();
          }
          asked.countDown();
        });
  }

  private void probeWrites() {
    line.<Object>send(
        () -> store.psetex(probeKey, PROBE_TTL_MILLIS, new byte[1]),
        (any, failure) -> {
          if (failure != null) {
            line.after(probeInterval, this::probe);
          } else {
            takesValues.close();
            recovered();
          }
        });
  }

  private void recovered() {
    answers.close();
    probing.set(false);
    onRecovery.run();
    if (answers.isOpen() || takesValues.isOpen()) {
      startProbing();
    }
    stateLog.note(this::state);
  }
}
