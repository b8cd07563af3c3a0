/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the device can be read again after too many reads failed. Where only the place
 * of the last one fails, before and after another place could be read, the records around the bad
 * place are forgotten: no lookup reads there again until other records are written there. For the
 * writer.
 */
final class ReadProbe {
  /** How far on each side of a place that cannot be read records are forgotten. */
  static final int STRETCH_BYTES = 1 << 20;

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
    long failed = health.failedPosition();
    if (canRead(failed)) {
      health.readsAgain();
    } else if (canRead(elsewhere(failed))) {
      if (!canRead(failed)) { // Else the whole device had failed.
        forgetAround(failed);
      }
      health.readsAgain();
    } else {
      health.probeFailed();
    }
  }

  private boolean canRead(long position) {
    try {
      storage.read(position, SlotLayout.UNIT);
      return true;
    } catch (IOException failed) {
      return false;
    }
  }

  /** In the oldest of the other regions, which the system has hardly in memory; or the head. */
  private long elsewhere(long failed) {
    log.lock.lock();
    try {
      Region oldest = oldestBut((failed - Storage.HEAD_BYTES) / log.regionBytes);
      if (oldest == null) {
        return 0;
      }
      int unit = ThreadLocalRandom.current().nextInt(oldest.used / SlotLayout.UNIT);
      return storage.position(oldest.id, unit * SlotLayout.UNIT);
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
