/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.faults;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Other callers of the key that a scenario loads, who come while its loader runs. */
final class Guests {
  private static final long SECONDS = 60;
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "guest");
            thread.setDaemon(true);
            return thread;
          });

  private final CacheScenario scenario;
  private final List<Future<?>> waiting = new ArrayList<>();
  private CompletableFuture<?> async;

  /** The tasks of the asynchronous guest: one that has completed it may still hold its own pin. */
  private final Phaser tasks = new Phaser(1);

  Guests(CacheScenario scenario) {
    this.scenario = scenario;
  }

  /** Something that may throw. */
  interface Use {
    void use() throws Exception;
  }

  /** Runs something on another thread and reports it if it does not end. */
  static void inTime(String what, List<String> found, Use use) {
    Callable<Object> task =
        () -> {
          use.use();
          return null;
        };
    awaitDone(what, THREADS.submit(task), found);
  }

  /** The result of a future that must be completed, in whatever way. */
  static Object awaitDone(Future<?> future, List<String> found) {
    return awaitDone("a future", future, found);
  }

  private static Object awaitDone(String what, Future<?> future, List<String> found) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      found.add(what + " waits for ever");
    } catch (Exception e) {
      if (what.equals("another thread")) {
        found.add(what + " failed: " + e);
      }
    }
    return null;
  }

  /** Called by the loader of the scenario: two threads and a future come to wait. */
  void come() {
    if (!waiting.isEmpty()) {
      return;
    }
    AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(2);
    waiting.add(
        THREADS.submit(
            () -> {
              threads.set(0, Thread.currentThread());
              return scenario.cache.get(CacheScenario.HI, CacheScenario.ABSENT, texts());
            }));
    waiting.add(
        THREADS.submit(
            () -> {
              threads.set(1, Thread.currentThread());
              Handle<Object> handle =
                  scenario.cache.lookup(CacheScenario.HI, CacheScenario.ABSENT, buffers());
              if (handle != null) {
                handle.close();
              }
              return null;
            }));
    try {
      async =
          THREADS
              .submit(
                  () ->
                      scenario.cache.lookupAsync(
                          CacheScenario.HI, CacheScenario.ABSENT, this::execute, buffers()))
              .get(SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < threads.length(); i++) {
      while (!waiting.get(i).isDone() && !isParked(threads.get(i))) {
        Thread.onSpinWait();
      }
    }
  }

  private void execute(Runnable task) {
    tasks.register();
    try {
      THREADS.execute(
          () -> {
            try {
              task.run();
            } finally {
              tasks.arriveAndDeregister();
            }
          });
    } catch (RuntimeException | Error e) {
      tasks.arriveAndDeregister();
      throw e;
    }
  }

  private static boolean isParked(Thread thread) {
    return thread != null
        && (thread.getState() == Thread.State.WAITING
            || thread.getState() == Thread.State.TIMED_WAITING);
  }

  private BlockLoader<Object> texts() {
    return scenario.textLoader();
  }

  private BlockLoader<Object> buffers() {
    return scenario.bufferLoader();
  }

  /** Waits until all are served, or refused, and hold nothing more. */
  void finish(List<String> found) {
    for (Future<?> each : waiting) {
      awaitDone("a guest", each, found);
    }
    if (async != null && awaitDone("an asynchronous guest", async, found) instanceof Handle<?> h) {
      h.close();
    }
    int arrived = tasks.arrive();
    awaitDone("a task", THREADS.submit(() -> tasks.awaitAdvance(arrived)), found);
  }
}
