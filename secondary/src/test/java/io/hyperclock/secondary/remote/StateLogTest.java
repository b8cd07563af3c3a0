/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loggers that block or fail. */
class StateLogTest {
  private final ScriptedStore store = new ScriptedStore();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch leave = new CountDownLatch(1);
  private RemoteSecondaryCache tier;

  /** Keeps each line, and does something before it returns. */
  private final class Keeping implements System.Logger {
    private final Runnable then;

    Keeping(Runnable then) {
      this.then = then;
    }

    @Override
    public String getName() {
      return "keeping";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      log(level, bundle, message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... params) {
      lines.add(level + " " + format);
      entered.countDown();
      then.run();
    }
  }

  @AfterEach
  void close() {
    leave.countDown();
    if (tier != null) {
      tier.close();
    }
  }

  private void open(Runnable then) {
    tier =
        RemoteTiers.builder(store)
            .failuresToOpen(1)
            .timeout(Duration.ofSeconds(2))
            .logger(new Keeping(then))
            .build();
  }

  private void failARead() {
    store.onRead = () -> CompletableFuture.failedFuture(ScriptedStore.notSent());
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    store.onRead = null;
  }

  private void awaitOpen() {
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () ->
                tier.remoteStats().commandsInFlight() == 0 && tier.state().equals(TierState.OPEN));
  }

  private void awaitLastLine(String words) {
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> !lines.isEmpty() && lines.get(lines.size() - 1).contains(words));
  }

  private void block() {
    try {
      leave.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For more than the time in which a second line would be due. */
  @Test
  void loggerThatBlocksHoldsUpNeitherTimeLimitsNorProbes() throws Exception {
    open(this::block);
    failARead();
    assertThat(entered.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < 2 * StateLog.INTERVAL.toNanos()) {
      awaitOpen();
      store.onRead = CompletableFuture::new;
      CompletableFuture<TierResult<byte[]>> unanswered = RemoteTiers.start(tier, 1);
      store.onRead = null;
      int asked = store.reads.get();
      assertThat(unanswered.get(TierTestLimits.SECONDS, SECONDS).outcome())
          .isEqualTo(TierOutcome.TIMED_OUT);
      // By the probe that follows when the failure is counted, which may be a moment later.
      TierTestLimits.eventually(() -> store.reads.get() > asked);
    }
    awaitOpen();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).startsWith("WARNING").contains("state=" + Mode.BYPASS);
    leave.countDown();
    awaitLastLine("state=" + Mode.OPEN + ", changes left out=");
    assertThat(lines).hasSize(2);
  }

  /** There is no memory for the task that would log a change later. */
  @Test
  void aChangeThatCannotWaitIsNotTheLast() {
    AtomicBoolean fails = new AtomicBoolean(true);
    RequestWindow threads = new RequestWindow("line", 1, 1, RemoteTiers.PATIENT);
    StateLog.Line line =
        new StateLog.Line() {
          @Override
          public @Nullable Future<?> after(Duration delay, Runnable task) {
            if (fails.getAndSet(false)) {
              throw new InternalError("on purpose");
            }
            return threads.after(delay, task);
          }

          @Override
          public void soon(Runnable task) {
            task.run();
          }
        };
    TierState down = new TierState(Mode.BYPASS, "down");
    StateLog log = null;
    while (fails.get()) { // A machine that stands still needs no task.
      log = new StateLog("any", new Keeping(() -> {}), line);
      log.note(() -> down);
      try {
        log.note(() -> TierState.OPEN);
      } catch (InternalError e) {
        assertThat(lines.get(lines.size() - 1)).contains("state=BYPASS");
      }
    }
    log.note(() -> TierState.OPEN);
    awaitLastLine("state=OPEN");
    assertThat(lines.get(lines.size() - 1)).doesNotContain("left out");
    threads.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }

  /** What is under way fails then, but the server is not to blame. */
  @Test
  void closeWithCommandsUnderWayIsNoFailureOfTheServer() {
    tier =
        RemoteTiers.builder(store)
            .name("closing")
            .failuresToOpen(1)
            .logger(new Keeping(() -> {}))
            .build();
    store.onRead = CompletableFuture::new;
    CompletableFuture<TierResult<byte[]>> unanswered = RemoteTiers.start(tier, 1);
    tier.close();
    assertThat(unanswered.join().outcome()).isEqualTo(TierOutcome.CLOSED);
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("closing-timer")));
    assertThat(lines).isEmpty();
  }

  @Test
  void loggerThatFailsIsAskedAgain() {
    open(
        () -> {
          throw new AssertionError("on purpose");
        });
    failARead();
    awaitOpen();
    awaitLastLine("state=" + Mode.OPEN);
  }
}
