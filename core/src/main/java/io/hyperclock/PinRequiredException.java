/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * Thrown by a pin-free read that found a value which is freed explicitly: such a value may be freed
 * while it is read, so it must be read through a handle or in a read scope. The cache is unchanged.
 */
public final class PinRequiredException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the cache.
   *
   * @param message rule and values
   */
  public PinRequiredException(String message) {
    super(message);
  }
}
