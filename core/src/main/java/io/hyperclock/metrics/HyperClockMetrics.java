/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import io.hyperclock.stats.StatsCollector;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer meters of one cache: the usual {@code cache.*} and all other figures as {@code
 * hyperclock.*}, those of the roles with a tag {@code role}. Every meter has a tag {@code cache}.
 *
 * <p>All meters read one {@link StatsCollector}, so that a scrape costs one scan of the table at
 * most. Hits and misses need {@link io.hyperclock.BlockCacheBuilder#recordHits}.
 *
 * <p><b>The cache is referenced weakly</b>, here and by the meters: a registry does not keep it
 * alive. Once it is closed or unreachable, gauges read NaN and counters stay where they were.
 * {@link #close()} removes the meters from their registries; the cache is not closed.
 */
public final class HyperClockMetrics implements MeterBinder, AutoCloseable {
  private static final String BYTES = "bytes";
  private static final String ENTRIES = "entries";

  private final WeakReference<BlockCache<?>> cache;
  private final StatsCollector<CacheStats> collector;
  private final Tags tags;
  private final Set<EntryRole> roles;
  private final Map<MeterRegistry, Queue<Meter>> bound = new ConcurrentHashMap<>();
  private volatile boolean gone;

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
   * @param collector where the figures come from; it must not refer to the cache strongly if the
   *     cache is to be unreachable in spite of its meters
   */
  public HyperClockMetrics(
      BlockCache<?> cache,
      String cacheName,
      Iterable<Tag> tags,
      Set<EntryRole> roles,
      StatsCollector<CacheStats> collector) {
    this.cache = new WeakReference<>(Objects.requireNonNull(cache, "cache must not be null"));
    this.collector = Objects.requireNonNull(collector, "collector must not be null");
    this.tags = Tags.of("cache", cacheName).and(tags);
    this.roles = Set.copyOf(roles);
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
    WeakReference<BlockCache<?>> weak = new WeakReference<>(cache);
    return new StatsCollector<>(
        () -> {
          BlockCache<?> present = weak.get();
          if (present == null) {
            throw new IllegalStateException("cache must be reachable");
          }
          return present.stats();
        });
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    BlockCache<?> present = cache.get();
    if (present != null) {
      Binding binding = new Binding(this, registry, present);
      bindStandard(binding);
      bindBytes(binding);
      bindCounts(binding);
      for (EntryRole role : roles) {
        bindRole(binding, role);
      }
    }
  }

  private static void bindStandard(Binding to) {
    to.counter("cache.gets", "reads", "Reads", CacheStats::hits, "result", "hit");
    to.counter("cache.gets", "reads", "Reads", CacheStats::misses, "result", "miss");
    to.counter("cache.puts", ENTRIES, "Entries added", CacheStats::inserts);
    to.counter("cache.evictions", ENTRIES, "Entries evicted", CacheStats::evictions);
    to.gauge("cache.size", ENTRIES, "Slots in use", CacheStats::occupancy);
  }

  private static void bindBytes(Binding to) {
    to.gauge("hyperclock.capacity", BYTES, "Configured capacity", CacheStats::capacityBytes);
    to.gauge("hyperclock.usage", BYTES, "Charge of everything", CacheStats::usageBytes);
    to.gauge(
        "hyperclock.usage.pinned", BYTES, "Of referenced entries", CacheStats::pinnedUsageBytes);
    to.gauge(
        "hyperclock.usage.standalone",
        BYTES,
        "Of entries outside the table",
        CacheStats::standaloneUsageBytes);
    to.gauge("hyperclock.usage.metadata", BYTES, "Of the slots", CacheStats::metadataBytes);
    to.gauge(
        "hyperclock.usage.erased", BYTES, "Of entries erased but held", CacheStats::erasedBytes);
  }

  private static void bindCounts(Binding to) {
    to.gauge("hyperclock.slots", ENTRIES, "Slots in all", CacheStats::slots);
    to.gauge(
        "hyperclock.entries.erased",
        ENTRIES,
        "Entries erased but still held",
        CacheStats::erasedEntries);
    String inserts = "hyperclock.inserts.rejected";
    String description = "Inserts that added no entry";
    to.counter(
        inserts, "inserts", description, CacheStats::keptExisting, "result", "kept_existing");
    to.counter(inserts, "inserts", description, CacheStats::dropped, "result", "dropped");
    to.counter(inserts, "inserts", description, CacheStats::refused, "result", "refused");
    to.counter(
        "hyperclock.replaced",
        ENTRIES,
        "Entries added in place of an older one",
        CacheStats::replaced);
    to.counter(
        "hyperclock.evictions.local",
        ENTRIES,
        "Evicted because both buckets of a new key were full",
        CacheStats::localEvictions);
    to.counter(
        "hyperclock.inserts.without.slot",
        "inserts",
        "That found every slot of both buckets of their key held",
        CacheStats::withoutSlot);
    to.counter(
        "hyperclock.sweeps.abandoned",
        "sweeps",
        "Given up because nearly everything was pinned",
        CacheStats::evictionEffortExceeded);
    to.counter(
        "hyperclock.callback.failures",
        "exceptions",
        "Thrown by disposers, listeners and observers",
        CacheStats::callbackFailures);
    String handles = "handles";
    to.counter(
        "hyperclock.handles.double.closes",
        handles,
        "Closed more than once",
        CacheStats::doubleCloses);
    to.counter("hyperclock.handles.leaked", handles, "Never closed", CacheStats::leakedHandles);
    to.counter("hyperclock.handles.long", handles, "Open for long", CacheStats::longPins);
  }

  private static void bindRole(Binding to, EntryRole role) {
    String value = role.name().toLowerCase(Locale.ROOT);
    to.gauge(
        "hyperclock.role.entries",
        ENTRIES,
        "Visible entries",
        of(role, RoleStats::entries),
        "role",
        value);
    to.gauge(
        "hyperclock.role.usage",
        BYTES,
        "Their charge",
        of(role, RoleStats::chargeBytes),
        "role",
        value);
    to.gauge(
        "hyperclock.role.pinned",
        BYTES,
        "Charge of referenced entries",
        of(role, RoleStats::pinnedBytes),
        "role",
        value);
    to.counter(
        "hyperclock.role.hits",
        "reads",
        "Reads that found one",
        of(role, RoleStats::hits),
        "role",
        value);
    to.counter(
        "hyperclock.role.inserts",
        ENTRIES,
        "Entries added",
        of(role, RoleStats::inserts),
        "role",
        value);
    to.counter(
        "hyperclock.role.evictions",
        ENTRIES,
        "Entries evicted",
        of(role, RoleStats::evictions),
        "role",
        value);
  }

  private static ToLongFunction<CacheStats> of(EntryRole role, ToLongFunction<RoleStats> figure) {
    return stats -> figure.applyAsLong(stats.role(role));
  }

  /** Null once the cache is closed or unreachable. */
  private @Nullable CacheStats present() {
    if (!gone) {
      try {
        CacheStats stats = collector.get();
        return cache.get() == null ? null : stats;
      } catch (IllegalStateException e) {
        gone = true;
      }
    }
    return null;
  }

  private double gauge(ToLongFunction<CacheStats> figure) {
    CacheStats stats = present();
    return stats == null ? Double.NaN : figure.applyAsLong(stats);
  }

  private double count(ToLongFunction<CacheStats> figure) {
    CacheStats stats = present();
    return figure.applyAsLong(stats == null ? collector.last() : stats);
  }

  /** Removes the meters from all registries that they were bound to. Idempotent. */
  @Override
  public void close() {
    for (MeterRegistry registry : bound.keySet()) {
      Queue<Meter> meters = bound.remove(registry);
      if (meters != null) {
        meters.forEach(registry::remove);
      }
    }
  }

  /** Adds meters to one registry, which must not refer to this: it holds the cache. */
  private static final class Binding {
    private final HyperClockMetrics metrics;
    private final MeterRegistry registry;
    private final BlockCache<?> observed;
    private final Queue<Meter> meters;

    Binding(HyperClockMetrics metrics, MeterRegistry registry, BlockCache<?> observed) {
      this.metrics = metrics;
      this.registry = registry;
      this.observed = observed;
      this.meters = metrics.bound.computeIfAbsent(registry, key -> new ConcurrentLinkedQueue<>());
    }

    void counter(
        String name,
        String unit,
        String description,
        ToLongFunction<CacheStats> figure,
        String... more) {
      HyperClockMetrics all = metrics;
      meters.add(
          FunctionCounter.builder(name, observed, any -> all.count(figure))
              .tags(all.tags.and(more))
              .baseUnit(unit)
              .description(description)
              .register(registry));
    }

    void gauge(
        String name,
        String unit,
        String description,
        ToLongFunction<CacheStats> figure,
        String... more) {
      HyperClockMetrics all = metrics;
      meters.add(
          Gauge.builder(name, observed, any -> all.gauge(figure))
              .tags(all.tags.and(more))
              .baseUnit(unit)
              .description(description)
              .register(registry));
    }
  }
}
