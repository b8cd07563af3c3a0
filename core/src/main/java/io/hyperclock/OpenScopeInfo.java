/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.time.Duration;
import java.util.List;

/**
 * A read scope that is open; see {@link CacheMonitor#openScopes()}.
 *
 * @param openedAt where it was opened: the innermost frames outside of the library first
 * @param age how long it has been open
 * @param threadName name of the thread that opened it
 */
public record OpenScopeInfo(List<StackTraceElement> openedAt, Duration age, String threadName) {
  /** Copies the list. */
  public OpenScopeInfo {
    openedAt = List.copyOf(openedAt);
  }
}
