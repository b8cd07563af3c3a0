/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import java.time.Instant;
import java.util.Map;

/**
 * Figures at a moment, by the names of the event's fields.
 *
 * @param at when
 * @param figures all whole numbers of the event
 */
record Sample(Instant at, Map<String, Long> figures) {
  long get(String figure) {
    return figures.getOrDefault(figure, 0L);
  }

  /** How much a counter has grown; a counter that fell started anew in between. */
  long since(Sample before, String counter) {
    long now = get(counter);
    long then = before.get(counter);
    return now >= then ? now - then : now;
  }
}
