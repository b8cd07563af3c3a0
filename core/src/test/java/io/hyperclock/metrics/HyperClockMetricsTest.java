/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.StatsCollector;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class HyperClockMetricsTest {
  private static final EntryType<String> FILTER =
      EntryType.<String>named("filter").role(EntryRole.FILTER_BLOCK).build();

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger scans = new AtomicInteger();

  private static BlockCache<String> cache() {
    return BlockCache.<String>builder()
        .capacityBytes(1 << 20)
        .estimatedEntryCharge(1 << 10)
        .recordHits(true)
        .build();
  }

  private HyperClockMetrics bind(BlockCache<String> cache, Set<EntryRole> roles) {
    StatsCollector<CacheStats> collector =
        new StatsCollector<>(
            () -> {
              scans.incrementAndGet();
              return cache.monitor().stats();
            },
            Duration.ofNanos(100),
            0,
            clock::get);
    HyperClockMetrics metrics =
        new HyperClockMetrics(cache, "blocks", Tags.of("tier", "one"), roles, collector);
    metrics.bindTo(registry);
    return metrics;
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags("cache", "blocks").tags(tags).gauge().value();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags("cache", "blocks").tags(tags).functionCounter().count();
  }

  @Test
  void nullIsRefusedByName() {
    assertThatThrownBy(() -> new HyperClockMetrics(null, "blocks", Tags.empty()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("cache must not be null");
    try (BlockCache<String> cache = cache()) {
      assertThatThrownBy(() -> new HyperClockMetrics(cache, null, Tags.empty()))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("cacheName must not be null");
      assertThatThrownBy(() -> HyperClockMetrics.monitor(registry, cache, null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("cacheName must not be null");
      assertThatThrownBy(() -> bind(cache, null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("roles must not be null");
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void metersShowTheFigures() {
    try (BlockCache<String> cache = cache()) {
      bind(cache, EnumSet.of(EntryRole.DATA_BLOCK, EntryRole.FILTER_BLOCK));
      cache.insert(1, 1, "data", 1000);
      cache.insert(1, 1, "again", 1000);
      cache.insert(1, 2, "filter", FILTER, 300, Priority.LOW);
      cache.get(1, 1);
      cache.get(1, 1);
      cache.get(1, 9);
      try (Handle<String> handle = cache.lookup(1, 2)) {
        assertThat(handle).isNotNull();
        clock.addAndGet(100);
        assertThat(count("cache.gets", "result", "hit", "tier", "one")).isEqualTo(3);
        assertThat(count("cache.gets", "result", "miss")).isEqualTo(1);
        assertThat(count("cache.puts")).isEqualTo(2);
        assertThat(count("cache.evictions")).isZero();
        assertThat(gauge("cache.size")).isEqualTo(2);
        assertThat(gauge("hyperclock.capacity")).isEqualTo(1 << 20);
        assertThat(gauge("hyperclock.usage")).isEqualTo(cache.monitor().usageBytes());
        assertThat(gauge("hyperclock.usage.metadata"))
            .isEqualTo(cache.monitor().usageBytes() - 1300);
        assertThat(gauge("hyperclock.usage.pinned")).isEqualTo(300);
        assertThat(gauge("hyperclock.slots")).isEqualTo(cache.monitor().slots());
        assertThat(count("hyperclock.inserts.rejected", "result", "kept_existing")).isEqualTo(1);
        assertThat(gauge("hyperclock.role.usage", "role", "data_block")).isEqualTo(1000);
        assertThat(gauge("hyperclock.role.pinned", "role", "filter_block")).isEqualTo(300);
        assertThat(count("hyperclock.role.hits", "role", "data_block")).isEqualTo(2);
        assertThat(count("hyperclock.role.hits", "role", "filter_block")).isEqualTo(1);
      }
    }
  }

  /** As long as the cache is open, what a collector has thrown once says nothing of later. */
  @Test
  void aCollectorThatFailedOnceIsAskedAgain() {
    try (BlockCache<String> cache = cache()) {
      StatsCollector<CacheStats> failing =
          new StatsCollector<>(
              () -> {
                if (scans.incrementAndGet() == 2) {
                  throw new IllegalStateException("not now");
                }
                return cache.monitor().stats();
              },
              Duration.ofNanos(100),
              0,
              clock::get);
      new HyperClockMetrics(cache, "blocks", Tags.empty(), Set.of(), failing).bindTo(registry);
      clock.addAndGet(100);
      assertThat(gauge("hyperclock.capacity")).isNaN();
      clock.addAndGet(100);
      assertThat(gauge("hyperclock.capacity")).isEqualTo(1 << 20);
    }
  }

  @Test
  void aScrapeCostsOneScan() {
    try (BlockCache<String> cache = cache()) {
      bind(cache, EnumSet.allOf(EntryRole.class));
      assertThat(registry.getMeters()).hasSizeGreaterThan(90);
      for (int scrape = 1; scrape <= 3; scrape++) {
        clock.addAndGet(100);
        for (Meter meter : registry.getMeters()) {
          meter.measure().forEach(value -> assertThat(value.getValue()).isNotNaN());
        }
        assertThat(scans).hasValue(1 + scrape);
      }
    }
  }

  @Test
  void everyMeterHasUnitDescriptionAndTheNameOfTheCache() {
    try (BlockCache<String> cache = cache()) {
      HyperClockMetrics.monitor(registry, cache, "blocks", Tag.of("tier", "two"));
      assertThat(registry.getMeters())
          .allSatisfy(
              meter -> {
                assertThat(meter.getId().getBaseUnit()).isNotEmpty();
                assertThat(meter.getId().getDescription()).isNotEmpty();
                assertThat(meter.getId().getTag("cache")).isEqualTo("blocks");
                assertThat(meter.getId().getTag("tier")).isEqualTo("two");
                assertThat(meter).isInstanceOfAny(Gauge.class, FunctionCounter.class);
              });
    }
  }

  @Test
  void closingTheCacheStopsGaugesAndKeepsCounts() {
    BlockCache<String> cache = cache();
    bind(cache, Set.of());
    cache.insert(1, 1, "data", 1000);
    clock.addAndGet(100);
    assertThat(count("cache.puts")).isEqualTo(1);
    cache.close();
    assertThat(gauge("cache.size")).as("of before").isNaN();
    clock.addAndGet(100);
    assertThat(gauge("cache.size")).isNaN();
    assertThat(gauge("hyperclock.usage")).isNaN();
    assertThat(count("cache.puts")).isEqualTo(1);
  }

  @Test
  void closingTheBinderRemovesItsMeters() {
    try (BlockCache<String> cache = cache()) {
      registry.counter("another");
      HyperClockMetrics metrics = bind(cache, Set.of(EntryRole.MISC));
      metrics.close();
      metrics.close();
      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getName())
          .containsExactly("another");
      assertThat(cache.monitor().occupancy()).isZero();
    }
  }

  @Test
  void aCloseThatAListenerOfTheRegistryBrokeOffCanBeFinished() {
    try (BlockCache<String> cache = cache()) {
      HyperClockMetrics metrics = bind(cache, Set.of(EntryRole.MISC));
      AtomicBoolean broken = new AtomicBoolean(true);
      registry
          .config()
          .onMeterRemoved(
              meter -> {
                if (broken.getAndSet(false)) {
                  throw new IllegalArgumentException("broken");
                }
              });
      assertThatThrownBy(metrics::close).hasMessage("broken");
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void aCacheThatTakesThePlaceOfAClosedOneHasTheMeters() {
    HyperClockMetrics old;
    try (BlockCache<String> cache = cache()) {
      old = bind(cache, Set.of(EntryRole.MISC));
      cache.insert(1, 1, "data", 1000);
      clock.addAndGet(100);
      assertThat(count("cache.puts")).isEqualTo(1);
    }
    int meters = registry.getMeters().size();
    try (BlockCache<String> cache = cache()) {
      HyperClockMetrics metrics = bind(cache, Set.of(EntryRole.MISC));
      cache.insert(1, 1, "data", 1000);
      cache.insert(1, 2, "more", 1000);
      clock.addAndGet(100);
      assertThat(gauge("cache.size")).isEqualTo(2);
      assertThat(count("cache.puts")).isEqualTo(2);
      assertThat(registry.getMeters()).hasSize(meters);
      old.close();
      assertThat(registry.getMeters()).hasSize(meters);
      assertThat(gauge("cache.size")).isEqualTo(2);
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void metersBoundTwiceAreTheSameAndAreRemovedOnce() {
    registry.config().commonTags("app", "x");
    try (BlockCache<String> cache = cache()) {
      HyperClockMetrics metrics = bind(cache, Set.of(EntryRole.MISC));
      List<Meter> before = registry.getMeters();
      metrics.bindTo(registry);
      // A new counter would count the total again in a registry of steps.
      assertThat(registry.getMeters())
          .usingElementComparator(Comparator.comparing(System::identityHashCode))
          .containsExactlyInAnyOrderElementsOf(before);
      assertThat(gauge("cache.size")).isZero();
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void registryDoesNotKeepTheCacheAlive() {
    BlockCache<String> cache = cache();
    HyperClockMetrics metrics = HyperClockMetrics.monitor(registry, cache, "blocks");
    WeakReference<BlockCache<String>> weak = new WeakReference<>(cache);
    cache = null;
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return weak.get() == null;
            });
    assertThat(gauge("cache.size")).isNaN();
    metrics.close();
  }
}
