/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.time.Duration;
import java.util.List;

/**
 * A tracked read scope that has not been closed.
 *
 * @param openFor time since it was opened
 * @param thread name of the thread that opened it
 * @param openedAt where it was opened: the caller of the cache first
 */
public record OpenScope(Duration openFor, String thread, List<StackTraceElement> openedAt) {
  /** Copies {@code openedAt}. */
  public OpenScope {
    openedAt = List.copyOf(openedAt);
  }
}
