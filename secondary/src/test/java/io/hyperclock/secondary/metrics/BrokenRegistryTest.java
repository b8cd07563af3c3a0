/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A registry one of whose listeners throws. */
class BrokenRegistryTest {
  @Test
  void aCloseThatAListenerBrokeOffCanBeFinished() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    AtomicBoolean isBroken = new AtomicBoolean(true);
    registry
        .config()
        .onMeterRemoved(
            meter -> {
              if (isBroken.getAndSet(false)) {
                throw new IllegalArgumentException("on purpose");
              }
            });
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(20_000).estimatedEntryCharge(1000))
            .tier(new MapSecondaryCache(1 << 20))
            .build()) {
      TieredMetrics metrics = new TieredMetrics(cache, "blocks", List.of());
      metrics.bindTo(registry);
      assertThatThrownBy(metrics::close).hasMessage("on purpose");
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }
}
