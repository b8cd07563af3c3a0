/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.sizing.TableSizing;
import io.hyperclock.stats.Problem;
import io.hyperclock.stats.Problem.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Judges the estimated entry charge by how full slots and bytes are in the shards that have reached
 * a limit, and by the inserts that had no slot because all were held.
 *
 * <p>Source: RocksDB {@code FixedHyperClockCache::ReportProblems}; changed: the average is over
 * shards at a limit only, the answer does not depend on chance, and the sparse thresholds fit
 * tables that start at the target load.
 */
final class ProblemReport {
  private static final double AT_LIMIT_USAGE = 0.80;
  private static final double AT_LIMIT_OCCUPANCY = 0.95;
  private static final double SPARSE = 0.40;
  private static final double VERY_SPARSE = 0.25;

  /** Nothing is said if one shard is fuller than this. */
  private static final double SPARSE_SHARD = 0.5025;

  /** Share of the capacity that slots may take before something is said. */
  private static final double MUCH_METADATA = 0.25;

  /** Inserts for each one without a slot of which nothing is said. */
  private static final int INSERTS_PER_ONE_WITHOUT_SLOT = 1000;

  private ProblemReport() {}

  static List<Problem> of(Shards shards, StatsRecorder stats, long estimatedEntryCharge) {
    List<Problem> problems = new ArrayList<>(ofLoad(shards));
    long recommended = Math.max(1, estimatedEntryCharge / 2);
    String advice =
        ", or have more slots by a lower estimatedEntryCharge, recommended estimatedEntryCharge=";
    problems.addAll(ofHeld(stats, recommended, advice + recommended));
    return problems;
  }

  /** Of a cache that sizes itself. */
  static List<Problem> ofAutomatic(Shards shards, StatsRecorder stats) {
    List<Problem> problems = new ArrayList<>();
    long metadata = 0;
    long capacity = 0;
    long refusals = 0;
    for (int i = 0; i < shards.count(); i++) {
      Shard shard = shards.at(i);
      metadata += shard.ledger.metadataBytes();
      capacity += shard.ledger.capacity();
      Resizing resizing = shards.resizing(i);
      refusals += resizing == null ? 0 : resizing.refusals.sum();
    }
    if (metadata > capacity * MUCH_METADATA) {
      problems.add(
          of(
              Severity.INFO,
              0,
              "%.1f%% of the capacity are taken by slots: entries are small, or what is held for"
                  + " long keeps tables that were left",
              100.0 * metadata / capacity));
    }
    if (refusals > 0) {
      problems.add(
          of(
              Severity.WARN,
              0,
              "%d times there was no room or no memory for a larger table: what is pinned leaves no"
                  + " room for it, or the heap is too small",
              refusals));
    }
    problems.addAll(ofHeld(stats, 0, ""));
    return problems;
  }

  private static List<Problem> ofHeld(StatsRecorder stats, long recommended, String advice) {
    long withoutSlot = stats.withoutSlot.sum();
    if (withoutSlot <= stats.inserts() / INSERTS_PER_ONE_WITHOUT_SLOT) {
      return List.of();
    }
    String text =
        "%d inserts found every slot held that their key may have: hold fewer entries at a time%s";
    return List.of(of(Severity.WARN, recommended, text, withoutSlot, advice));
  }

  private static Problem of(
      Severity severity, long recommendedCharge, String message, Object... figures) {
    String text = String.format(Locale.ROOT, message, figures);
    return new Problem(severity, text, recommendedCharge);
  }

  private static List<Problem> ofLoad(Shards shards) {
    double sum = 0;
    double max = 0;
    double lost = 0;
    int atLimit = 0;
    int full = 0;
    long recommended = Long.MAX_VALUE;
    for (int i = 0; i < shards.count(); i++) {
      Shard shard = shards.at(i);
      CapacityLedger ledger = shard.ledger;
      double bytes = ledger.usage() / (double) Math.max(1, ledger.capacity());
      long occupancy = ledger.occupancy();
      double slots = occupancy / (double) shard.sizing.occupancyLimit();
      if (occupancy <= 0 || bytes < AT_LIMIT_USAGE && slots < AT_LIMIT_OCCUPANCY) {
        continue;
      }
      atLimit++;
      double load = slots / bytes * TableSizing.LOAD_LIMIT;
      sum += load;
      max = Math.max(max, load);
      if (load > TableSizing.LOAD_LIMIT) {
        full++;
        lost += 1 - TableSizing.LOAD_LIMIT / load;
      }
      long charged = ledger.usage() - ledger.metadataBytes() - ledger.standaloneUsage();
      recommended = Math.min(recommended, Math.max(1, charged / occupancy));
    }
    if (atLimit == 0) {
      return List.of();
    }
    double load = sum / atLimit;
    if (load > TableSizing.TARGET_LOAD) {
      return tooFewSlots(lost / atLimit, full, atLimit, recommended);
    }
    return load < SPARSE && max < SPARSE_SHARD
        ? tooManySlots(load, load < VERY_SPARSE ? Severity.WARN : Severity.INFO, recommended)
        : List.of();
  }

  private static List<Problem> tooFewSlots(double lost, int full, int atLimit, long recommended) {
    if (lost <= 0.01) {
      return List.of();
    }
    Severity severity = lost >= 0.2 ? Severity.ERROR : Severity.WARN;
    return List.of(
        of(
            severity,
            recommended,
            "%.1f%% of the capacity cannot be used because slots ran out in %d of %d full shards:"
                + " estimatedEntryCharge is too high, recommended estimatedEntryCharge=%d",
            lost * 100,
            full,
            atLimit,
            recommended));
  }

  private static List<Problem> tooManySlots(double load, Severity severity, long recommended) {
    return List.of(
        of(
            severity,
            recommended,
            "only %.1f%% of the slots are in use at full capacity, which wastes memory:"
                + " estimatedEntryCharge is too low, recommended estimatedEntryCharge=%d",
            load * 100,
            recommended));
  }
}
