/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where a cache keeps blocks that are to outlive it.
 *
 * @param directory used by one cache alone
 * @param bytes what it may take there, at least 32 MiB
 */
public record DiskSpace(Path directory, long bytes) {
  /** Smallest size: two regions. */
  public static final long MIN_BYTES = 32L << 20;

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException if it is too small
   */
  public DiskSpace {
    Objects.requireNonNull(directory, "directory must not be null");
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException("bytes must be >= " + MIN_BYTES + ": bytes=" + bytes);
    }
  }
}
