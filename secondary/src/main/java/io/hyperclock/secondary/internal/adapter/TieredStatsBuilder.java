/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.TieredRoleStats;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.internal.budget.BudgetSplit;
import io.hyperclock.secondary.internal.budget.SharedBudget;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the metrics together. */
final class TieredStatsBuilder {
  private TieredStatsBuilder() {}

  static TieredStats of(
      BlockCache<?> primary,
      Tiers tiers,
      Counters counters,
      Demotion demotion,
      @Nullable SharedBudget budget) {
    Map<EntryRole, TieredRoleStats> roles = counters.snapshot();
    TieredRoleStats total =
        roles.values().stream().reduce(TieredRoleStats.NONE, TieredRoleStats::plus);
    List<TieredStats.Tier> each = new ArrayList<>();
    for (int i = 0; i < tiers.count(); i++) {
      each.add(
          new TieredStats.Tier(
              tiers.name(i),
              tiers.state(i),
              tiers.stats(i),
              tiers.hits(i),
              tiers.failures(i),
              tiers.timeouts(i),
              tiers.metrics(i)));
    }
    return new TieredStats(
        primary.monitor().stats(),
        total,
        roles,
        each,
        demotion.pending(),
        demotion.pendingBytes(),
        budget == null ? TieredStats.Budget.NONE : of(budget));
  }

  private static TieredStats.Budget of(SharedBudget budget) {
    Map<EntryRole, Long> reserved = new EnumMap<>(EntryRole.class);
    for (EntryRole role : EntryRole.values()) {
      long bytes = budget.reservedBytes(role);
      if (bytes > 0) {
        reserved.put(role, bytes);
      }
    }
    BudgetSplit split = budget.split();
    return new TieredStats.Budget(
        split.totalBytes(),
        split.primaryBytes(),
        split.belowBytes(),
        split.chargedBytes(),
        budget.overdraftBytes(),
        reserved);
  }
}
