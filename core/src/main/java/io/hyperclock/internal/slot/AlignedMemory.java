/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.nio.ByteBuffer;

/** Memory off the heap, of zeros, from a cache line's start; freed with the buffer. */
final class AlignedMemory {
  static final int CACHE_LINE = 64;

  /** Most bytes that one buffer can have here. */
  static final int MAX_BYTES = Integer.MAX_VALUE - 2 * CACHE_LINE;

  private AlignedMemory() {}

  static ByteBuffer allocate(int bytes) {
    int lines = (bytes + CACHE_LINE - 1) / CACHE_LINE;
    return ByteBuffer.allocateDirect((lines + 1) * CACHE_LINE).alignedSlice(CACHE_LINE);
  }
}
