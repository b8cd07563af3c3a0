/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.Objects;

/**
 * Whether a tier serves.
 *
 * @param mode what it does now
 * @param reason why it does not do more, for people to read; empty if it is open
 */
public record TierState(Mode mode, String reason) {
  /** What a tier does. */
  public enum Mode {
    /** Takes inserts and answers lookups. */
    OPEN,
    /** Answers lookups, declines inserts; opens again by itself. */
    READ_ONLY,
    /** Declines inserts, misses every lookup; opens again by itself or by a new capacity. */
    BYPASS,
    /** Closed for good. */
    CLOSED
  }

  /** Serves fully. */
  public static final TierState OPEN = new TierState(Mode.OPEN, "");

  /** Closed by its owner. */
  public static final TierState CLOSED = new TierState(Mode.CLOSED, "closed");

  /**
   * Checks that a reason is given where it must be.
   *
   * @throws IllegalArgumentException if a tier is open with a reason or not open without one
   */
  public TierState {
    Objects.requireNonNull(mode, "mode must not be null");
    if ((mode == Mode.OPEN) != reason.isEmpty()) {
      throw new IllegalArgumentException(
          "reason must be given unless the tier is open: mode=" + mode + ", reason=" + reason);
    }
  }
}
