/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import java.util.concurrent.atomic.LongAdder;

/** What {@link FileStats} are made of. */
final class FileCounters {
  final HitCounter hits = new HitCounter();
  final LongAdder misses = new LongAdder();
  final LongAdder blocksAhead = new LongAdder();
  final LongAdder uncachedReads = new LongAdder();
  final LongAdder sourceReads = new LongAdder();
  final LongAdder sourceBytes = new LongAdder();
  final LongAdder prefetchesFailed = new LongAdder();
  final LongAdder prefetchesRefused = new LongAdder();

  FileStats snapshot() {
    return new FileStats(
        hits.sum(),
        misses.sum(),
        blocksAhead.sum(),
        uncachedReads.sum(),
        sourceReads.sum(),
        sourceBytes.sum(),
        prefetchesFailed.sum(),
        prefetchesRefused.sum());
  }

  /** Adds those of another; by one thread at a time, while no other counts here. */
  void add(FileCounters other) {
    hits.add(HitCounter.place(), other.hits.sum());
    misses.add(other.misses.sum());
    blocksAhead.add(other.blocksAhead.sum());
    uncachedReads.add(other.uncachedReads.sum());
    sourceReads.add(other.sourceReads.sum());
    sourceBytes.add(other.sourceBytes.sum());
    prefetchesFailed.add(other.prefetchesFailed.sum());
    prefetchesRefused.add(other.prefetchesRefused.sum());
  }
}
