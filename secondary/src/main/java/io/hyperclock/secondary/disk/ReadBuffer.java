/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Memory that one lookup at a time reads records into: outside of the heap, where the system copies
 * to directly and checksum and decompressor read from, if there is any for it; else a new array for
 * each read. Little endian. Not thread-safe.
 */
final class ReadBuffer {
  /** Larger records take arrays. */
  static final int MOST_BYTES = 256 << 10;

  private static final int LEAST_BYTES = 16 << 10;

  private boolean isDirect;
  private @Nullable ByteBuffer memory;

  ReadBuffer(boolean isDirect) {
    this.isDirect = isDirect;
  }

  /** Whether it is worth keeping. */
  boolean isDirect() {
    return isDirect;
  }

  /** So many bytes of any content, from position 0 on; what was there before is gone. */
  ByteBuffer of(int bytes) {
    ByteBuffer kept = isDirect && bytes <= MOST_BYTES ? memory(bytes) : null;
    ByteBuffer given = kept == null ? ByteBuffer.allocate(bytes) : kept.clear().limit(bytes);
    return given.order(ByteOrder.LITTLE_ENDIAN);
  }

  private @Nullable ByteBuffer memory(int bytes) {
    ByteBuffer present = memory;
    if (present == null || present.capacity() < bytes) {
      try {
        present = ByteBuffer.allocateDirect(roundUp(bytes));
        memory = present;
      } catch (OutOfMemoryError noneOutsideOfTheHeap) {
        isDirect = false; // Asking again would cost a collection each time.
        memory = null;
        return null;
      }
    }
    return present;
  }

  private static int roundUp(int bytes) {
    return Math.max(LEAST_BYTES, Integer.highestOneBit(Math.max(1, bytes - 1)) << 1);
  }
}
