/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads and writes of whole pieces: goes on after short ones, counts, and tells the health what
 * fails. Regions follow the head, one after the other. Thread-safe as far as the device is.
 */
final class Storage {
  /** Bytes before the first region. */
  static final int HEAD_BYTES = 4 << 10;

  /** Tries that may move nothing before it is an error. */
  private static final int IDLE_TRIES = 16;

  /** Records are read together if no more lies between them, and up to so much. */
  private static final int MAX_GAP_BYTES = 4 << 10;

  private static final int MAX_RUN_BYTES = 256 << 10;

  private final Device device;
  private final SlotLayout layout;
  private final int regionBytes;
  private final DiskHealth health;
  final LongAdder writtenBytes = new LongAdder();

  Storage(Device device, SlotLayout layout, int regionBytes, DiskHealth health) {
    this.device = device;
    this.layout = layout;
    this.regionBytes = regionBytes;
    this.health = health;
  }

  long position(int region, int offset) {
    return position(region, regionBytes, offset);
  }

  static long position(int region, int regionBytes, int offset) {
    return HEAD_BYTES + (long) region * regionBytes + offset;
  }

  long position(long slot) {
    return position(layout.region(slot), layout.offset(slot));
  }

  /** Bytes to read for a slot: not beyond its region. */
  int bytes(long slot) {
    return Math.max(0, Math.min(layout.bytes(slot), regionBytes - layout.offset(slot)));
  }

  /** Whether to read from the first slot to the next one at once, which is behind the last. */
  boolean areNear(long first, long last, long next) {
    long end = position(last) + bytes(last);
    long nextStart = position(next);
    return layout.region(first) == layout.region(next)
        && nextStart - end <= MAX_GAP_BYTES
        && nextStart + bytes(next) - position(first) <= MAX_RUN_BYTES;
  }

  /** Fewer bytes if the data ends before. */
  byte[] read(long position, int length) throws IOException {
    byte[] bytes = new byte[length];
    int count = readInto(ByteBuffer.wrap(bytes), position);
    return count == length ? bytes : Arrays.copyOf(bytes, count);
  }

  /** Reads what a slot points to into a buffer, up to its new limit. */
  ByteBuffer read(long slot, ReadBuffer into) throws IOException {
    return read(position(slot), bytes(slot), into);
  }

  ByteBuffer read(long position, int length, ReadBuffer into) throws IOException {
    ByteBuffer target = into.of(length);
    readInto(target, position);
    return target.flip();
  }

  private int readInto(ByteBuffer target, long position) throws IOException {
    if (health.reads.isStalled()) {
      // No thread more than those that hang already.
      throw new IOException(health.reads.fault());
    }
    try {
      int idle = 0;
      while (target.hasRemaining()) {
        int before = target.position();
        if (device.read(target, position + before) < 0) {
          break;
        }
        idle = target.position() > before ? 0 : idle + 1;
        if (idle > IDLE_TRIES) {
          throw new IOException("reads must move on: position=" + (position + before));
        }
      }
      health.read();
      return target.position();
    } catch (IOException | RuntimeException e) {
      health.readFailed(e, position, target.limit());
      throw e instanceof IOException io ? io : new IOException(e);
    }
  }

  /** Says, durably, for which snapshot the data is as it was left. */
  void writeHead(long incarnation) throws IOException {
    write(DataHeader.write(incarnation, regionBytes), 0, HEAD_BYTES, 0);
    device.force();
  }

  void write(byte[] from, int offset, int length, long position) throws IOException {
    ByteBuffer source = ByteBuffer.wrap(from, offset, length);
    int idle = 0;
    while (source.hasRemaining()) {
      int before = source.position();
      device.write(source, position + before - offset);
      int moved = source.position() - before;
      writtenBytes.add(moved);
      idle = moved > 0 ? 0 : idle + 1;
      if (idle > IDLE_TRIES) {
        throw new IOException("writes must move on: position=" + position);
      }
    }
  }
}
