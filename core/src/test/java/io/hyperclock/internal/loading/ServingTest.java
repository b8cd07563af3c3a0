/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import static io.hyperclock.TestLimits.TEST_SECONDS;
import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.hyperclock.BlockLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Foreign code that a thread meets while it serves those who waited for its load. */
@Tag("loading")
@Timeout(value = TEST_SECONDS, threadMode = SEPARATE_THREAD)
class ServingTest {
  private final InFlightLoads<String> flights = new InFlightLoads<>();
  private final Loader<String> loads = new Loader<>(flights);

  private String load(long lo, TestForm form, BlockLoader<String> loader) {
    return loads.load(form.request(lo), loader);
  }

  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "load");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static <T> FutureTask<T> startWaiting(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "waiting load");
    thread.setDaemon(true);
    thread.start();
    while (!(LockSupport.getBlocker(thread) instanceof ThreadWaiter)) {
      Thread.onSpinWait();
    }
    return task;
  }

  @Test
  void whoIsNotServedYetIsNotWaitedFor() throws Exception {
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    FutureTask<String> first =
        start(
            () ->
                load(
                    1,
                    new TestForm(),
                    (hi, lo) -> {
                      loading.countDown();
                      go.await();
                      return "one";
                    }));
    loading.await();
    FutureTask<String> second =
        startWaiting(
            () ->
                load(
                    2,
                    new TestForm(),
                    (hi, lo) -> "two with " + load(1, new TestForm(), (h, l) -> "own")));
    // The last to join is the first to be served: by code that wants the second load.
    TestForm foreign = new TestForm();
    foreign.sharing = value -> value + " after " + load(2, new TestForm(), (h, l) -> "foreign");
    FutureTask<String> third = startWaiting(() -> load(1, foreign, (hi, lo) -> "own"));
    go.countDown();
    assertThat(first.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("one");
    assertThat(second.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("two with one");
    assertThat(third.get(WAIT_SECONDS, TimeUnit.SECONDS)).isEqualTo("one after foreign");
    assertThat(flights.underWay()).isZero();
  }

  @Test
  void servingIsNoLoading() {
    LoadTask outer = new LoadTask(true, "outer");
    LoadTask task = new LoadTask(true, "task");
    outer.enter();
    LoadTask nested = task.startServing();
    assertThat(LoadTask.isInsideAny()).isTrue();
    assertThat(outer.isInside() || task.isInside()).isFalse();
    assertThat(LoadTask.isInside("outer")).isFalse();
    assertThat(outer.startWaiting()).as("waiting for what is below on the stack").isFalse();
    assertThat(task.startWaiting()).as("waiting for those who are not served yet").isFalse();
    task.stopServing(nested);
    assertThat(outer.isInside() && LoadTask.isInside("outer")).isTrue();
    outer.exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }

  @Test
  void taskThatServesInTheMiddleOfItselfStaysInTheGraph() {
    LoadTask batch = new LoadTask(true, null);
    LoadTask claimed = new LoadTask(true, null);
    batch.enter();
    claimed.enter();
    batch.stopServing(batch.startServing());
    assertThat(batch.isInside() && claimed.isInside()).isTrue();
    assertThat(batch.startWaiting()).as("the innermost task is nested in the batch").isFalse();
    claimed.exit();
    batch.exit();
    assertThat(LoadTask.isInsideAny()).isFalse();
  }
}
