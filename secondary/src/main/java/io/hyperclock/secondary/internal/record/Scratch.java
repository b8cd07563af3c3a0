/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.record;

/** Two arrays that grow as needed, for the bytes of one value on their way. Not thread-safe. */
final class Scratch {
  /** Larger arrays are left to the garbage collector after use. */
  static final int KEPT_BYTES = 256 << 10;

  private static final byte[] NONE = {};

  private byte[] raw = NONE;
  private byte[] packed = NONE;

  /** An array of at least so many bytes, of any content. */
  byte[] raw(int bytes) {
    if (raw.length < bytes) {
      raw = new byte[roundUp(bytes)];
    }
    return raw;
  }

  /** Another such array. */
  byte[] packed(int bytes) {
    if (packed.length < bytes) {
      packed = new byte[roundUp(bytes)];
    }
    return packed;
  }

  private static int roundUp(int bytes) {
    return bytes > KEPT_BYTES ? bytes : Math.max(1 << 10, Integer.highestOneBit(bytes - 1) << 1);
  }

  /** Lets go of what is too large to be kept. */
  Scratch trimmed() {
    raw = raw.length > KEPT_BYTES ? NONE : raw;
    packed = packed.length > KEPT_BYTES ? NONE : packed;
    return this;
  }
}
