/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

/** What one thread did, to be compared with the cache's own counters. */
final class Tally {
  long operations;
  long made;
  long reads;
  long pinsRequired;
  long inserted;
  long keptExisting;
  long replaced;

  /** Inserted or replaced: a handle does not say which. */
  long putPinned;

  long notPresent;
  long notExpected;
  long dropped;
  long refused;
  long insertedStandalone;
  long standaloneRefused;
  long visits;
  long callBacks;
  long doubleCloses;

  void add(Tally other) {
    operations += other.operations;
    made += other.made;
    reads += other.reads;
    pinsRequired += other.pinsRequired;
    inserted += other.inserted;
    keptExisting += other.keptExisting;
    replaced += other.replaced;
    putPinned += other.putPinned;
    notPresent += other.notPresent;
    notExpected += other.notExpected;
    dropped += other.dropped;
    refused += other.refused;
    insertedStandalone += other.insertedStandalone;
    standaloneRefused += other.standaloneRefused;
    visits += other.visits;
    callBacks += other.callBacks;
    doubleCloses += other.doubleCloses;
  }

  @Override
  public String toString() {
    return String.format(
        "%,d operations: %,d reads, %,d inserted, %,d replaced, %,d kept, %,d dropped, %,d refused,"
            + " %,d standalone, %,d visits, %,d callbacks",
        operations,
        reads,
        inserted,
        replaced,
        keptExisting,
        dropped,
        refused + standaloneRefused,
        insertedStandalone,
        visits,
        callBacks);
  }
}
