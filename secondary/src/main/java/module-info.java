/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Secondary tiers behind a block cache.
 *
 * <p>{@link io.hyperclock.secondary.SecondaryCache} is the contract of a tier.
 */
module io.hyperclock.secondary {
  requires transitive io.hyperclock;
  requires static org.jspecify;

  exports io.hyperclock.secondary;
}
