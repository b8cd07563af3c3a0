/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import io.hyperclock.secondary.RecordKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Checks of what users give to tiers and their builders: each says the rule, the name, the value.
 */
public final class Arguments {
  private Arguments() {}

  /** The text, which is not blank. */
  public static String notBlank(String name, String text) {
    if (Objects.requireNonNull(text, () -> name + " must not be null").isBlank()) {
      throw new IllegalArgumentException(
          name + " must not be blank: " + name + "=\"" + text + "\"");
    }
    return text;
  }

  /** The number, which is greater than 0. */
  public static long positive(String name, long number) {
    if (number <= 0) {
      throw new IllegalArgumentException(name + " must be > 0: " + name + "=" + number);
    }
    return number;
  }

  /** The number, which is at least 0. */
  public static long notNegative(String name, long number) {
    if (number < 0) {
      throw new IllegalArgumentException(name + " must be >= 0: " + name + "=" + number);
    }
    return number;
  }

  /** The duration, from a millisecond to so many days. */
  public static Duration upToDays(String name, Duration duration, int days) {
    Objects.requireNonNull(duration, () -> name + " must not be null");
    if (duration.compareTo(Duration.ofMillis(1)) < 0
        || duration.compareTo(Duration.ofDays(days)) > 0) {
      String most = days == 1 ? "1 day" : days + " days";
      throw new IllegalArgumentException(
          name + " must be in [1 ms, " + most + "]: " + name + "=" + duration);
    }
    return duration;
  }

  /** The former keys in a list of their own; none of them is null, nor is the current one. */
  public static List<RecordKey> former(RecordKey current, RecordKey... former) {
    Objects.requireNonNull(current, "current must not be null");
    for (RecordKey key : Objects.requireNonNull(former, "former must not be null")) {
      Objects.requireNonNull(key, "former must not be null");
    }
    return List.of(former);
  }
}
