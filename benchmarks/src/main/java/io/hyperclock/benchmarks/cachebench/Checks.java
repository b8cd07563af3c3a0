/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.util.Locale;

/** Refuses values of options. */
final class Checks {
  private Checks() {}

  static void requireIn(String name, double value, double min, double max) {
    require(
        value >= min && value <= max,
        String.format(
            Locale.ROOT,
            "%s must be in [%s, %s]: %s=%s",
            name,
            number(min),
            number(max),
            name.substring(2),
            number(value)));
  }

  private static String number(double value) {
    return value == Math.rint(value) && !Double.isInfinite(value)
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }

  static void require(boolean valid, String rule) {
    if (!valid) {
      throw new IllegalArgumentException(rule);
    }
  }
}
