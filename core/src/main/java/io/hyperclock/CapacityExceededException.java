/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * Thrown when a handle was wanted and strict capacity left no room for the entry. The value is
 * still the caller's; unpinned entries may have been evicted in the attempt.
 */
public final class CapacityExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the cache.
   *
   * @param message rule and values
   */
  public CapacityExceededException(String message) {
    super(message);
  }
}
