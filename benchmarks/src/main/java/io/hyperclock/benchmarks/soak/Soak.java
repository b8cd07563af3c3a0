/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.soak;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs epoch after epoch, watches them, and reports once a second. */
public final class Soak {
  private static final long SECOND = 1_000_000_000;
  private static final int LOADING_THREADS = 3;
  private static final int IO_THREADS = 2;

  /** How long the workers are waited for before the run ends; those that are stuck do not end. */
  private static final int LEAVE_MILLIS = 5_000;

  /** The library's messages: of handles closed twice, callbacks that throw and the like. */
  private static final Logger LIBRARY = Logger.getLogger("io.hyperclock");

  private final SoakOptions options;
  private final SoakCaches caches;
  private final PrintWriter out;
  private final SoakFindings findings = new SoakFindings();
  private final Counts counts = new Counts();
  private final long start = System.nanoTime();
  private volatile boolean isDone;
  private volatile @Nullable Epoch present;
  private long mostHeap;

  /**
   * A run that has not begun.
   *
   * @param options what to run
   * @param caches {@link SoakCaches#PLAIN}, or what stands in front of the caches
   * @param out takes the progress
   */
  public Soak(SoakOptions options, SoakCaches caches, PrintWriter out) {
    this.options = options;
    this.caches = caches;
    this.out = out;
  }

  /**
   * Runs. What is stuck at the end is left behind on daemon threads.
   *
   * @return how it ended
   * @throws InterruptedException if the calling thread was interrupted
   */
  public SoakResult run() throws InterruptedException {
    Level level = LIBRARY.getLevel();
    LIBRARY.setLevel(Level.OFF);
    try {
      return watch();
    } finally {
      LIBRARY.setLevel(level);
    }
  }

  private SoakResult watch() throws InterruptedException {
    Thread epochs = SoakThreads.make(false, "soak-epochs", this::runEpochs);
    epochs.start();
    long printed = start;
    long looked = start;
    long awakeSince = start;
    while (!isDone && !findings.await(SECOND / 20)) {
      // If this thread was held up, so was perhaps the whole machine, and no operation hangs.
      long now = System.nanoTime();
      awakeSince = now - looked > options.stuckAfter().toNanos() / 2 ? now : awakeSince;
      looked = now;
      Epoch epoch = present;
      String stuck = epoch == null ? null : epoch.stuck(now, awakeSince);
      if (stuck != null) {
        findings.reportText(stuck);
      }
      printed = printIfDue(printed);
    }
    // This thread may have slept through all of a short run.
    printIfDue(printed);
    epochs.join(LEAVE_MILLIS);
    String wrong = findings.first();
    Epoch epoch = present;
    if (wrong != null) {
      wrong = wrong + (epoch == null ? "" : "\n  in " + epoch.describe());
    }
    double seconds = (System.nanoTime() - start) / (double) SECOND;
    return new SoakResult(wrong, seconds, progress(), mostHeap);
  }

  /** Prints the progress if a second has passed since then, and returns when the last was due. */
  private long printIfDue(long printed) {
    if (System.nanoTime() - printed < SECOND) {
      return printed;
    }
    out.println(progress());
    out.flush();
    return printed + SECOND;
  }

  private void runEpochs() {
    ExecutorService loads =
        Executors.newFixedThreadPool(LOADING_THREADS, SoakThreads.daemons("soak-loads"));
    ExecutorService io = Executors.newFixedThreadPool(IO_THREADS, SoakThreads.daemons("soak-io"));
    long end = start + options.length().toNanos();
    BooleanSupplier isOver = () -> findings.any() || System.nanoTime() - end >= 0;
    try (DiskPlace place = new DiskPlace(Math.max(64, options.entries() / 2))) {
      int number = 0;
      do {
        Epoch epoch =
            new Epoch(number, options, place, loads, io, caches, findings, counts, isOver);
        present = epoch;
        epoch.run();
        counts.epochs.increment();
        number++;
      } while (number < options.epochs() && !isOver.getAsBoolean());
    } catch (RuntimeException | Error e) {
      findings.report("an epoch must begin and end", e);
    } finally {
      loads.shutdown();
      io.shutdown();
      isDone = true;
    }
  }

  private String progress() {
    Counts.Totals totals = counts.totals();
    Runtime runtime = Runtime.getRuntime();
    long heap = runtime.totalMemory() - runtime.freeMemory();
    mostHeap = Math.max(mostHeap, heap);
    long reads = totals.hits() + totals.misses();
    return String.format(
        Locale.ROOT,
        "%4d s: operations=%d, hits=%d (%.1f %%), evictions=%d, made=%d, freed=%d, faults=%d,"
            + " epochs=%d (%d closed in use, %d warm disks), tables=%d, heap=%d MiB",
        Math.round((System.nanoTime() - start) / (double) SECOND),
        totals.operations(),
        totals.hits(),
        reads == 0 ? 0.0 : 100.0 * totals.hits() / reads,
        totals.evictions(),
        totals.made(),
        totals.freed(),
        totals.faults(),
        totals.epochs(),
        totals.closedInUse(),
        totals.warmStarts(),
        totals.resizes(),
        heap >> 20);
  }
}
