/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs one piece of work on several threads that start together. */
final class Crew {
  private static final long LIMIT_SECONDS = 120;

  /** Work of one thread. */
  @FunctionalInterface
  interface Work {
    void run(int thread) throws Exception;
  }

  private Crew() {}

  /** Returns when all threads are done; fails at once with the first failure of any. */
  static void run(int threads, Work work) throws Exception {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "crew");
              thread.setDaemon(true);
              return thread;
            });
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      CompletionService<Void> crew = new ExecutorCompletionService<>(pool);
      for (int i = 0; i < threads; i++) {
        int thread = i;
        crew.submit(
            () -> {
              start.await(LIMIT_SECONDS, TimeUnit.SECONDS);
              work.run(thread);
              return null;
            });
      }
      for (int i = 0; i < threads; i++) {
        Future<Void> done = crew.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (done == null) {
          throw new AssertionError("still running after seconds=" + LIMIT_SECONDS);
        }
        done.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    } finally {
      pool.shutdownNow();
    }
  }
}
