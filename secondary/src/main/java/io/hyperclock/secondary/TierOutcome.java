/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

/** How a lookup in a tier ended. */
public enum TierOutcome {
  /** The value was found. */
  HIT,
  /** The tier does not hold the key. */
  ABSENT,
  /** Too much was asked for at once; the tier did not look. */
  BUSY,
  /** The answer did not come in time. */
  TIMED_OUT,
  /** A record was found but was damaged, or was not what it should be. */
  CORRUPT,
  /** The record was sound, but the codec could not decode it. */
  UNDECODABLE,
  /**
   * The tier could not be reached or could not read, or there was no room or no stack to decode a
   * value.
   */
  UNAVAILABLE,
  /** The tier was closed. */
  CLOSED
}
