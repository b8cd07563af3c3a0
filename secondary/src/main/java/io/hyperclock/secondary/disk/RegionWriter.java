/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.internal.tier.FutureWaits;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes: what waits in buffers, what is written again when regions are given
 * up, and at the end the snapshot. It also tries a device that failed. No foreign code runs on it.
 */
final class RegionWriter implements Runnable {
  /** How long snapshots are written again when calls go on while the tier is closed. */
  private static final long SNAPSHOTS_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What fails whenever it is tried is not tried without a pause. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RegionLog log;
  private final Storage storage;
  private final Device device;
  private final DiskHealth health;
  private final RegionReclaimer reclaim;
  private final ReadProbe probe;
  private final long incarnation;
  private final int compressorId;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** For the cache above, set before the end; null if it has none. */
  volatile byte @Nullable [] restartList;

  /**
   * Whether the data says that older snapshots are not of it; else it must before it is written.
   */
  private boolean headIsWritten;

  private volatile boolean snapshotIsWritten;

  RegionWriter(
      RegionLog log,
      Storage storage,
      Device device,
      DiskHealth health,
      RegionReclaimer reclaim,
      long incarnation,
      int compressorId) {
    this.log = log;
    this.storage = storage;
    this.device = device;
    this.health = health;
    this.reclaim = reclaim;
    this.probe = new ReadProbe(log, storage, health);
    this.incarnation = incarnation;
    this.compressorId = compressorId;
  }

  /** Before the thread runs: sees to it that there is a region to fill; reads only. */
  void makeRoom() {
    if (log.free == 0) {
      reclaimDue(() -> false);
    }
  }

  /** Before the thread runs: the head was written by the one who built the tier. */
  void begin(boolean headIsWritten) {
    this.headIsWritten = headIsWritten;
  }

  /** Whether the next start is warm, even if the thread ends now. */
  boolean snapshotIsWritten() {
    return snapshotIsWritten;
  }

  /** Whether it writes no more, and has closed the device. */
  boolean hasEnded() {
    return ended.isDone();
  }

  /** Waits for the end, whether interrupted or not; false if it takes too long. */
  boolean awaitEnd(long nanos) {
    return FutureWaits.waitThrough(ended, nanos);
  }

  @Override
  public void run() {
    try {
      while (goesOn()) {
        continue;
      }
    } finally {
      try {
        finish();
      } finally {
        ended.complete(null);
      }
    }
  }

  /** Waits and works; false if the tier is closed. Whatever is thrown, the thread lives on. */
  private boolean goesOn() {
    try {
      boolean isOpen = awaitWork();
      if (isOpen) {
        step();
      }
      return isOpen;
    } catch (Throwable e) {
      pause(); // It has failed where failures are handled.
      return !log.closing;
    }
  }

