/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static io.micrometer.core.instrument.Meter.Type.OTHER;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.StatsCollector;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer meters of one cache: those that caches usually have as {@code cache.*}, all others as
 * {@code hyperclock.*}, and those of the roles with a tag {@code role}. Every meter has a tag
 * {@code cache} and a base unit, so that Prometheus has {@code cache_gets_reads_total} where
 * Micrometer's own cache meters, which have no units, are {@code cache_gets_total}.
 *
 * <pre>{@code
 * new HyperClockMetrics(cache, "blocks", List.of()).bindTo(registry);
 * }</pre>
 *
 * <p>All meters read one {@link StatsCollector}, so that a scrape costs one scan of the table at
 * most. Hits and misses need {@link io.hyperclock.BlockCacheBuilder#recordHits}.
 *
 * <p><b>The cache is referenced weakly</b>, here and by the meters: a registry does not keep it
 * alive. Once it is closed or unreachable, gauges read NaN and counters stay where they were.
 * {@link #close()} removes the meters from their registries; the cache is not closed. Meters of
 * another cache that have the same names and tags are replaced, so that a cache which takes the
 * place of another is shown.
 */
public final class HyperClockMetrics implements MeterBinder, AutoCloseable {
  private final WeakCache cache;
  private final StatsCollector<CacheStats> collector;
  private final Tags tags;
  private final Set<EntryRole> roles;

  /** By the ids before the filters of the registry, which guards them. */
  private final Map<MeterRegistry, Map<Meter.Id, Meter>> bound = new ConcurrentHashMap<>();

  /**
   * Meters of all roles, from snapshots at least a second apart.
   *
   * @param cache the cache
   * @param cacheName value of the tag {@code cache}
   * @param tags more tags for all meters
   */
  public HyperClockMetrics(BlockCache<?> cache, String cacheName, Iterable<Tag> tags) {
    this(cache, cacheName, tags, EnumSet.allOf(EntryRole.class), collector(cache));
  }

  /**
   * Meters of some roles.
   *
   * @param cache the cache
   * @param cacheName value of the tag {@code cache}
   * @param tags more tags for all meters
   * @param roles roles that get meters of their own
   * @param collector where the metrics come from; it must not refer to the cache strongly if the
   *     cache is to be unreachable in spite of its meters
   */
  public HyperClockMetrics(
      BlockCache<?> cache,
      String cacheName,
      Iterable<Tag> tags,
      Set<EntryRole> roles,
      StatsCollector<CacheStats> collector) {
    this.cache = new WeakCache(Objects.requireNonNull(cache, "cache must not be null"));
    this.collector = Objects.requireNonNull(collector, "collector must not be null");
    Objects.requireNonNull(cacheName, "cacheName must not be null");
    this.tags = Tags.of("cache", cacheName).and(tags);
    this.roles = Set.copyOf(Objects.requireNonNull(roles, "roles must not be null"));
  }

  /**
   * Binds the meters of a cache to a registry.
   *
   * @param registry where to
   * @param cache the cache
   * @param cacheName value of the tag {@code cache}
   * @param tags more tags for all meters
   * @return what was bound, to be closed if the meters are to go before the registry
   */
  public static HyperClockMetrics monitor(
      MeterRegistry registry, BlockCache<?> cache, String cacheName, Tag... tags) {
    HyperClockMetrics metrics = new HyperClockMetrics(cache, cacheName, Tags.of(tags));
    metrics.bindTo(registry);
    return metrics;
  }

  private static StatsCollector<CacheStats> collector(BlockCache<?> cache) {
    WeakCache weak = new WeakCache(Objects.requireNonNull(cache, "cache must not be null"));
    return new StatsCollector<>(weak::stats);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    BlockCache<?> present = cache.get();
    if (present == null) {
      return;
    }
    synchronized (registry) {
      Map<Meter.Id, Meter> meters = bound.computeIfAbsent(registry, key -> new HashMap<>());
      Set<Meter> registered = identities(registry.getMeters());
      CacheFigure.all(roles).forEach(figure -> bind(figure, registry, present, meters, registered));
    }
  }

  /** Adds a meter to a registry; its function refers to the cache weakly, as this does. */
  private void bind(
      CacheFigure figure,
      MeterRegistry registry,
      BlockCache<?> observed,
      Map<Meter.Id, Meter> meters,
      Set<Meter> registered) {
    String tagValue = figure.tagValue();
    Tags all = tagValue == null ? tags : tags.and(figure.tag(), tagValue);
    Meter.Id id = new Meter.Id(figure.meter(), all, figure.unit(), figure.description(), OTHER);
    Meter present = meters.get(id);
    if (present != null && registered.contains(present)) {
      return; // A new meter in its place would count all from the start again.
    }
    registry.removeByPreFilterId(id);
    meters.put(
        id,
        figure.kind() == CacheStat.Kind.COUNTER
            ? FunctionCounter.builder(figure.meter(), observed, any -> count(figure))
                .tags(all)
                .baseUnit(figure.unit())
                .description(figure.description())
                .register(registry)
            : Gauge.builder(figure.meter(), observed, any -> gauge(figure))
                .tags(all)
                .baseUnit(figure.unit())
                .description(figure.description())
                .register(registry));
  }

  /** A set of the very meters: those of another cache may be equal. */
  private static Set<Meter> identities(Collection<Meter> meters) {
    Set<Meter> identities = Collections.newSetFromMap(new IdentityHashMap<>());
    identities.addAll(meters);
    return identities;
  }

  /** Null once the cache is closed or unreachable. */
  private @Nullable CacheStats present() {
    try {
      cache.present();
      return collector.get();
    } catch (IllegalStateException e) {
      return null;
    }
  }

  private double gauge(CacheFigure figure) {
    CacheStats stats = present();
    return stats == null ? Double.NaN : figure.value().applyAsLong(stats);
  }

  private double count(CacheFigure figure) {
    CacheStats stats = present();
    return figure.value().applyAsLong(stats == null ? collector.last() : stats);
  }

  /**
   * Removes the meters from all registries that they were bound to, but for those that another
   * cache has replaced. Idempotent.
   */
  @Override
  public void close() {
    for (MeterRegistry registry : bound.keySet()) {
      synchronized (registry) {
        Map<Meter.Id, Meter> meters = bound.get(registry);
        if (meters != null) {
          Set<Meter> ours = identities(meters.values());
          registry.getMeters().stream().filter(ours::contains).forEach(registry::remove);
          // Last: where a listener of the registry throws, the rest can be removed by another call.
          bound.remove(registry);
        }
      }
    }
  }
}
