/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package stranger;

import io.hyperclock.BlockCache;
import io.hyperclock.metrics.HyperClockMetrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

final class Meters {
  private Meters() {}

  static void bind() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (BlockCache<byte[]> cache = BlockCache.<byte[]>builder().capacityBytes(1 << 20).build();
        HyperClockMetrics metrics = new HyperClockMetrics(cache, "blocks", Tags.empty())) {
      metrics.bindTo(registry);
      if (registry.getMeters().isEmpty()) {
        throw new AssertionError("no meters");
      }
    }
  }
}
