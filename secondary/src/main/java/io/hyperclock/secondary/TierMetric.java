/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.util.Objects;

/**
 * A metric that only some tiers have; see {@link SecondaryCache#metrics()}.
 *
 * @param name what it is, in lower case with dots, such as {@code disk.written}
 * @param unit what it counts, such as {@code bytes}
 * @param kind how it moves
 * @param value the value now, at least 0
 */
public record TierMetric(String name, String unit, Kind kind, long value) {
  /** How a metric changes. */
  public enum Kind {
    /** Only up: what has been done since the tier was made. */
    COUNT,
    /** Up and down: what there is now. */
    LEVEL
  }

  /** Checks that nothing is null. */
  public TierMetric {
    Objects.requireNonNull(name, "name must not be null");
    Objects.requireNonNull(unit, "unit must not be null");
    Objects.requireNonNull(kind, "kind must not be null");
  }

  /**
   * A metric that only grows.
   *
   * @param name what it is
   * @param unit what it counts
   * @param value the value now
   * @return the metric
   */
  public static TierMetric count(String name, String unit, long value) {
    return new TierMetric(name, unit, Kind.COUNT, value);
  }

  /**
   * A metric that grows and shrinks.
   *
   * @param name what it is
   * @param unit what it counts
   * @param value the value now
   * @return the metric
   */
  public static TierMetric level(String name, String unit, long value) {
    return new TierMetric(name, unit, Kind.LEVEL, value);
  }
}
