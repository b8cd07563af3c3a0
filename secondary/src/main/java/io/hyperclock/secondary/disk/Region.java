/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import org.jspecify.annotations.Nullable;

/**
 * A part of the data, filled from its start, given up as a whole, then filled again: each time is a
 * <em>life</em>.
 *
 * <pre>
 *            taken            written             oldest          swept
 *   FREE ------------> OPEN ------------> FULL ----------> LEAVING ------> FREE
 * </pre>
 */
final class Region {
  /** Sequence that no record reaches: nothing of this region is certified. */
  static final long NO_LIFE = Long.MAX_VALUE;

  /** What becomes of a region. */
  enum Stage {
    /** Holds nothing. */
    FREE,
    /** Has a buffer, which is filled or written. */
    OPEN,
    /** All its records are on the device. */
    FULL,
    /** Its records are being given up, or written again elsewhere. */
    LEAVING
  }

  final int id;

  /** Sequence of the first record of the present life. */
  volatile long firstSequence = NO_LIFE;

  /** Where its records are if not yet all on the device. */
  volatile @Nullable RegionBuffer buffer;

  /** This and the next: guarded by the lock of the log. */
  Stage stage = Stage.FREE;

  int used;

  Region(int id) {
    this.id = id;
  }
}
