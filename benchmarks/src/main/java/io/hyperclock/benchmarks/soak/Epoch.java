/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Builds all caches, lets the workers use them, closes them, and looks what is left. */
final class Epoch {
  private static final int LEAST_STEPS = 300;
  private static final int MOST_DOUBLINGS = 7;

  private final int number;
  private final SoakOptions options;
  private final SoakFindings findings;
  private final Patience patience;
  private final List<Part> parts = new ArrayList<>();
  private final List<SoakWorker> workers = new ArrayList<>();
  private final int steps;
  private volatile long endingSince;

  /**
   * An epoch whose workers have not been started.
   *
   * @param loads runs loaders
   * @param io completes what tiers do late
   */
  Epoch(
      int number,
      SoakOptions options,
      DiskPlace place,
      Executor loads,
      Executor io,
      SoakCaches caches,
      SoakFindings findings,
      Counts counts,
      BooleanSupplier isOver) {
    this.number = number;
    this.options = options;
    this.findings = findings;
    this.patience = new Patience(options.settle().toNanos());
    long seed =
        new SplittableRandom(new SplittableRandom(options.seed()).nextLong() + number).nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    Mishaps mishaps = new Mishaps(options.faults(), seed, counts);
    boolean withLoads = options.what().contains(What.LOADS);
    int entries = options.entries();
    if (withLoads || options.what().contains(What.BLOCKS)) {
      parts.add(
          new BlockPart(
              random.split(), entries, withLoads, loads, caches, findings, counts, mishaps));
    }
    if (options.what().contains(What.VERSIONED)) {
      parts.add(new VersionedPart(random.split(), entries, caches, findings, counts, mishaps));
    }
    if (options.what().contains(What.TIERED)) {
      parts.add(
          new TieredPart(random.split(), entries, place, io, caches, findings, counts, mishaps));
    }
    steps = LEAST_STEPS + random.nextInt(LEAST_STEPS << random.nextInt(MOST_DOUBLINGS));
    int closer = random.nextInt(3) == 0 ? random.nextInt(options.threads()) : -1;
    for (int i = 0; i < options.threads(); i++) {
      int closeAt = i == closer ? random.nextInt(steps) : -1;
      workers.add(
          new SoakWorker(
              i,
              random.nextLong(),
              steps,
              closeAt,
              random.nextBoolean(),
              findings,
              counts,
              mishaps,
              isOver));
    }
  }

  /** Runs it to its end. */
  void run() {
    workers.forEach(worker -> worker.start(parts, workers));
    for (SoakWorker worker : workers) {
      try {
        worker.thread().join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    if (findings.any()) {
      return;
    }
    endingSince = System.nanoTime();
    for (Part part : parts) {
      try {
        List<String> wrong = part.end(patience);
        if (!wrong.isEmpty()) {
          findings.reportText(
              "at the end of an epoch:\n  "
                  + String.join("\n  ", wrong.subList(0, Math.min(20, wrong.size()))));
        }
      } catch (RuntimeException | Error e) {
        findings.report("the end of an epoch must not throw", e);
      }
    }
    endingSince = 0;
  }

  /**
   * What has not come to an end in time, with all stacks, or null.
   *
   * @param now the time by {@link System#nanoTime}
   * @param awakeSince time before which waiting does not count
   */
  @Nullable String stuck(long now, long awakeSince) {
    long bound = options.stuckAfter().toNanos();
    long most = now - awakeSince;
    for (SoakWorker worker : workers) {
      long since = worker.since();
      if (since != 0 && Math.min(most, now - since) > bound) {
        return "an operation did not return within %d s: operation=%s, thread=%s\n%s%s"
            .formatted(
                options.stuckAfter().toSeconds(),
                worker.doing(),
                worker.thread().getName(),
                SoakThreads.stack(worker.thread().getName(), worker.thread().getStackTrace()),
                stacks());
      }
    }
    long ending = endingSince;
    if (ending != 0 && Math.min(most, now - ending) > bound + 8 * options.settle().toNanos()) {
      return "an epoch did not end: epoch=" + number + "\n" + stacks();
    }
    return null;
  }

  private String stacks() {
    StringBuilder text = new StringBuilder("What the workers do:\n");
    for (SoakWorker worker : workers) {
      String name = worker.thread().getName() + ", " + worker.doing();
      text.append(SoakThreads.stack(name, worker.thread().getStackTrace()));
    }
    return text.append(SoakThreads.dump()).toString();
  }

  /** Number and settings, for a report. */
  String describe() {
    return "epoch %d, %d operations a thread, %s"
        .formatted(number, steps, parts.stream().map(Part::describe).toList());
  }
}
