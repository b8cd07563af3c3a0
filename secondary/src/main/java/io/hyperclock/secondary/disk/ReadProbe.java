/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.disk.DiskHealth.Stretch;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the device can be read again after too many reads failed. Tries all that the
 * last of them was to read, because the bad place may be anywhere in it. Where only that fails,
 * before and after another place could be read, the records around the bad place are forgotten: no
 * lookup reads there again until other records are written there. For the writer.
 */
final class ReadProbe {
  /** How far on each side of a place that cannot be read records are forgotten. */
  static final int STRETCH_BYTES = 1 << 20;

  /** Read at a time: little memory, and the bad place is known the better. */
  private static final int PIECE_BYTES = 64 << 10;

  /** Slots looked at under the lock at a time. */
  private static final int SWEEP = 1 << 10;

  private final RegionLog log;
  private final Storage storage;
  private final DiskHealth health;

  ReadProbe(RegionLog log, Storage storage, DiskHealth health) {
    this.log = log;
    this.storage = storage;
    this.health = health;
  }

  void run() {
    try {
      probe();
    } catch (RuntimeException | Error e) {
      health.probeFailed(); // Without memory, say: later, as it would fail at once again now.
    }
  }

  private void probe() {
    Stretch bad = firstBad(health.failed());
    if (bad == null) {
      health.readsAgain();
    } else if (canRead(elsewhere(bad.position()))) {
      if (!canRead(bad)) { // Else the whole device had failed.
        forgetAround(bad.position());
      }
      health.readsAgain();
    } else {
      health.probeFailed();
    }
  }

  /** The first piece that cannot be read, or null. */
  private @Nullable Stretch firstBad(Stretch all) {
    for (int at = 0; at < all.bytes(); at += PIECE_BYTES) {
      Stretch piece = new Stretch(all.position() + at, Math.min(PIECE_BYTES, all.bytes() - at));
      if (!canRead(piece)) {
        return piece;
      }
    }
    return null;
  }

  private boolean canRead(Stretch stretch) {
    try {
      storage.read(stretch.position(), stretch.bytes());
      return true;
    } catch (OutOfMemoryError e) {
      throw e; // It says nothing of the device.
    } catch (IOException | RuntimeException | Error failed) {
      return false;
    }
  }

  /** In the oldest of the other regions, which the system has hardly in memory; or the head. */
  private Stretch elsewhere(long failed) {
    log.lock.lock();
    try {
      Region oldest = oldestBut((failed - Storage.HEAD_BYTES) / log.regionBytes);
      if (oldest == null) {
        return new Stretch(0, SlotLayout.UNIT);
      }
      int unit = ThreadLocalRandom.current().nextInt(oldest.used / SlotLayout.UNIT);
      return new Stretch(storage.position(oldest.id, unit * SlotLayout.UNIT), SlotLayout.UNIT);
    } finally {
      log.lock.unlock();
    }
  }

  private @Nullable Region oldestBut(long failed) {
    Region oldest = null;
    for (Region region : log.regions) {
      if (region.stage == Region.Stage.FULL
          && region.id != failed
          && (oldest == null || region.firstSequence < oldest.firstSequence)) {
        oldest = region;
      }
    }
    return oldest;
  }

  private void forgetAround(long failed) {
    for (int from = 0; from < log.index.length(); from += SWEEP) {
      log.lock.lock();
      try {
        int to = Math.min(from + SWEEP, log.index.length());
        log.dropped += log.index.sweep(from, to, slot -> isNear(slot, failed));
      } finally {
        log.lock.unlock();
      }
    }
  }

  private boolean isNear(long slot, long failed) {
    long start = storage.position(slot);
    return start < failed + STRETCH_BYTES && start + storage.bytes(slot) > failed - STRETCH_BYTES;
  }
}
