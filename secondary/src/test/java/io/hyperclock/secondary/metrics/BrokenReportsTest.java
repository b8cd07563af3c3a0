/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.MuteException;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.stats.StatsCollector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A tier that throws, or says nothing, where it is to speak of itself. */
class BrokenReportsTest {
  private static final int BYTES = 1_000;
  private static final int ROOM = 1 << 20;

  private final AtomicBoolean isBroken = new AtomicBoolean();
  private Supplier<@Nullable Object> answer = BrokenReportsTest::thrown;
  private final TieredBlockCache<byte[]> cache =
      TieredBlockCache.builder(
              BlockCache.<byte[]>builder().capacityBytes(20 * BYTES).estimatedEntryCharge(BYTES))
          .tier(new MapSecondaryCache(ROOM))
          .tier(broken(new MapSecondaryCache(ROOM)))
          .admission(AdmissionPolicy.ALL)
          .executor(Runnable::run)
          .build();

  private SecondaryCache broken(SecondaryCache under) {
    return (SecondaryCache)
        Proxy.newProxyInstance(
            SecondaryCache.class.getClassLoader(),
            new Class<?>[] {SecondaryCache.class},
            (proxy, method, arguments) -> {
              if (isBroken.get()
                  && Set.of("stats", "state", "metrics").contains(method.getName())) {
                return answer.get();
              }
              try {
                return method.invoke(under, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Object thrown() {
    throw new IllegalStateException("on purpose");
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private void fill() {
    for (int key = 0; key < 100; key++) {
      cache.insert(1, key, new byte[10], TestValues.BYTES, BYTES, Priority.LOW);
    }
  }

  @Test
  void keepNoOtherTierFromBeingSeen() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    StatsCollector<TieredStats> eager =
        new StatsCollector<>(cache::stats, Duration.ZERO, 0, System::nanoTime);
    try (TieredMetrics metrics = new TieredMetrics(cache, "broken", List.of(), eager)) {
      metrics.bindTo(registry);
      isBroken.set(true);
      fill();
      assertThat(
              registry
                  .get("hyperclock.tier.inserts")
                  .tags("tier", "0-map", "result", "accepted")
                  .functionCounter()
                  .count())
          .isPositive();
      assertThat(registry.get("hyperclock.tier.open").tag("tier", "0-map").gauge().value()).isOne();
      assertThat(registry.get("hyperclock.tier.open").tag("tier", "1-map").gauge().value())
          .isZero();
      assertThat(registry.get("hyperclock.tier.capacity").tag("tier", "1-map").gauge().value())
          .as("what it said last")
          .isEqualTo(ROOM);
      isBroken.set(false);
      assertThat(registry.get("hyperclock.tier.open").tag("tier", "1-map").gauge().value()).isOne();
    }
  }

  @Test
  void areFailuresOfTheTier() {
    assertAreFailures();
  }

  @Test
  void areFailuresOfTheTierIfItSaysNothing() {
    answer = () -> null;
    assertAreFailures();
  }

  @Test
  void areFailuresOfTheTierIfWhatItThrowsCannotBeShown() {
    answer =
        () -> {
          throw new MuteException();
        };
    assertAreFailures();
  }

  private void assertAreFailures() {
    isBroken.set(true);
    TieredStats.Tier tier = cache.stats().tiers().get(1);
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(tier.stats().capacityBytes()).as("it has said nothing yet").isZero();
    assertThat(tier.metrics()).isEmpty();
    assertThat(cache.stats().tiers().get(1).failures()).isPositive();
  }
}
