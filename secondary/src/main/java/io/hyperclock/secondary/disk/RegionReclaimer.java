/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Gives the oldest regions up, so that there are clean ones to fill: what was hit is read and
 * written again, up to a share; the rest is dropped. Runs on the writer's thread.
 *
 * <p>A record that was hit is read from the device, not from memory, and is judged as any reader
 * judges it. It is appended and its slot moved in one step under the lock of the log, and only if
 * the slot is still the one that was seen, and its region still the one that leaves: what was
 * replaced or erased meanwhile stays so. A slot alone does not tell: where a change of the capacity
 * has emptied the region meanwhile, a newer value of the key may stand at the very same place.
 *
 * <p>A run is for many regions if there are many, and may bring more than may be in flight. So
 * between its steps what waits is written, for this and for the inserts that come meanwhile.
 */
final class RegionReclaimer {
  /** Slots looked at under the lock at a time. */
  private static final int SWEEP = 1 << 10;

  /**
   * Slots after which a chunk is written, a millisecond or two. So few that inserts do not fill all
   * clean regions while a large index is swept.
   */
  private static final int SLOTS_PER_WRITE = 1 << 18;

  private final RegionLog log;
  private final Storage storage;
  private final double ratio;

  RegionReclaimer(RegionLog log, Storage storage, double ratio) {
    this.log = log;
    this.storage = storage;
    this.ratio = ratio;
  }

  /** Whether regions should be made clean. Under the lock. */
  boolean isDue() {
    return log.free < Math.max(1, cleanGoal() / 2) && hasFull();
  }

  /** If there are many regions, so many that one sweep of the index is for more than one. */
  private int cleanGoal() {
    return Math.max(1, log.regions.length / 128);
  }

  private boolean hasFull() {
    for (Region region : log.regions) {
      if (region.stage == Region.Stage.FULL) {
        return true;
      }
    }
    return false;
  }

  /** Writes while regions are made clean. */
  interface Writing {
    /** Writes a piece of what waits; false if nothing is due or can be written. */
    boolean writeDue();
  }

  /** Makes regions clean. */
  void run(Writing writing) {
    List<Region> leaving = choose();
    if (leaving.isEmpty()) {
      return;
    }
    boolean isSwept = false;
    try {
      if (ratio > 0) {
        reinsertHit(leaving.size(), writing);
      }
      sweep(writing);
      isSwept = true;
    } finally {
      leave(leaving, isSwept);
    }
  }

  /** Makes regions clean; or full again if what is in them could not be given up. */
  private void leave(List<Region> leaving, boolean isSwept) {
    log.lock.lock();
    try {
      for (Region region : leaving) {
        if (region.stage == Region.Stage.LEAVING && isSwept) {
          log.emptied(region);
          log.free++;
        } else if (region.stage == Region.Stage.LEAVING) {
          region.stage = Region.Stage.FULL;
        }
      }
    } finally {
      log.lock.unlock();
    }
  }

  private List<Region> choose() {
    log.lock.lock();
    try {
      List<Region> full = new ArrayList<>();
      for (Region region : log.regions) {
        if (region.stage == Region.Stage.FULL) {
          full.add(region);
        }
      }
      full.sort(Comparator.comparingLong(region -> region.firstSequence));
      int count = Math.max(0, Math.min(full.size(), cleanGoal() - log.free));
      List<Region> chosen = List.copyOf(full.subList(0, count));
      chosen.forEach(region -> region.stage = Region.Stage.LEAVING);
      return chosen;
    } finally {
      log.lock.unlock();
    }
  }

  private void reinsertHit(int regions, Writing writing) {
    List<Place> places = placesHit((long) (ratio * log.regionBytes * regions), writing);
    places.sort(Comparator.comparingLong(place -> storage.position(place.slot)));
    for (Place place : places) {
      writing.writeDue();
      if (!mayGoOn() || !reinserted(place, writing)) {
        return;
      }
    }
  }

  /**
   * Not when inserts have left so few clean regions that they may run out before the sweep ends.
   */
  private boolean mayGoOn() {
    log.lock.lock();
    try {
      return !log.closing && log.free >= cleanGoal() / 8;
    } finally {
      log.lock.unlock();
    }
  }

  /** Where records are that were hit, of so many bytes at most. */
  private List<Place> placesHit(long budget, Writing writing) {
    Region[] regions = log.regions;
    List<Place> places = new ArrayList<>();
    long bytes = 0;
    for (int position = 0; position < log.index.length(); position++) {
      if (position % SLOTS_PER_WRITE == 0) {
        writing.writeDue();
      }
      long slot = log.index.get(position);
      int region = log.layout.region(slot);
      if (SlotLayout.isHit(slot)
          && region < regions.length
          && regions[region].stage == Region.Stage.LEAVING) {
        bytes += log.layout.bytes(slot);
        if (bytes > budget) {
          break;
        }
        places.add(new Place(position, slot));
      }
    }
    return places;
  }

  /** False if there is no room for more, and none comes by writing. */
  private boolean reinserted(Place place, Writing writing) {
    ByteBuffer bytes;
    try {
      bytes = storage.read(place.slot, new ReadBuffer(false));
    } catch (IOException | OutOfMemoryError failed) {
      return true;
    }
    int region = log.layout.region(place.slot);
    Region[] regions = log.regions;
    if (region >= regions.length || bytes.limit() < DiskRecord.HEADER_BYTES) {
      return true;
    }
    long hi = DiskRecord.keyHi(bytes);
    long lo = DiskRecord.keyLo(bytes);
    long first = regions[region].firstSequence;
    long position = storage.position(place.slot);
    if (DiskRecord.judge(bytes, log.magic, position, log.epoch, first, hi, lo)
        != DiskRecord.Kind.MATCH) {
      return true;
    }
    byte[] payload = new byte[DiskRecord.payload(bytes).remaining()];
    bytes.get(payload);
    if (!log.signing.isSound(payload)) {
      return true;
    }
    boolean isDone = moved(place, hi, lo, payload);
    while (!isDone && mayGoOn() && writing.writeDue()) {
      isDone = moved(place, hi, lo, payload);
    }
    return isDone;
  }

  /** Whether it is written again, or need not be; false if there is no room. */
  private boolean moved(Place place, long hi, long lo, byte[] payload) {
    long hash = log.index.hash(hi, lo);
    log.lock.lock();
    try {
      if (!SlotLayout.same(log.index.get(place.position), place.slot)
          || !log.layout.hasPrint(place.slot, hash)
          || log.regions[log.layout.region(place.slot)].stage != Region.Stage.LEAVING) {
        return true;
      }
      long slot = log.closing ? 0 : log.append(hash, hi, lo, payload);
      if (slot == 0) {
        return false;
      }
      log.index.moveAt(place.position, slot);
      log.reinserted++;
      log.reinsertedBytes += DiskRecord.bytes(payload.length);
      return true;
    } finally {
      log.lock.unlock();
    }
  }

  /** Takes all out of the index that is still in regions that leave. */
  private void sweep(Writing writing) {
    for (int from = 0; from < log.index.length(); from += SWEEP) {
      if (from % SLOTS_PER_WRITE == 0) {
        writing.writeDue();
      }
      log.lock.lock();
      try {
        int to = Math.min(from + SWEEP, log.index.length());
        Region[] regions = log.regions;
        log.dropped +=
            log.index.sweep(
                from, to, slot -> regions[log.layout.region(slot)].stage == Region.Stage.LEAVING);
      } finally {
        log.lock.unlock();
      }
    }
  }

  /** A slot as it was seen. */
  private record Place(int position, long slot) {}
}
