/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.metrics;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredRoleStats;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.stats.StatsCollector;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer meters of what moves between a cache and its tiers, and of each tier. The primary has
 * meters of its own: {@link io.hyperclock.metrics.HyperClockMetrics}. The table is in {@code
 * secondary/docs/metrics.md}.
 *
 * <p>All meters read one snapshot, taken at most once a second and at most a hundredth of the time:
 * it scans the primary. The cache is referenced weakly; once it is closed or unreachable, gauges
 * read NaN and counters stay. Meters of another cache that have the same names and tags are
 * replaced. Thread-safe.
 */
public final class TieredMetrics implements MeterBinder, AutoCloseable {
  private static final String READS = "reads";
  private static final String VALUES = "values";
  private static final String BYTES = "bytes";

  private final WeakReference<TieredBlockCache<?>> cache;
  private final StatsCollector<TieredStats> collector;
  private final Tags tags;

  /** By the ids before the filters of the registry, which guards them. */
  private final Map<MeterRegistry, Map<Meter.Id, Meter>> bound = new ConcurrentHashMap<>();

  private volatile boolean gone;

  /**
   * Meters of one cache.
   *
   * @param cache the cache
   * @param cacheName value of the tag {@code cache}
   * @param tags more tags for all meters
   */
  public TieredMetrics(TieredBlockCache<?> cache, String cacheName, Iterable<Tag> tags) {
    this(cache, cacheName, tags, collector(cache));
  }

  TieredMetrics(
      TieredBlockCache<?> cache,
      String cacheName,
      Iterable<Tag> tags,
      StatsCollector<TieredStats> collector) {
    this.cache = new WeakReference<>(cache);
    Objects.requireNonNull(cacheName, "cacheName must not be null");
    this.tags = Tags.of("cache", cacheName).and(tags);
    this.collector = collector;
  }

  private static StatsCollector<TieredStats> collector(TieredBlockCache<?> cache) {
    WeakReference<TieredBlockCache<?>> weak =
        new WeakReference<>(Objects.requireNonNull(cache, "cache must not be null"));
    return new StatsCollector<>(
        () -> {
          TieredBlockCache<?> present = weak.get();
          if (present == null) {
            throw new IllegalStateException("cache must be reachable");
          }
          return present.stats();
        });
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    TieredBlockCache<?> observed = cache.get();
    if (observed != null) {
      synchronized (registry) {
        bindAll(registry, observed);
      }
    }
  }

  private void bindAll(MeterRegistry registry, TieredBlockCache<?> observed) {
    for (EntryRole role : EntryRole.values()) {
      bindRole(new Binding(registry, observed, Tags.of("role", lowerCase(role))), role);
    }
    Binding all = new Binding(registry, observed, Tags.empty());
    all.gauge("hyperclock.tiers.pending", VALUES, TieredStats::pendingOffers);
    all.gauge("hyperclock.tiers.pending.charge", BYTES, TieredStats::pendingOfferBytes);
    all.gauge("hyperclock.tiers.budget", BYTES, stats -> stats.budget().totalBytes());
    all.gauge("hyperclock.tiers.budget.charged", BYTES, stats -> stats.budget().chargedBytes());
    all.gauge("hyperclock.tiers.budget.overdraft", BYTES, stats -> stats.budget().overdraftBytes());
    for (int i = 0; i < collector.last().tiers().size(); i++) {
      TieredStats.Tier tier = collector.last().tiers().get(i);
      Binding to = new Binding(registry, observed, Tags.of("tier", i + "-" + tier.name()));
      bindTier(to, i);
      for (TierMetric figure : tier.metrics()) {
        bindFigure(to, i, figure);
      }
    }
  }

  private static void bindRole(Binding to, EntryRole role) {
    to.gauge(
        "hyperclock.tiers.budget.reserved",
        BYTES,
        stats -> stats.budget().reserved().getOrDefault(role, 0L));
    to.role("lookups", READS, role, TieredRoleStats::hits, "hit");
    to.role("lookups", READS, role, TieredRoleStats::misses, "miss");
    to.role("rises", VALUES, role, TieredRoleStats::firstTouches, "standalone");
    to.role("rises", VALUES, role, TieredRoleStats::promotions, "inserted");
    to.role("offers", VALUES, role, TieredRoleStats::accepted, "accepted");
    to.role("offers", VALUES, role, TieredRoleStats::declined, "declined");
    to.role("offers", VALUES, role, TieredRoleStats::overflowed, "overflowed");
    to.role("offers", VALUES, role, TieredRoleStats::superseded, "superseded");
    to.role("offers", VALUES, role, TieredRoleStats::putBack, "put_back");
    to.role("offers", VALUES, role, TieredRoleStats::keptBelow, "kept_below");
  }