  /** A lock or condition may have left the permit that ends a park at once. */
  private void pause() {
    long deadline = System.nanoTime() + PAUSE_NANOS;
    for (long left = PAUSE_NANOS; left > 0; left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private void step() {
    try {
      if (health.shouldProbeRead()) {
        probe.run();
      }
      shrink();
      writeDue();
      if (health.mayWrite()) {
        reclaimDue(this::writeDue);
      }
    } catch (RuntimeException | Error e) {
      health.writeFailed(e);
    }
  }

  /** False if the tier is closed. */
  private boolean awaitWork() {
    log.lock.lock();
    try {
      while (!log.closing && !hasWork()) {
        log.work.awaitNanos(health.nanosToProbe());
      }
      return !log.closing;
    } catch (InterruptedException e) {
      return true; // No thread has a reason to interrupt this thread; then it looks once more.
    } finally {
      log.lock.unlock();
    }
  }

  private boolean hasWork() {
    boolean hasFault = !health.writeFault().isEmpty();
    return health.shouldProbeRead()
        || log.shrunk
        || health.mayWrite() && (hasFault || log.due() != null || reclaim.isDue());
  }

  private void shrink() {
    log.lock.lock();
    long size;
    try {
      if (!log.shrunk) {
        return;
      }
      log.shrunk = false;
      size = storage.position(log.regions.length, 0);
    } finally {
      log.lock.unlock();
    }
    try {
      device.truncate(size);
    } catch (IOException | RuntimeException e) {
      health.writeErrors.increment();
    }
  }

  /** Writes a chunk; false if nothing was due or could be written. */
  private boolean writeDue() {
    if (!health.mayWrite()) {
      return false;
    }
    try {
      boolean hasWritten = headIsWritten && writeChunk();
      if (!headIsWritten || !hasWritten && !health.writeFault().isEmpty()) {
        storage.writeHead(incarnation);
        headIsWritten = true;
        health.wrote();
      }
      return hasWritten;
    } catch (IOException | RuntimeException e) {
      health.writeFailed(e);
      return false;
    }
  }

  /** False if nothing is due. */
  private boolean writeChunk() throws IOException {
    RegionBuffer buffer;
    int from;
    int to;
    log.lock.lock();
    try {
      buffer = log.due();
      if (buffer == null) {
        return false;
      }
      from = buffer.written;
      to = Math.min(buffer.end, from + RegionLog.CHUNK_BYTES);
      buffer.pin();
    } finally {
      log.lock.unlock();
    }
    try {
      storage.write(buffer.bytes, from, to - from, storage.position(buffer.region.id, from));
    } finally {
      buffer.unpin();
    }
    health.wrote();
    log.lock.lock();
    try {
      log.wrote(buffer, to);
    } finally {
      log.lock.unlock();
    }
    return true;
  }

  private void reclaimDue(RegionReclaimer.Writing writing) {
    boolean isDue;
    log.lock.lock();
    try {
      isDue = reclaim.isDue();
    } finally {
      log.lock.unlock();
    }
    if (isDue) {
      reclaim.run(writing);
    }
  }

  /** Again if something was erased meanwhile, which comes to an end: nothing is added any more. */
  private void writeSnapshot() throws IOException {
    long deadline = System.nanoTime() + SNAPSHOTS_NANOS;
    boolean mayBeThere = false;
    boolean isTrue = false;
    try {
      do {
        byte[] snapshot = log.cut(incarnation, compressorId);
        if (snapshot == null) {
          return;
        }
        log.signing.signFile(Signing.SNAPSHOT, snapshot);
        mayBeThere = true;
        device.writeSnapshot(snapshot);
        isTrue = !log.changedSinceCut();
      } while (!isTrue && deadline - System.nanoTime() > 0);
    } finally {
      if (mayBeThere && !isTrue) {
        dropSnapshot();
      }
    }
    snapshotIsWritten = isTrue;
    if (isTrue) {
      writeRestartList();
    }
  }

  /** If it cannot be deleted, the head says that it is not of these data. */
  private void dropSnapshot() throws IOException {
    try {
      device.deleteSnapshot();
    } catch (IOException | RuntimeException | Error e) {
      health.writeErrors.increment();
      storage.writeHead(new SecureRandom().nextLong());
    }
  }

  private void writeRestartList() throws IOException {
    byte[] content = restartList;
    byte[] list = content == null ? null : RestartList.write(content, log.epoch, log.signing);
    if (list != null) {
      device.writeRestartList(list);
    }
  }

  /**
   * Writes all that waits, then the snapshot. If anything fails before that is written, there is
   * none; a device that failed before may be well again. So a head that could not be written is
   * tried once more: without it a snapshot that could not be used up would be used the next time.
   * The data is forced last, because that may take long: a record that is lost under a snapshot is
   * a miss.
   */
  private void finish() {
    try {
      shrink();
      if (!headIsWritten) {
        storage.writeHead(incarnation);
      }
      while (writeChunk()) {
        continue;
      }
      writeSnapshot();
      device.force();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      health.writeFailed(e);
    } finally {
      try {
        device.close();
      } catch (IOException | RuntimeException e) {
        health.writeErrors.increment();
      }
    }
  }
}
