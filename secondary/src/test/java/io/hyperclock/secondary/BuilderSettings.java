/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import java.time.Duration;
import java.util.Random;

/** What only tests may tell a builder. */
public final class BuilderSettings {
  private BuilderSettings() {}

  /** Lets a cache choose by chance, but the same each time. */
  public static <V> TieredBlockCacheBuilder<V> seed(TieredBlockCacheBuilder<V> builder, long seed) {
    return builder.random(new Random(seed));
  }

  /** Lets a close save all values, however long that takes. */
  public static <V> TieredBlockCacheBuilder<V> saveAll(TieredBlockCacheBuilder<V> builder) {
    Duration ever = Duration.ofHours(1);
    return builder.mostSaving(ever).tierTimeout(ever);
  }
}
