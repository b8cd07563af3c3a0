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

  /** Inserts for each one without a slot or without room of which nothing is said. */
  private static final int INSERTS_PER_FAILED_ONE = 1000;

  private final Shards shards;
  private final CacheParts parts;
  private final List<Problem> problems = new ArrayList<>();

  private ProblemReport(Shards shards, CacheParts parts) {
    this.shards = shards;
    this.parts = parts;
  }

  static List<Problem> of(Shards shards, CacheParts parts) {
    ProblemReport report = new ProblemReport(shards, parts);
    report.lookAtRoom();
    if (parts.config.isAutomatic()) {
      report.lookAtTables();
      report.lookAtHeldSlots(0, "");
    } else {
      report.lookAtLoad();
      long recommended = Math.max(1, parts.config.estimatedEntryCharge() / 2);
      String advice =
          ", or have more slots by a lower estimatedEntryCharge, recommended estimatedEntryCharge=";
      report.lookAtHeldSlots(recommended, advice + recommended);
    }
    return report.problems;
  }

  private void add(Severity severity, long recommended, String message, Object... figures) {
    String text = String.format(Locale.ROOT, message, figures);
    problems.add(new Problem(severity, text, recommended));
  }

  /** Of a cache that sizes itself. */
  private void lookAtTables() {
    long metadata = shards.total(shard -> shard.ledger.metadataBytes());
    long capacity = shards.total(shard -> shard.ledger.capacity());
    if (metadata > capacity * MUCH_METADATA) {
      String message =
          "%.1f%% of the capacity are taken by slots: entries are small, or what is held for"
              + " long keeps tables that were left";
      add(Severity.INFO, 0, message, 100.0 * metadata / capacity);
    }
    int lacking = shards.lackingTables();
    if (lacking > 0) {
      String message =
          "%d of %d shards lack a larger table, refused %d times: what is pinned leaves no room for"
              + " it, or the heap is too small";
      long refusals = parts.stats.tablesRefused.sum();
      add(Severity.WARN, 0, message, lacking, shards.count(), refusals);
    }
  }

  private boolean isMuch(long failed) {
    return failed > parts.stats.inserts() / INSERTS_PER_FAILED_ONE;
  }

  private void lookAtRoom() {
    StatsRecorder stats = parts.stats;
    long withoutRoom = stats.refused.sum() + stats.dropped.sum() - stats.withoutSlot.sum();
    if (isMuch(withoutRoom)) {
      String message =
          "no room was found for %d inserts: pin or reserve less, or raise the capacity; what is"
              + " larger than a shard's share of it never fits";
      add(Severity.WARN, 0, message, withoutRoom);
    }
  }

  private void lookAtHeldSlots(long recommended, String advice) {
    long withoutSlot = parts.stats.withoutSlot.sum();
    if (isMuch(withoutSlot)) {
      String message =
          "%d inserts found every slot held that their key may have:"
              + " hold fewer entries at a time%s";
      add(Severity.WARN, recommended, message, withoutSlot, advice);
    }
  }

  private void lookAtLoad() {
    double sum = 0;
    double judged = 0;
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
      double before = load * shrunk(shard);
      sum += load;
      judged += before;
      max = Math.max(max, before);
      if (load > TableSizing.LOAD_LIMIT) {
        full++;
        lost += 1 - TableSizing.LOAD_LIMIT / load;
      }
      recommended = Math.min(recommended, Math.max(1, ledger.usageOfEntries() / occupancy));
    }
    if (atLimit == 0) {
      return;
    }
    double load = sum / atLimit;
    if (load > TableSizing.TARGET_LOAD) {
      addTooFewSlots(lost / atLimit, full, atLimit, recommended);
    } else if (judged / atLimit < SPARSE && max < SPARSE_SHARD) {
      String message =
          "only %.1f%% of the slots are in use at full capacity, which wastes memory:"
              + " estimatedEntryCharge is too low, recommended estimatedEntryCharge=%d";
      Severity severity = judged / atLimit < VERY_SPARSE ? Severity.WARN : Severity.INFO;
      add(severity, recommended, message, load * 100, recommended);
    }
  }

  /** How many times as much a shard held before its capacity was lowered; its slots stayed. */
  private static double shrunk(Shard shard) {
    double metadata = shard.ledger.metadataBytes();
    double now = Math.max(1, shard.ledger.capacity() - metadata);
    return Math.max(1, (shard.sizing.shardCapacity() - metadata) / now);
  }

  /** Why there are too few slots. */
  private String cause() {
    long capacity = shards.capacityBytes();
    return capacity > parts.config.capacityBytes()
        ? "the capacity was raised and the slots stayed, build the cache for the present one,"
            + " capacityBytes="
            + capacity
        : "estimatedEntryCharge is too high";
  }

  private void addTooFewSlots(double lost, int full, int atLimit, long recommended) {
    if (lost > 0.01) {
      String message =
          "%.1f%% of the capacity cannot be used because slots ran out in %d of %d full shards:"
              + " %s, recommended estimatedEntryCharge=%d";
      Severity severity = lost >= 0.2 ? Severity.ERROR : Severity.WARN;
      add(severity, recommended, message, lost * 100, full, atLimit, cause(), recommended);
    }
  }
}
