/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;

/** Tests of a cache of one shard that sizes itself; it is whole after each of them. */
abstract class ResizedCache {
  HyperClockCache<Object> cache;

  ResizedCache(HyperClockCache<Object> cache) {
    this.cache = cache;
  }

  @AfterEach
  final void isWhole() {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
  }

  final Resizing resizing() {
    return cache.shards.resizing(0);
  }

  final long refusals() {
    return cache.parts.stats.tablesRefused.sum();
  }
}
