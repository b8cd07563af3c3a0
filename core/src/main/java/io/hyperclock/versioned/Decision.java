/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/** Outcome of a commit or abort. */
public enum Decision {
  /** Done, now or by an earlier call with the same intent. */
  OK,
  /**
   * Not done: decided otherwise before, or the lease had ended, or the token or group is of another
   * cache.
   */
  STALE,
  /** Only of the commit of a group: one of its prepares has not returned yet. Nothing changed. */
  IN_PROGRESS
}
