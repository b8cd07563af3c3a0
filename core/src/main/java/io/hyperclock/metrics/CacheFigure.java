/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static io.hyperclock.stats.CacheStat.Kind.COUNTER;
import static io.hyperclock.stats.CacheStat.Kind.GAUGE;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.RoleStats;
import java.util.Collection;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One figure of a cache under the names that it has outside: those of {@link CacheStat}, and of
 * each role those of {@link RoleStats}.
 *
 * @param key name of the attribute
 * @param meter name of the meter
 * @param tag key of the meter's tag, if it has one
 * @param tagValue its value, or null if the meter has none
 * @param value takes it from a snapshot
 */
record CacheFigure(
    String key,
    CacheStat.Kind kind,
    String meter,
    String unit,
    String description,
    String tag,
    @Nullable String tagValue,
    ToLongFunction<CacheStats> value) {

  /** Those of the whole cache, then those of the roles. */
  static Stream<CacheFigure> all(Collection<EntryRole> roles) {
    Stream<CacheFigure> ofRoles = roles.stream().flatMap(CacheFigure::of);
    return Stream.concat(Stream.of(CacheStat.values()).map(CacheFigure::of), ofRoles);
  }

  private static CacheFigure of(CacheStat stat) {
    return new CacheFigure(
        stat.key(),
        stat.kind(),
        stat.meter(),
        stat.unit(),
        stat.description(),
        "result",
        stat.result(),
        stats -> stats.get(stat));
  }

  private static Stream<CacheFigure> of(EntryRole role) {
    return Stream.of(
        of(role, "entries", GAUGE, "entries", "entries", "Visible entries", RoleStats::entries),
        of(role, "chargeBytes", GAUGE, "usage", "bytes", "Their charge", RoleStats::chargeBytes),
        of(
            role,
            "pinnedBytes",
            GAUGE,
            "pinned",
            "bytes",
            "Charge of referenced entries",
            RoleStats::pinnedBytes),
        of(role, "hits", COUNTER, "hits", "reads", "Reads that found one", RoleStats::hits),
        of(role, "inserts", COUNTER, "inserts", "entries", "Entries added", RoleStats::inserts),
        of(
            role,
            "evictions",
            COUNTER,
            "evictions",
            "entries",
            "Entries evicted",
            RoleStats::evictions));
  }

  private static CacheFigure of(
      EntryRole role,
      String key,
      CacheStat.Kind kind,
      String meter,
      String unit,
      String description,
      ToLongFunction<RoleStats> value) {
    String name = role.name().toLowerCase(Locale.ROOT);
    return new CacheFigure(
        "role." + name + "." + key,
        kind,
        "hyperclock.role." + meter,
        unit,
        description,
        "role",
        name,
        stats -> value.applyAsLong(stats.role(role)));
  }
}
