/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import java.util.Random;

/**
 * How much the tests of this package do. {@code -Ddisk.rounds} multiplies what they repeat, {@code
 * -Ddisk.seed} repeats what a failure printed.
 */
final class Plan {
  /** After how long a test has hung. */
  static final int PATIENCE_SECONDS = 600;

  private static final int ROUNDS = Integer.getInteger("disk.rounds", 1);
  private static final Long SEED = Long.getLong("disk.seed");

  private Plan() {}

  /** How often to do what the quick form does {@code quick} times. */
  static int times(int quick) {
    return quick * ROUNDS;
  }

  static boolean isLong() {
    return ROUNDS > 1;
  }

  static long seed() {
    return SEED != null ? SEED : new Random().nextLong();
  }
}
