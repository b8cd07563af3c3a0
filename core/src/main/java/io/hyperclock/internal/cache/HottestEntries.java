/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.table.TableScan;

/**
 * Visits entries in the order of what they are worth to the replacement. It counts how many there
 * are of each worth, then walks over the tables once for each worth, from the highest on, until it
 * has visited enough: no memory for a list is needed, and no entry is looked up. An entry whose
 * worth changes meanwhile may be met twice or not at all.
 */
final class HottestEntries {
  private final Shards shards;
  private final TableScan.PinnedVisitor visitor;
  private long left;

  HottestEntries(Shards shards, int most, TableScan.PinnedVisitor visitor) {
    this.shards = shards;
    this.visitor = visitor;
    this.left = most;
  }

  void visit() {
    long[] counts = new long[Replacement.MAX_WORTH + 1];
    for (int i = 0; i < shards.count(); i++) {
      Replacement judge = shards.at(i).replacement;
      shards.scan(i).forEachWord((meta, cold, dead) -> counts[judge.worth(meta, cold)]++);
    }
    for (int worth = counts.length - 1; worth >= 0 && left > 0; worth--) {
      if (counts[worth] > 0) {
        visit(worth);
      }
    }
  }

  private void visit(int worth) {
    TableScan.PinnedVisitor each =
        (hi, lo, value, cold) -> {
          left--;
          visitor.visit(hi, lo, value, cold);
        };
    for (int i = 0; i < shards.count(); i++) {
      Replacement judge = shards.at(i).replacement;
      shards
          .scan(i)
          .forEachPinned((meta, cold) -> left > 0 && judge.worth(meta, cold) == worth, each);
    }
  }
}
