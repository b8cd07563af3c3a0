/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.internal.errors.StackReserve;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The regions, the buffers of those that are not yet written, and the only door through which the
 * index changes.
 *
 * <p>Algorithm. One lock. Under it run, for each record, a few steps on the index and one copy into
 * a buffer; no I/O, no codec, no listener. Readers do not take it.
 *
 * <ul>
 *   <li><b>A slot points into the present life of its region.</b> Slots are made only by {@link
 *       #append}, under the lock, for the region being filled. A region is FREE only after the
 *       sweep took all slots out that point to it, and no thread makes new ones while it is
 *       LEAVING.
 *   <li><b>Freshness.</b> Whatever {@link #put} answers, when it returns the key has no slot but
 *       that of this put or of a later call: the index keeps one slot for each key, and changes are
 *       in the order of the lock. Moving a record compares its slot first, and looks whether the
 *       region is in the life that it was read in, so that it never brings back what was replaced
 *       or erased.
 *   <li><b>A reader with an outdated slot</b> may find its region in another life. What it reads
 *       there is certified only if it is a record of its own key written in the life that the
 *       region had when the reader looked: a value inserted after the one that it was after, during
 *       its call. Old bytes, left where a write was lost, have a sequence below that life's first.
 *   <li><b>From buffer to device.</b> A region loses its buffer after all its bytes were written;
 *       so a reader that finds none, or cannot pin it, finds the record on the device.
 * </ul>
 */
final class RegionLog {
  /** Written at once at most, and reason enough to write if so much waits. */
  static final int CHUNK_BYTES = 1 << 20;

  /** Arrays kept for the next regions. */
  private static final int SPARE_ARRAYS = 2;

  final SlotLayout layout;
  final SlotIndex index;
  final long epoch;
  final Signing signing;

  /** What its records begin with. */
  final int magic;

  final int regionBytes;
  private final long maxInFlightBytes;
  private final DiskHealth health;

  final ReentrantLock lock = new ReentrantLock();
  final Condition work = lock.newCondition();

  volatile Region[] regions = {};

  // Guarded by the lock, also where others of this package look at it:
  private final Deque<RegionBuffer> unwritten = new ArrayDeque<>();
  private final Deque<byte[]> spares = new ArrayDeque<>();
  private @Nullable RegionBuffer filling;
  private long nextSequence;
  long capacityBytes;
  int free;
  long usedBytes;
  volatile long inFlightBytes;
  long dropped;
  long noRoom;
  long userBytes;
  long reinserted;
  long reinsertedBytes;
  private boolean inNeed;
  boolean shrunk;
  volatile boolean closing;
  private boolean changedSinceClosing;

  RegionLog(
      SlotLayout layout,
      int regionBytes,
      SlotIndex index,
      long epoch,
      Signing signing,
      DiskHealth health,
      long maxInFlightBytes) {
    this.layout = layout;
    this.regionBytes = regionBytes;
    this.index = index;
    this.epoch = epoch;
    this.signing = signing;
    this.magic = signing.isOn() ? DiskRecord.SIGNED_MAGIC : DiskRecord.MAGIC;
    this.health = health;
    this.maxInFlightBytes = maxInFlightBytes;
  }

  /**
   * Stores a record in place of an older one.
   *
   * @param payload null if there is none: then, and if there is no room, the key is forgotten
   * @return whether it is stored
   */
  boolean put(long hi, long lo, byte @Nullable [] payload) {
    long hash = index.hash(hi, lo);
    boolean isHealthy = health.takesInserts(); // May log: so without the lock.
    StackReserve.require(); // What is begun is to be ended, and the lock to be given back.
    lock.lock();
    try {
      boolean takes = isHealthy && !closing;
      long slot = payload == null || !takes ? 0 : append(hash, hi, lo, payload);
      if (payload == null || slot == 0) {
        forgetKey(hash);
        noRoom += takes && (payload != null || isFull()) ? 1 : 0;
        return false;
      }
      index.put(hash, slot, this::age);
      userBytes += payload.length;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether an insert may have a chance; read without the lock, to spare work. */
  boolean mayTake() {
    return regions.length > 0 && !closing && health.takesInserts() && !isFull();
  }

  private boolean isFull() {
    return inFlightBytes >= maxInFlightBytes;
  }

  private long age(int region) {
    return regions[region].firstSequence;
  }

  void erase(long hi, long lo) {
    long hash = index.hash(hi, lo);
    StackReserve.requireLittle();
    lock.lock();
    try {
      forgetKey(hash);
    } finally {
      lock.unlock();
    }
  }

  private void forgetKey(long hash) {
    changedSinceClosing |= index.remove(hash) && closing;
  }

  /** Copies a record into the buffer being filled; 0 if it has no room. Under the lock. */
  long append(long hash, long hi, long lo, byte[] payload) {
    int bytes = DiskRecord.bytes(payload.length);
    if (bytes > regionBytes) {
      return 0;
    }
    RegionBuffer to = inFlightBytes + bytes > maxInFlightBytes ? null : bufferFor(bytes);
    if (to == null) {
      inNeed = true;
      work.signal();
      return 0;
    }
    int at = to.end;
    long position = Storage.position(to.region.id, regionBytes, at);
    DiskRecord.write(to.bytes, at, magic, epoch, nextSequence++, position, hi, lo, payload);
    to.end += bytes;
    to.region.used = to.end;
    usedBytes += bytes;
    inFlightBytes += bytes;
    if (to.end - to.written >= chunkBytes()) {
      work.signal();
    }
    return layout.slot(hash, to.region.id, at, bytes);
  }

  private int chunkBytes() {
    return (int) Math.max(1, Math.min(CHUNK_BYTES, Math.min(maxInFlightBytes, regionBytes) / 4));
  }

  private @Nullable RegionBuffer bufferFor(int bytes) {
    RegionBuffer current = filling;
    if (current != null && current.end + bytes <= regionBytes) {
      return current;
    }
    Region next = free == 0 || tooManyBuffers() ? null : firstFree();
    byte[] array = next == null ? null : array();
    if (array != null || regions.length == 1) {
      seal();
    }
    if (next == null || array == null) {
      return null;
    }
    RegionBuffer buffer = new RegionBuffer(next, array);
    next.stage = Region.Stage.OPEN;
    next.firstSequence = nextSequence;
    next.buffer = buffer;
    free--;
    unwritten.add(buffer);
    filling = buffer;
    work.signal();
    return buffer;
  }

  private byte @Nullable [] array() {
    byte[] spare = spares.poll();
    try {
      return spare == null ? new byte[regionBytes] : spare;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private void seal() {
    if (filling != null) {
      filling.sealed = true;
      filling = null;
      work.signal();
    }
  }

  private boolean tooManyBuffers() {
    return unwritten.size() >= 2 + maxInFlightBytes / regionBytes;
  }

  private @Nullable Region firstFree() {
    for (Region region : regions) {
      if (region.stage == Region.Stage.FREE) {
        return region;
      }
    }
    return null;
  }

  /**
   * Forgets a record that a reader found damaged; it is found so again if the lock is taken.
   *
   * @return whether it is forgotten; else it may be sound when it is read again
   */
  boolean forget(int position, long seen) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      boolean removed = index.removeAt(position, seen);
      dropped += removed ? 1 : 0;
      return removed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the capacity. What is in regions beyond it is dropped: those that stay are the first of
   * the file, so that the rest of it can be given back.
   */
  void setCapacity(long bytes) {
    StackReserve.require();
    lock.lock();
    try {
      if (closing) {
        return;
      }
      int count = (int) Math.min(bytes / regionBytes, SlotLayout.MAX_REGIONS);
      Region[] old = regions;
      // All that may find no memory comes before the first change.
      Region[] now = Arrays.copyOf(old, count);
      for (int id = old.length; id < count; id++) {
        now[id] = new Region(id);
      }
      capacityBytes = bytes;
      free += Math.max(0, count - old.length);
      for (int id = count; id < old.length; id++) {
        giveUp(old[id]);
      }
      if (count < old.length) {
        dropped += index.sweep(0, index.length(), slot -> layout.region(slot) >= count);
        shrunk = true;
      }
      regions = now;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  private void giveUp(Region region) {
    RegionBuffer buffer = region.buffer;
    if (buffer != null) {
      inFlightBytes -= buffer.end - buffer.written;
      buffer.dropped = true;
      unwritten.remove(buffer);
      filling = filling == buffer ? null : filling;
    }
    free -= region.stage == Region.Stage.FREE ? 1 : 0;
    emptied(region);
  }

  /** Makes a region have no life. Under the lock. */
  void emptied(Region region) {
    usedBytes -= region.used;
    region.used = 0;
    region.firstSequence = Region.NO_LIFE;
    region.buffer = null;
    region.stage = Region.Stage.FREE;
  }

  // What follows is for the writer.

  /** The buffer to write from next; null if nothing is due. Under the lock. */
  @Nullable RegionBuffer due() {
    RegionBuffer oldest = unwritten.peek();
    if (oldest != null) {
      int waiting = oldest.end - oldest.written;
      boolean isUrgent = inNeed || closing || !health.writeFault().isEmpty();
      if (oldest.sealed || waiting >= chunkBytes() || waiting > 0 && isUrgent) {
        return oldest;
      }
    }
    inNeed = false;
    return null;
  }

  /** So much of a buffer is on the device. Under the lock. */
  void wrote(RegionBuffer buffer, int upTo) {
    if (buffer.dropped) {
      return;
    }
    inFlightBytes -= upTo - buffer.written;
    buffer.written = upTo;
    if (buffer.sealed && upTo == buffer.end) {
      unwritten.remove(buffer);
      buffer.region.stage = Region.Stage.FULL;
      buffer.region.buffer = null;
      if (buffer.retire() && spares.size() < SPARE_ARRAYS) {
        spares.add(buffer.bytes);
      }
    }
  }

  /** Takes no more inserts; what is erased from now on is noted. */
  void beginClosing() {
    StackReserve.requireLittle();
    lock.lock();
    try {
      closing = true;
      seal();
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The snapshot of a closing log; null if not all is written. */
  byte @Nullable [] cut(long incarnation, int compressorId) {
    lock.lock();
    try {
      changedSinceClosing = false;
      return unwritten.isEmpty() && regions.length > 0
          ? Snapshot.write(this, incarnation, nextSequence, compressorId)
          : null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether an erase or insert came after the cut. */
  boolean changedSinceCut() {
    lock.lock();
    try {
      return changedSinceClosing;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a snapshot over, once, before the log is used. */
  void load(Snapshot snapshot) {
    Region[] loaded = new Region[snapshot.regionCount()];
    for (int id = 0; id < loaded.length; id++) {
      Region region = new Region(id);
      region.used = snapshot.used(id);
      region.firstSequence = snapshot.firstSequence(id);
      region.stage = region.used > 0 ? Region.Stage.FULL : Region.Stage.FREE;
      usedBytes += region.used;
      free += region.used > 0 ? 0 : 1;
      loaded[id] = region;
    }
    for (int position = 0; position < index.length(); position++) {
      index.load(position, snapshot.slot(position));
    }
    nextSequence = snapshot.nextSequence();
    regions = loaded;
  }
}
