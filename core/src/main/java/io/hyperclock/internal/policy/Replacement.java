/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;

/**
 * Decides by countdowns which unreferenced entry leaves. Implementations are immutable and must be
 * cheap: one call per visited slot.
 */
public interface Replacement {
  /** Countdown of a new entry. */
  int initialCountdown(Priority priority);

  /** Countdown from which on further uses change nothing. */
  int maxCountdown();

  /**
   * What the hand leaves behind at an unreferenced entry.
   *
   * @param countdown its countdown, possibly above the maximum
   * @return the new countdown, or -1 to evict
   */
  int visit(int countdown);
}
