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
 * <p>Before anything is served, the data gets a new incarnation and the snapshot is deleted. Either
 * is enough that the snapshot can never be used again, so a crash from now on is a cold start. If
 * both fail, the snapshot is not used now, and nothing is taken in until the head can be written. A
 * cold start takes a new epoch: no record written before can be certified.
 */
final class Recovery {
  final RegionLog log;
  final Storage storage;
  private final DiskHealth health;
  final long incarnation;
  final boolean headIsWritten;
  final boolean isWarm;

  /** Of the cache above; null if there is none, or the start is cold. */
  final byte @Nullable [] restartList;

  final String start;

  Recovery(DiskSecondaryCacheBuilder settings, Device device, DiskHealth health, int compressorId) {
    int regionBytes = settings.region();
    SlotLayout layout = new SlotLayout(regionBytes);
    SecureRandom random = new SecureRandom();
    int slotsWanted = settings.slots();
    this.health = health;
    storage = new Storage(device, layout, regionBytes, health);
    incarnation = random.nextLong();
    Signing signing = settings.signing();

    Snapshot snapshot = null;
    String problem = "";
    try {
      snapshot = find(device, regionBytes, compressorId, slotsWanted, signing);
      problem = snapshot == null ? "there is no snapshot" : "";
    } catch (IllegalArgumentException e) {
      problem = "snapshot cannot be used: " + e.getMessage();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      problem = "snapshot cannot be read: " + e;
    }
    headIsWritten = writeHead(device, regionBytes);
    boolean isDeleted = delete(device);
    if (snapshot != null && !headIsWritten && !isDeleted) {
      problem = "snapshot cannot be used up";
    }
    isWarm = problem.isEmpty();
    start = isWarm ? "warm" : problem;
    long epoch = snapshot != null && isWarm ? snapshot.epoch() : random.nextLong();
    int slotCount = snapshot != null && isWarm ? snapshot.slotCount() : slotsWanted;
    SlotIndex index = index(settings, layout, slotCount, epoch);
    log =
        new RegionLog(
            layout,
            regionBytes,
            index,
            epoch,
            signing.inEpoch(epoch),
            health,
            settings.maxInFlight());
    if (snapshot != null && isWarm) {
      log.load(snapshot);
    }
    log.setCapacity(settings.capacity());
    log.shrunk = true;
    byte[] list = takeRestartList(device, epoch, signing);
    restartList = isWarm ? list : null;
  }

  private static byte @Nullable [] takeRestartList(Device device, long epoch, Signing signing) {
    try {
      byte[] bytes = device.takeRestartList();
      return bytes == null ? null : RestartList.read(bytes, epoch, signing);
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
              settings.capacity(),
              settings.estimatedRecord(),
              Runtime.getRuntime().maxMemory());
      tooLarge.initCause(e);
      throw tooLarge;
    }
  }

  private @Nullable Snapshot find(
      Device device, int regionBytes, int compressorId, int slotsWanted, Signing signing)
      throws IOException {
    byte[] bytes = device.readSnapshot();
    if (bytes == null) {
      return null;
    }
    Snapshot found = Snapshot.read(bytes, regionBytes, compressorId, slotsWanted, signing);
    if (!DataHeader.isOf(storage.read(0, DataHeader.USED_BYTES), found.incarnation())) {
      throw new IllegalArgumentException("it is not of these data");
    }
    return found;
  }

  private boolean writeHead(Device device, int regionBytes) {
    try {
      storage.write(DataHeader.write(incarnation, regionBytes), 0, Storage.HEAD_BYTES, 0);
      device.force();
      return true;
    } catch (IOException | RuntimeException e) {
      health.writeFailed(e);
      return false;
    }
  }

  private boolean delete(Device device) {
    try {
      device.deleteSnapshot();
      return true;
    } catch (IOException | RuntimeException e) {
      health.writeErrors.increment();
      return false;
    }
  }
}
