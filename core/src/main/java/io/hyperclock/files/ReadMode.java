/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

/** What becomes of blocks that a cursor reads. */
public enum ReadMode {
  /** Cached blocks are used, others are cached. */
  ADMIT,
  /**
   * Cached blocks are used, which is no use that replacement notices; others are read into a buffer
   * of the cursor's own. For scans and merges, which would push out what is read again.
   */
  NO_ADMIT,
  /** The cache is not looked at. For what is known to be read once. */
  BYPASS
}
