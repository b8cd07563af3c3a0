/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;

/** Which part of the workload inserts a value: each poses as another kind of block. */
enum Origin {
  /** Filling the cache at the start. */
  POPULATE(EntryRole.DATA_BLOCK),
  /** A lookup that missed. */
  LOOKUP(EntryRole.INDEX_BLOCK),
  /** An insert without a lookup. */
  INSERT(EntryRole.FILTER_BLOCK);

  private final EntryType<byte[]> type;

  Origin(EntryRole role) {
    this.type = EntryType.<byte[]>named(name()).role(role).codec(EntryCodec.ofBytes()).build();
  }

  EntryType<byte[]> type() {
    return type;
  }
}
