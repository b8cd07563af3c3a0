/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import io.hyperclock.benchmarks.results.HitRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Replays traces.
 *
 * @param threads how many replay a trace, each a contiguous part of it, where the policy allows
 * @param shards parts of HyperClock
 * @param seed seed of HyperClock's key hash
 */
public record Simulation(int threads, int shards, long seed) {
  /**
   * Replays a trace on an empty cache.
   *
   * @param trace the trace
   * @param capacity entries, or the sum of their sizes if the trace is weighted
   * @param policy the policy
   * @return what came of it
   */
  public HitRatio run(Trace trace, long capacity, Policy policy) {
    int parts = policy.concurrent() ? threads : 1;
    try (TraceReplay replay = policy.open(trace, capacity, shards, seed)) {
      long hits = parts == 1 ? replay.hits(0, trace.requests()) : hits(replay, trace, parts);
      return new HitRatio(trace.name(), capacity, policy.label(), trace.requests(), hits, parts);
    }
  }

  private static long hits(TraceReplay replay, Trace trace, int parts) {
    ExecutorService executor = Executors.newFixedThreadPool(parts);
    try {
      CountDownLatch ready = new CountDownLatch(parts);
      List<Future<Integer>> futures = new ArrayList<>();
      for (int part = 0; part < parts; part++) {
        int from = trace.partStart(part, parts);
        int to = trace.partStart(part + 1, parts);
        futures.add(
            executor.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return replay.hits(from, to);
                }));
      }
      long hits = 0;
      for (Future<Integer> future : futures) {
        hits += future.get();
      }
      return hits;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("replay must not be interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("replay must not fail: " + e.getCause(), e);
    } finally {
      executor.shutdownNow();
    }
  }
}
