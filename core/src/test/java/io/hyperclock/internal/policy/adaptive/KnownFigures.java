/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.policy.CapacityView;

/** The figures that a test says a table has. */
final class KnownFigures implements CapacityView {
  long capacity;
  long usage;
  long occupancy;

  KnownFigures(long capacity, long occupancy) {
    this.capacity = capacity;
    this.occupancy = occupancy;
  }

  @Override
  public long capacityOfEntries() {
    return capacity;
  }

  @Override
  public long usageOfEntries() {
    return usage;
  }

  @Override
  public long occupancy() {
    return occupancy;
  }
}
