/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/**
 * Thrown by a read of a key whose prepared version is in doubt: neither the committed value nor its
 * absence may be relied on until the prepare is decided. May be tried again. Has no stack trace.
 */
public final class InDoubtException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Made by the cache. */
  public InDoubtException(long keyHi, long keyLo) {
    super(
        "a key in doubt must be decided before it is read: keyHi=" + keyHi + ", keyLo=" + keyLo,
        null,
        false,
        false);
  }
}
