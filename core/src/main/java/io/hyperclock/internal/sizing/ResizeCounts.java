/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.internal.errors.Figure;

/** What the tables of one shard have gone through. */
public final class ResizeCounts {
  private final Figure resizes = new Figure();
  private final Figure moved = new Figure();
  private final Figure refused = new Figure();

  public void resized(long entries) {
    resizes.increment();
    moved.add(entries);
  }

  public void refused() {
    refused.increment();
  }

  /** Changes of the size that are over. */
  public long resizes() {
    return resizes.sum();
  }

  /** Entries that were moved. */
  public long moved() {
    return moved.sum();
  }

  /** New tables that could not be had. */
  public long refusals() {
    return refused.sum();
  }
}
