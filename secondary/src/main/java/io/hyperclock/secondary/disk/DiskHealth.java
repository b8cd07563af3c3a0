/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.TierState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Whether the device works, as seen by those who use it: what fails, and what hangs. Thread-safe.
 *
 * <p>The first, second, fourth, eighth … fault is logged, and that the tier works again after one
 * that was. What hangs is not: no thread watches for it.
 */
final class DiskHealth {
  /** What one failed read weighs against successful ones. */
  private static final int READ_ERROR = 8;

  /** Eight failures in a row, or a lasting share above a ninth. */
  private static final int TOO_MANY = 8 * READ_ERROR;

  private static final System.Logger LOGGER = System.getLogger(DiskSecondaryCache.class.getName());

  /** A part of the data. */
  record Stretch(long position, int bytes) {}

  private final String tier;
  private final long probeNanos;
  private final AtomicLong faults = new AtomicLong();
  private final AtomicBoolean isFaultLogged = new AtomicBoolean();
  private final AtomicInteger readScore = new AtomicInteger();
  final LongAdder readErrors = new LongAdder();
  final LongAdder writeErrors = new LongAdder();

  private volatile String writeFault = "";
  private volatile long writeRetry;
  private volatile String readFault = "";
  private volatile long readRetry;
  private volatile Stretch failed = new Stretch(0, 0);

  /** Calls under way: one that hangs is seen by those who look, and it tells when it ends. */
  final CallWatch reads;

  final CallWatch writes;

  DiskHealth(String tier, Duration probeInterval, Duration stallLimit, LongSupplier clock) {
    this.tier = tier;
    this.probeNanos = Nanos.of(probeInterval);
    this.reads = new CallWatch("reads", stallLimit, clock, this::stall);
    this.writes = new CallWatch("writes", stallLimit, clock, this::stall);
  }

  /** Whether inserts are taken: nothing that the device does fails or hangs. */
  boolean takesInserts() {
    return writeFault.isEmpty() && readFault.isEmpty() && !writes.isStalled() && !reads.isStalled();
  }

  /** What the device can do now. */
  TierState state() {
    String noReads = firstOf(reads.fault(), readFault);
    if (!noReads.isEmpty()) {
      return new TierState(TierState.Mode.BYPASS, noReads);
    }
    String noWrites = firstOf(writes.fault(), writeFault);
    return noWrites.isEmpty() ? TierState.OPEN : new TierState(TierState.Mode.READ_ONLY, noWrites);
  }

  private static String firstOf(String stall, String fault) {
    return stall.isEmpty() ? fault : stall;
  }

  /** Why nothing can be written, or "". */
  String writeFault() {
    return writeFault;
  }

  /** Why nothing is read, or "". */
  String readFault() {
    return readFault;
  }

  void writeFailed(Throwable error) {
    writeErrors.increment();
    writeRetry = System.nanoTime() + probeNanos;
    boolean isNew = writeFault.isEmpty();
    writeFault = "writes must succeed: error=" + shown(error);
    if (isNew) {
      fault(writeFault);
    }
  }

  /** A failure for people to read; those of a foreign device may fail again when they are shown. */
  static String shown(Throwable error) {
    try {
      return error.toString();
    } catch (Throwable noWordsOrNoMemory) {
      return error.getClass().getName();
    }
  }

  void wrote() {
    if (!writeFault.isEmpty()) {
      writeFault = "";
      worksAgain();
    }
  }

  private void fault(String fault) {
    long count = faults.incrementAndGet();
    if (Long.bitCount(count) == 1) {
      isFaultLogged.set(true);
      log(System.Logger.Level.WARNING, fault + ", faults=" + count);
    }
  }

  private void stall(String fault) {
    if (fault.isEmpty()) {
      worksAgain();
    } else {
      fault(fault);
    }
  }

  private void worksAgain() {
    boolean works = state().mode() == TierState.Mode.OPEN;
    if (works && isFaultLogged.compareAndSet(true, false)) {
      log(System.Logger.Level.INFO, "works again, faults=" + faults.get());
    }
  }

  /** The tier was closed, and its writer goes on without it. */
  void closesLate(Duration closeLimit, boolean snapshotIsWritten) {
    String next = snapshotIsWritten ? "" : ", next start is cold if the process ends before it has";
    log(
        System.Logger.Level.WARNING,
        TierState.CLOSED.mode(),
        "close must end in time: closeLimit="
            + closeLimit
            + ", snapshotWritten="
            + snapshotIsWritten
            + next);
  }

  private void log(System.Logger.Level level, String text) {
    log(level, state().mode(), text);
  }

  private void log(System.Logger.Level level, TierState.Mode mode, String text) {
    try {
      LOGGER.log(level, "tier=" + tier + ", state=" + mode + ", " + text);
    } catch (Throwable e) {
      return; // Of a logger that fails nothing can be said anywhere.
    }
  }

  /** Whether to write now, be it to see whether it works again. */
  boolean mayWrite() {
    return writeFault.isEmpty() || writeRetry - System.nanoTime() <= 0;
  }

  void readFailed(Throwable error, long position, int bytes) {
    readErrors.increment();
    failed = new Stretch(position, bytes);
    int score = readScore.updateAndGet(old -> Math.min(old + READ_ERROR, TOO_MANY));
    if (score == TOO_MANY) {
      readRetry = System.nanoTime() + probeNanos;
      boolean isNew = readFault.isEmpty();
      readFault = "reads must succeed: error=" + shown(error);
      if (isNew) {
        fault(readFault);
      }
    }
  }

  void read() {
    if (readScore.get() > 0) {
      readScore.updateAndGet(old -> Math.max(0, old - 1));
    }
  }

  /** Whether to see now if reads work again. */
  boolean shouldProbeRead() {
    return !readFault.isEmpty() && readRetry - System.nanoTime() <= 0;
  }

  /** What the last read that failed was to read. */
  Stretch failed() {
    return failed;
  }

  /** A read that was to show whether reads work again has failed, or could not be begun. */
  void probeFailed() {
    readRetry = System.nanoTime() + probeNanos;
  }

  void readsAgain() {
    readScore.set(0);
    readFault = "";
    worksAgain();
  }

  /** How long to wait before looking again, also for faults that come meanwhile. */
  long nanosToProbe() {
    long now = System.nanoTime();
    long write = writeFault.isEmpty() ? probeNanos : writeRetry - now;
    long read = readFault.isEmpty() ? probeNanos : readRetry - now;
    return Math.max(1, Math.min(write, read));
  }
}
