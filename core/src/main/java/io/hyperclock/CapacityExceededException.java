/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * Thrown where there is no room for an entry that must be returned. Unpinned entries may have been
 * evicted in the attempt.
 *
 * <p><b>Ownership.</b> From a method that was given the value, it is still the caller's. From a
 * method that was given a loader, the value that was loaded has been disposed.
 */
public final class CapacityExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the cache, or by a codec that has no room for a value.
   *
   * @param message rule and values
   */
  public CapacityExceededException(String message) {
    super(message);
  }
}
