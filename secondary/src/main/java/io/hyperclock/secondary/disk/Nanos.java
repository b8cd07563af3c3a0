/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as numbers that can be added to a time without an overflow. */
final class Nanos {
  private static final long MAX = Long.MAX_VALUE / 4;

  private Nanos() {}

  static long of(Duration duration) {
    return Math.min(TimeUnit.NANOSECONDS.convert(duration), MAX);
  }
}
