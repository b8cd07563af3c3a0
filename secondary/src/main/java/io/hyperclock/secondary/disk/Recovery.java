/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Opens what a device holds: as it was left by a clean close if all agrees, else as if it were
 * empty.
 *
 * <p>Two steps. The first reads, and allocates all that the tier needs; if it fails, the device is
 * as it was. The second, {@link #takeOver}, comes when the rest of the tier is made and its writer
 * has a thread.
 *
 * <p>Before anything is served, the data gets a new incarnation and the snapshot is deleted. Either
 * is enough that the snapshot can never be used again, so a crash from now on is a cold start. If
 * both fail, the snapshot is not used now, and nothing is taken in until the head can be written. A
 * cold start takes a new epoch: no record written before can be certified.
 */
final class Recovery {
  final RegionLog log;
  final Storage storage;
  private final DiskSecondaryCacheBuilder settings;
  private final Device device;
  private final DiskHealth health;
  final long incarnation;
  final boolean isWarm;
  final String start;

  /** By {@link #takeOver}. */
  boolean headIsWritten;

  /** Of the cache above; null if there is none, or the start is cold, or until the second step. */
  byte @Nullable [] restartList;

  private Recovery(
      DiskSecondaryCacheBuilder settings,
      Device device,
      DiskHealth health,
      Storage storage,
      @Nullable Snapshot snapshot,
      String start) {
    this.settings = settings;
    this.device = device;
    this.health = health;
    this.storage = storage;
    this.start = start;
    SecureRandom random = new SecureRandom();
    incarnation = random.nextLong();
    isWarm = snapshot != null;
    SlotLayout layout = new SlotLayout(settings.regionBytes);
    long epoch = snapshot != null ? snapshot.epoch() : random.nextLong();
    int slotCount = snapshot != null ? snapshot.slotCount() : settings.slots();
    log =
        new RegionLog(
            layout,
            settings.regionBytes,
            index(settings, layout, slotCount, epoch),
            epoch,
            settings.signing().inEpoch(epoch),
            health,
            settings.maxInFlight());
    if (snapshot != null) {
      log.load(snapshot);
    }
    log.setCapacity(settings.capacityBytes);
    log.shrunk = true;
  }

  /** The first step: the device is not changed. */
  static Recovery of(
      DiskSecondaryCacheBuilder settings, Device device, DiskHealth health, int compressorId) {
    int regionBytes = settings.regionBytes;
    Storage storage = new Storage(device, new SlotLayout(regionBytes), regionBytes, health);
    Snapshot snapshot = null;
    String start;
    try {
      snapshot = find(settings, device, storage, compressorId);
      start = snapshot == null ? "there is no snapshot" : "warm";
    } catch (IllegalArgumentException e) {
      start = "snapshot cannot be used: " + e.getMessage();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      start = "snapshot cannot be read: " + DiskHealth.shown(e);
    }
    try {
      return new Recovery(settings, device, health, storage, snapshot, start);
    } catch (IllegalArgumentException e) {
      if (snapshot == null) {
        throw e;
      }
      start = "snapshot cannot be used: " + e.getMessage();
    }
    // An index takes more memory beside its snapshot than alone, next time too.
    snapshot = null;
    return new Recovery(settings, device, health, storage, snapshot, start);
  }

  /**
   * The second step: makes the snapshot unusable, and takes the list of the cache above.
   *
   * @return whether the log may be used; if not, the device could not be changed
   */
  boolean takeOver() {
    headIsWritten = writeHead();
    boolean isUsedUp = deleteSnapshot() || headIsWritten;
    if (isWarm && !isUsedUp) {
      return false;
    }
    byte[] list = takeRestartList();
    restartList = isWarm ? list : null;
    return true;
  }

  /** What to use in place of a warm start whose snapshot could not be used up. */
  Recovery cold() {
    return new Recovery(settings, device, health, storage, null, "snapshot cannot be used up");
  }

  private byte @Nullable [] takeRestartList() {
    try {
      byte[] bytes = device.takeRestartList();
      return bytes == null ? null : RestartList.read(bytes, log.epoch, log.signing);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return null; // It costs warmth only.
    }
  }

  private static SlotIndex index(
      DiskSecondaryCacheBuilder settings, SlotLayout layout, int slotCount, long epoch) {
    try {
      return new SlotIndex(layout, slotCount, epoch);
    } catch (OutOfMemoryError e) {
      IllegalArgumentException tooLarge =
          SlotIndex.tooLarge(
              slotCount,
              settings.capacityBytes,
              settings.estimatedRecordBytes,
              Runtime.getRuntime().maxMemory());
      tooLarge.initCause(e);
      throw tooLarge;
    }
  }

  private static @Nullable Snapshot find(
      DiskSecondaryCacheBuilder settings, Device device, Storage storage, int compressorId)
      throws IOException {
    byte[] bytes = device.readSnapshot();
    if (bytes == null) {
      return null;
    }
    Snapshot found =
        Snapshot.read(
            bytes, settings.regionBytes, compressorId, settings.slots(), settings.signing());
    if (!DataHeader.isOf(storage.read(0, DataHeader.USED_BYTES), found.incarnation())) {
      throw new IllegalArgumentException("it is not of these data");
    }
    return found;
  }

  private boolean writeHead() {
    try {
      storage.writeHead(incarnation);
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      health.writeFailed(e);
      return false;
    }
  }

  private boolean deleteSnapshot() {
    try {
      device.deleteSnapshot();
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      health.writeErrors.increment();
      return false;
    }
  }
}
