/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.secondary.TierResult;
import org.jspecify.annotations.Nullable;

/** What a {@link TierRead} does at its end. */
interface ReadEnd {
  /**
   * Called with a hit and the tier that gave it, or null; once, unless the time was over before the
   * thread that goes on with the read came back from a tier.
   */
  void finish(TierRead flight, @Nullable TierResult<Object> hit, int tier);

  /** Called if a step has failed, perhaps after the end: no lookup may wait for the flight. */
  default void fail(TierRead flight) {}
}
