/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;

/**
 * Generalized CLOCK: newcomers start at 3, 2 or 1 by priority, each use adds one up to 3, each
 * visit takes one, and an entry found at 0 leaves.
 *
 * <p>Source: RocksDB {@code ClockUpdate}.
 */
public final class ClassicClock implements Replacement {
  private static final int MAX = 3;

  @Override
  public int initialCountdown(Priority priority) {
    return switch (priority) {
      case HIGH -> 3;
      case LOW -> 2;
      case BOTTOM -> 1;
    };
  }

  @Override
  public int maxCountdown() {
    return MAX;
  }

  @Override
  public int visit(int countdown) {
    return Math.min(countdown, MAX) - 1;
  }
}
