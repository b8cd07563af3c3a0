/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A lock-free CLOCK block cache for storage engines.
 *
 * <p>Start at {@link io.hyperclock.BlockCache#builder()}. Packages named {@code internal} are not
 * exported, one of them only to the tiers, and may change at any time.
 */
@SuppressWarnings({"module", "requires-automatic"})
module io.hyperclock {
  requires static java.management;
  requires static java.net.http;
  requires static jdk.jfr;
  requires static micrometer.core;
  requires static org.jspecify;

  exports io.hyperclock;
  exports io.hyperclock.entry;
  exports io.hyperclock.files;
  exports io.hyperclock.memory;
  exports io.hyperclock.reservation;
  exports io.hyperclock.metrics;
  exports io.hyperclock.stats;
  exports io.hyperclock.versioned;

  exports io.hyperclock.internal.errors to
      io.hyperclock.secondary;
}
