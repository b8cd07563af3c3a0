/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockLoadException;
import io.hyperclock.entry.Key128;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers who give up while a load hangs: they do not pile up, and the others are served. */
@Tag("loading")
@Timeout(TEST_SECONDS)
class GaveUpTest {
  private static final int TIMES = 10_000;

  /** For as few who wait as here. */
  private static final int FEW = 20;

  private final FlightMap map = new FlightMap();
  private final InFlightLoads<String> flights = new InFlightLoads<>(map);
  private final Loader<String> loads = new Loader<>(flights);
  private final AsyncLoader<String> async = new AsyncLoader<>(loads);
  private final TestForm form = new TestForm();
  private final CompletableFuture<String> stage = new CompletableFuture<>();

  private CompletableFuture<String> load() {
    return async.load(form.request(1), (hi, lo) -> stage);
  }

  private String loadOnThisThread() {
    return loads.load(
        form.request(1),
        (hi, lo) -> {
          throw new AssertionError("must not be called");
        });
  }

  private FutureTask<String> loadOnAThread() {
    FutureTask<String> task = new FutureTask<>(this::loadOnThisThread);
    Thread thread = new Thread(task, "waiting load");
    thread.setDaemon(true);
    thread.start();
    while (!(LockSupport.getBlocker(thread) instanceof ThreadWaiter)) {
      Thread.onSpinWait();
    }
    return task;
  }

  private int linked() {
    return CountedWaiter.linked(map.get(new Key128(1, 1)));
  }

  private void assertServed(List<CompletableFuture<String>> waiting, int guests) {
    stage.complete("text");
    assertThat(waiting).allSatisfy(future -> assertThat(future).isCompletedWithValue("text"));
    assertThat(loads.stats().waiters()).as("guests who were served").isEqualTo(guests);
    assertThat(form.discarded).as("results that nobody took").isEmpty();
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void cancelledFutures() {
    List<CompletableFuture<String>> waiting = new ArrayList<>(List.of(load()));
    for (int i = 0; i < TIMES; i++) {
      if (i % (TIMES / 4) == 1) {
        waiting.add(load());
      }
      assertThat(load().cancel(true)).isTrue();
      assertThat(linked()).isLessThan(FEW);
    }
    assertServed(waiting, 4);
  }

  @Test
  void theFutureOfTheLoadItself() {
    load().cancel(true);
    for (int i = 0; i < TIMES; i++) {
      load().completeExceptionally(new IllegalStateException("too late"));
    }
    assertThat(linked()).isLessThan(FEW);
    stage.complete("text");
    assertThat(form.discarded).as("that of the load").containsExactly("text");
    assertThat(loads.stats().waiters()).isZero();
  }

  /** Each gives up when the next one waits already, so that none on top is ever done. */
  @Test
  void callersWhoTakeTurns() {
    List<CompletableFuture<String>> waiting = new ArrayList<>(List.of(load()));
    CompletableFuture<String> last = load();
    for (int i = 0; i < TIMES; i++) {
      CompletableFuture<String> next = load();
      assertThat(last.cancel(true)).isTrue();
      last = next;
      assertThat(linked()).isLessThan(FEW);
    }
    waiting.add(last);
    assertServed(waiting, 1);
  }

  @Test
  void interruptedThreads() throws Exception {
    List<CompletableFuture<String>> waiting = new ArrayList<>(List.of(load()));
    List<FutureTask<String>> threads = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      if (i % (TIMES / 2) == 1) {
        threads.add(loadOnAThread());
        waiting.add(load());
      }
      Thread.currentThread().interrupt();
      assertThatThrownBy(this::loadOnThisThread).isInstanceOf(BlockLoadException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(linked()).isLessThan(FEW);
    }
    assertServed(waiting, 4);
    for (FutureTask<String> thread : threads) {
      assertThat(thread.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("text");
    }
  }

  /** Within a loader, they cannot tell whether the stage waits for them. */
  @Test
  void threadsWhoMustNotWaitForAStage() {
    List<CompletableFuture<String>> waiting = new ArrayList<>(List.of(load()));
    String outer =
        loads.load(
            form.request(2),
            (hi, lo) -> {
              for (int i = 0; i < TIMES; i++) {
                loads.load(form.request(1), (h, l) -> "own");
              }
              return "outer";
            });
    assertThat(outer).isEqualTo("outer");
    assertThat(linked()).isLessThan(FEW);
    assertServed(waiting, 0);
  }

  @Test
  void amongManyWhoWaitNoneIsForgotten() {
    List<CompletableFuture<String>> waiting = new ArrayList<>(List.of(load()));
    for (int i = 0; i < TIMES; i++) {
      waiting.add(load());
      for (int j = i % 4; j > 0; j--) {
        load().cancel(true);
      }
    }
    assertThat(linked()).isBetween(TIMES, 2 * TIMES + FEW);
    assertServed(waiting, TIMES);
  }
}
