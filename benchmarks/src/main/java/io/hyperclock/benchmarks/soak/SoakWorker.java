/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One thread of an epoch. Its choices follow from the seed alone. */
final class SoakWorker implements Runnable {
  final int index;
  final SplittableRandom random;
  final SoakFindings findings;
  final Counts counts;
  final Mishaps mishaps;
  private final BooleanSupplier isOver;
  private final List<Part> parts = new ArrayList<>();
  private final List<SoakWorker> peers = new ArrayList<>();
  private final int steps;
  private final int closeAt;
  private final Thread thread;
  private volatile boolean interruptible;
  private volatile String doing = "starts";
  private volatile long since;

  /**
   * A worker that is not started.
   *
   * @param seed decides what it does
   * @param steps operations to do at most
   * @param closeAt operation before which it closes a cache, or -1
   * @param isVirtual whether it runs on a virtual thread where there are any
   * @param isOver whether to stop early
   */
  SoakWorker(
      int index,
      long seed,
      int steps,
      int closeAt,
      boolean isVirtual,
      SoakFindings findings,
      Counts counts,
      Mishaps mishaps,
      BooleanSupplier isOver) {
    this.index = index;
    this.random = new SplittableRandom(seed);
    this.steps = steps;
    this.closeAt = closeAt;
    this.findings = findings;
    this.counts = counts;
    this.mishaps = mishaps;
    this.isOver = isOver;
    this.thread = SoakThreads.make(isVirtual, "soak-worker-" + index, this);
  }

  Thread thread() {
    return thread;
  }

  /** Starts it. */
  void start(List<Part> all, List<SoakWorker> workers) {
    parts.addAll(all);
    peers.addAll(workers);
    thread.start();
  }

  /** Notes what it does, for a report that it got stuck. */
  void doing(String operation) {
    doing = operation;
  }

  /** What it does. */
  String doing() {
    return doing;
  }

  /** Since when its present operation runs, by {@link System#nanoTime}, or 0. */
  long since() {
    return since;
  }

  /** An interrupt, unless it is about to end. */
  private void interrupt() {
    if (interruptible) {
      thread.interrupt();
    }
  }

  @Override
  public void run() {
    List<Part.Session> sessions = new ArrayList<>();
    for (Part part : parts) {
      sessions.add(part.session(this));
    }
    interruptible = true;
    for (int step = 0; step < steps && !isOver.getAsBoolean(); step++) {
      if (step == closeAt) {
        Part part = parts.get(random.nextInt(parts.size()));
        guarded("close", part, part::close);
      }
      int chosen = random.nextInt(sessions.size());
      guarded("", parts.get(chosen), sessions.get(chosen)::step);
      if (random.nextInt(500) == 0) {
        peers.get(random.nextInt(peers.size())).interrupt();
      }
      counts.operations.increment();
    }
    interruptible = false;
    for (int i = 0; i < sessions.size(); i++) {
      guarded("finish", parts.get(i), sessions.get(i)::finish);
    }
  }

  private void guarded(String what, Part part, Runnable operation) {
    doing = what;
    long now = System.nanoTime();
    since = now == 0 ? 1 : now;
    @Nullable Throwable thrown = null;
    try {
      operation.run();
    } catch (Throwable t) {
      thrown = t;
    } finally {
      since = 0;
      Thread.interrupted();
    }
    if (thrown != null && !Mishaps.isExpected(thrown, part.isClosing())) {
      findings.report("an operation must not throw this: operation=" + doing, thrown);
    }
  }
}
