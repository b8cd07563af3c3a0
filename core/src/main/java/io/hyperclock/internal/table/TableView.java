/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

/**
 * What a read has to know about the table it looks at, if it finds nothing there. A read keeps what
 * it began with: see [view] in {@code core/docs/memory-ordering.md}.
 */
public enum TableView {
  /** The only table of its shard, for ever. */
  FIXED,

  /** All entries are here, unless the table has been left for another. */
  SETTLED,

  /** Entries of the table before this one may still be there. */
  MOVING
}
