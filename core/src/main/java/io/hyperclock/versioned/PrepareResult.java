/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import org.jspecify.annotations.Nullable;

/**
 * Outcome of a prepare.
 *
 * @param outcome the outcome
 * @param token to decide it by, null unless it was prepared
 */
public record PrepareResult(PrepareOutcome outcome, @Nullable PrepareToken token) {
  /**
   * The token of a prepare that is known to have succeeded.
   *
   * @return the token
   * @throws IllegalStateException if it was not prepared
   */
  public PrepareToken orThrow() {
    if (token == null) {
      throw new IllegalStateException("outcome must be PREPARED: outcome=" + outcome);
    }
    return token;
  }
}
