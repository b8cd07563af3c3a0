/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/** What readers of a key find while it has a prepared version. */
public enum PrepareMode {
  /** The committed value, as if there were no prepared one. */
  PLAIN,
  /**
   * That the answer is in doubt ({@link InDoubtException}): the prepared value may have been shown
   * as committed elsewhere, so that the committed one may be older than what a reader has seen.
   */
  IN_DOUBT
}
