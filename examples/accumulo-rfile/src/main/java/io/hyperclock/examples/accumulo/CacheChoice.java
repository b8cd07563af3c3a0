/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A block cache to run the job with, named by the class that Accumulo is configured with. */
enum CacheChoice {
  /** Data blocks are not cached; index blocks are, as in every other run. */
  NONE("no data cache", null),
  LRU("Accumulo LRU", "org.apache.accumulo.core.file.blockfile.cache.lru.LruBlockCacheManager"),
  TINY_LFU(
      "Accumulo TinyLFU (Caffeine)",
      "org.apache.accumulo.core.file.blockfile.cache.tinylfu.TinyLfuBlockCacheManager"),
  HYPER_CLOCK("HyperClock", "io.hyperclock.accumulo.HyperClockBlockCacheManager"),
  /** A part of the same budget holds blocks compressed. */
  HYPER_CLOCK_COMPRESSED("HyperClock + compressed", HYPER_CLOCK.managerClass, share("0.4")),
  /** With a smaller part. */
  HYPER_CLOCK_COMPRESSED_20("HyperClock + compressed, 0.2", HYPER_CLOCK.managerClass, share("0.2")),
  /** With a larger part. */
  HYPER_CLOCK_COMPRESSED_60("HyperClock + compressed, 0.6", HYPER_CLOCK.managerClass, share("0.6")),
  /** The same, whose shares find themselves. */
  HYPER_CLOCK_AUTO("HyperClock + compressed, auto", HYPER_CLOCK.managerClass, share("auto"));

  private final String label;
  private final @Nullable String managerClass;
  private final Map<String, String> properties;

  CacheChoice(String label, @Nullable String managerClass) {
    this(label, managerClass, Map.of());
  }

  CacheChoice(String label, @Nullable String managerClass, Map<String, String> properties) {
    this.label = label;
    this.managerClass = managerClass;
    this.properties = properties;
  }

  /** The part of the data cache that is compressed, as a setting of the server. */
  private static Map<String, String> share(String value) {
    return Map.of("tserver.cache.config.hyperclock.data.compressed.share", value);
  }

  /** Further settings of the server. */
  Map<String, String> properties() {
    return properties;
  }

  /** Name in tables and charts. */
  String label() {
    return label;
  }

  /** Value for {@code general.block.cache.manager.class}. */
  String managerClass() {
    return managerClass == null ? LRU.managerClass() : managerClass;
  }

  /** Whether data blocks are cached, so that the budget matters. */
  boolean cachesData() {
    return managerClass != null;
  }
}