  private static void bindTier(Binding to, int tier) {
    to.gauge("hyperclock.tier.capacity", BYTES, of(tier, TierStats::capacityBytes));
    to.gauge("hyperclock.tier.usage", BYTES, of(tier, TierStats::usageBytes));
    to.gauge("hyperclock.tier.entries", VALUES, of(tier, TierStats::entries));
    to.gauge(
        "hyperclock.tier.open",
        "tiers",
        all -> all.tiers().get(tier).state().mode() == TierState.Mode.OPEN ? 1 : 0);
    for (TierOutcome outcome : TierOutcome.values()) {
      to.counter(
          "hyperclock.tier.reads",
          READS,
          of(tier, stats -> stats.count(outcome)),
          lowerCase(outcome));
    }
    String inserts = "hyperclock.tier.inserts";
    to.counter(inserts, VALUES, of(tier, TierStats::accepted), "accepted");
    to.counter(inserts, VALUES, of(tier, TierStats::declined), "declined");
    to.counter("hyperclock.tier.dropped", VALUES, of(tier, TierStats::dropped), null);
    to.counter("hyperclock.tier.failures", "calls", all -> all.tiers().get(tier).failures(), null);
    to.counter("hyperclock.tier.timeouts", READS, all -> all.tiers().get(tier).timeouts(), null);
  }

  /** Binds what only this kind of tier has. */
  private static void bindFigure(Binding to, int tier, TierMetric figure) {
    String name = "hyperclock.tier." + figure.name();
    ToLongFunction<TieredStats> now = all -> value(all.tiers().get(tier), figure.name());
    switch (figure.kind()) {
      case COUNT -> to.counter(name, figure.unit(), now, null);
      case LEVEL -> to.gauge(name, figure.unit(), now);
    }
  }

  private static long value(TieredStats.Tier tier, String name) {
    return tier.metrics().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToLong(TierMetric::value)
        .findFirst()
        .orElse(0);
  }

  private static ToLongFunction<TieredStats> of(int tier, ToLongFunction<TierStats> figure) {
    return all -> figure.applyAsLong(all.tiers().get(tier).stats());
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Null once the cache is closed or unreachable. */
  private @Nullable TieredStats present() {
    if (!gone) {
      try {
        TieredBlockCache<?> now = cache.get();
        if (now != null) {
          now.primary().monitor().capacityBytes(); // Throws once it is closed.
          return collector.get();
        }
      } catch (IllegalStateException e) {
        gone = true;
      }
    }
    return null;
  }

  private double gauge(ToLongFunction<TieredStats> figure) {
    TieredStats stats = present();
    return stats == null ? Double.NaN : figure.applyAsLong(stats);
  }

  private double count(ToLongFunction<TieredStats> figure) {
    TieredStats stats = present();
    return figure.applyAsLong(stats == null ? collector.last() : stats);
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

  /** A set of the very meters: those of another cache may be equal. */
  private static Set<Meter> identities(Collection<Meter> meters) {
    Set<Meter> identities = Collections.newSetFromMap(new IdentityHashMap<>());
    identities.addAll(meters);
    return identities;
  }

  private final class Binding {
    private final MeterRegistry registry;
    private final TieredBlockCache<?> observed;
    private final Tags more;
    private final Map<Meter.Id, Meter> meters;
    private final Set<Meter> registered;

    Binding(MeterRegistry registry, TieredBlockCache<?> observed, Tags more) {
      this.registry = registry;
      this.observed = observed;
      this.more = more;
      this.meters = bound.computeIfAbsent(registry, key -> new HashMap<>());
      this.registered = identities(registry.getMeters());
    }

    void role(
        String name,
        String unit,
        EntryRole role,
        ToLongFunction<TieredRoleStats> figure,
        String result) {
      counter("hyperclock.tiers." + name, unit, all -> figure.applyAsLong(all.role(role)), result);
    }

    void counter(
        String name, String unit, ToLongFunction<TieredStats> figure, @Nullable String result) {
      TieredMetrics metrics = TieredMetrics.this;
      Tags own = tags.and(more).and(result == null ? Tags.empty() : Tags.of("result", result));
      bind(
          name,
          unit,
          own,
          () ->
              FunctionCounter.builder(name, observed, any -> metrics.count(figure))
                  .tags(own)
                  .baseUnit(unit)
                  .register(registry));
    }

    /**
     * Makes a meter unless the registry has ours already: a new one would count all from the start
     * again. One that another cache may have bound is removed first: else it would stay.
     */
    private void bind(String name, String unit, Tags own, Supplier<Meter> made) {
      Meter.Id id = new Meter.Id(name, own, unit, null, Meter.Type.OTHER);
      Meter ours = meters.get(id);
      if (ours == null || !registered.contains(ours)) {
        registry.removeByPreFilterId(id);
        meters.put(id, made.get());
      }
    }

    void gauge(String name, String unit, ToLongFunction<TieredStats> figure) {
      TieredMetrics metrics = TieredMetrics.this;
      Tags own = tags.and(more);
      bind(
          name,
          unit,
          own,
          () ->
              Gauge.builder(name, observed, any -> metrics.gauge(figure))
                  .tags(own)
                  .baseUnit(unit)
                  .register(registry));
    }
  }
}
