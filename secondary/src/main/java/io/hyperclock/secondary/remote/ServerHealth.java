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
  private static final TierState.Cause UNKNOWN =
      new TierState.Cause("UNKNOWN", "the failure cannot be shown");

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
    return isClosed(answers);
  }

  boolean takesValues() {
    return isClosed(takesValues);
  }

  private boolean isClosed(Breaker breaker) {
    if (breaker.isOpen()) {
      line.makeThread(); // The next probe may wait for one,
      startProbing(); // or may have found no memory.
      return false;
    }
    return true;
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
        note();
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
      note();
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
    if (failure != null && refused && takesValues.failed(why(failure))) {
      startProbing();
      note();
    }
  }

  /** Throws nothing, though a failure of a foreign class may. */
  private static TierState.Cause why(Throwable failure) {
    try {
      String message = String.valueOf(failure.getMessage());
      if (failure instanceof RemoteStore.Failure e) {
        TierState.Cause known = e.why();
        return known == null ? Causes.of(e.kind().name(), message) : known;
      }
      return Causes.of(
          failure instanceof TimeoutException ? "TIMED_OUT" : failure.getClass().getSimpleName(),
          message);
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }

  /** Writes a change into the log; not what fails because the tier is closed. */
  private void note() {
    if (!line.isClosed()) {
      stateLog.note(this::state);
    }
  }

  private void startProbing() {
    if (!probing.get() && probing.compareAndSet(false, true)) {
      probeLater();
    }
  }

  /** Without memory for it the next caller that finds the server unreachable tries again. */
  private void probeLater() {
    try {
      if (line.after(probeInterval, this::probe) != null) {
        return;
      }
    } catch (OutOfMemoryError e) {
      // As if it had not been taken.
    }
    probing.set(false);
  }

  /** Whatever is thrown, another probe follows. */
  private void probe() {
    try {
      line.<List<byte @Nullable []>>send(
          () -> store.mget(List.of(probeKey)), (any, failure) -> probed(failure));
    } catch (Throwable e) {
      probeLater();
    }
  }

  private void probed(@Nullable Throwable failure) {
    try {
      if (failure != null) {
        answers.failed(why(failure));
        note();
        probeLater();
      } else if (takesValues.isOpen()) {
        answers.close();
        note();
        probeWrites();
      } else {
        recovered();
      }
    } catch (Throwable e) {
      probeLater();
    } finally {
      asked.countDown();
    }
  }

  private void probeWrites() {
    line.<Object>send(
        () -> store.psetex(probeKey, PROBE_TTL_MILLIS, new byte[1]),
        (any, failure) -> probedWrites(failure));
  }

  private void probedWrites(@Nullable Throwable failure) {
    try {
      if (failure != null) {
        probeLater();
      } else {
        takesValues.close();
        recovered();
      }
    } catch (Throwable e) {
      probeLater();
    }
  }

  private void recovered() {
    answers.close();
    probing.set(false);
    onRecovery.run();
    if (answers.isOpen() || takesValues.isOpen()) {
      startProbing();
    }
    note();
  }
}
