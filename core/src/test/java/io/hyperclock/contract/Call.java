/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static io.hyperclock.TestLimits.WAIT_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A call on a thread of its own. */
final class Call<T> {

  private final FutureTask<T> task;
  final Thread thread;

  private Call(Callable<T> work) {
    task = new FutureTask<>(work);
    thread = new Thread(null, task, "call", 1 << 17);
    thread.setDaemon(true);
  }

  static <T> Call<T> start(Callable<T> work) {
    Call<T> call = new Call<>(work);
    call.thread.start();
    return call;
  }

  /** Starts a call and returns when it is parked, waiting for a load of another caller. */
  static <T> Call<T> startWaiting(Callable<T> work) {
    Call<T> call = start(work);
    call.awaitParked();
    return call;
  }

  void awaitParked() {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!waitsForLoad()) {
      assertThat(System.nanoTime()).as("still not waiting").isLessThan(limit);
      assertThat(task.isDone()).as("done without waiting").isFalse();
      Thread.onSpinWait();
    }
  }

  private boolean waitsForLoad() {
    Object blocker = LockSupport.getBlocker(thread);
    return blocker != null && blocker.getClass().getSimpleName().equals("ThreadWaiter");
  }

  T result() throws Exception {
    return task.get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  Throwable failure() throws Exception {
    try {
      T result = result();
      throw new AssertionError("no failure but result=" + result);
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }
}
