/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a tier serves.
 *
 * @param mode what it does now
 * @param reason why it does not do more, for people to read; empty if it is open
 * @param cause the failure behind the reason, for programs too; null if none is known
 */
public record TierState(Mode mode, String reason, @Nullable Cause cause) {
  /**
   * A failure that keeps a tier from serving.
   *
   * @param type what kind of failure, a word that does not change, such as {@code WRONG_PASSWORD};
   *     the documentation of a tier lists those that it has
   * @param message details, for people to read
   */
  public record Cause(String type, String message) {
    /** Checks that nothing is null. */
    public Cause {
      Objects.requireNonNull(type, "type must not be null");
      Objects.requireNonNull(message, "message must not be null");
    }

    @Override
    public String toString() {
      return type + ": " + message;
    }
  }

  /** What a tier does. */
  public enum Mode {
    /** Takes inserts and answers lookups. */
    OPEN,
    /** Answers lookups, declines inserts; opens again by itself. */
    READ_ONLY,
    /**
     * Declines inserts; lookups miss, but a disk tier may still answer what it has in memory. Opens
     * again by itself or by a new capacity.
     */
    BYPASS,
    /** Closed for good. */
    CLOSED
  }

  /** Serves fully. */
  public static final TierState OPEN = new TierState(Mode.OPEN, "");

  /** Closed by its owner. */
  public static final TierState CLOSED = new TierState(Mode.CLOSED, "closed");

  /**
   * A state without a known cause.
   *
   * @param mode what the tier does now
   * @param reason why it does not do more; empty if it is open
   */
  public TierState(Mode mode, String reason) {
    this(mode, reason, null);
  }

  /**
   * Checks that a reason is given where it must be.
   *
   * @throws IllegalArgumentException if a tier is open with a reason or a cause, or not open
   *     without a reason
   */
  public TierState {
    Objects.requireNonNull(mode, "mode must not be null");
    if ((mode == Mode.OPEN) != reason.isEmpty() || mode == Mode.OPEN && cause != null) {
      throw new IllegalArgumentException(
          "reason must be given unless the tier is open: mode=" + mode + ", reason=" + reason);
    }
  }
}
