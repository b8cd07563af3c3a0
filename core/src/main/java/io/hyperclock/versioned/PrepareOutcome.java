/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

/** Outcome of a prepare. */
public enum PrepareOutcome {
  /** The prepared version is in its slot and stays there until it is decided or its lease ends. */
  PREPARED,
  /**
   * The key has a prepared version already, or a writer of the key was stopped in the middle of its
   * few steps; nothing changed. May be tried again.
   */
  IN_PROGRESS,
  /**
   * As many prepares are in flight as may be, or there is no slot, or no room for the value beside
   * the committed one of its key, or the value is larger than what a shard has for values, whether
   * capacity is strict or not; nothing changed but that others were evicted.
   */
  NO_ROOM,
  /**
   * The group was committed or aborted before the prepare had joined it; nothing changed. If the
   * group was aborted at this moment, other threads may have met the prepared version for a moment,
   * as one that is then aborted.
   */
  GROUP_ENDED
}
