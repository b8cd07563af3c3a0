/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import java.time.Duration;
import java.util.List;

/**
 * A tracked handle that has not been closed.
 *
 * @param keyHi high word of the key
 * @param keyLo low word of the key
 * @param type type of the entry
 * @param chargeBytes charge of the entry in bytes; 0 if the entry was just being moved to a table
 *     of another size when the handle was taken, by a thread that was stopped
 * @param held time since the handle was taken
 * @param thread name of the thread that took it
 * @param takenAt where it was taken: the caller of the cache first
 */
public record OpenHandle(
    long keyHi,
    long keyLo,
    EntryType<?> type,
    long chargeBytes,
    Duration held,
    String thread,
    List<StackTraceElement> takenAt) {

  /** Copies {@code takenAt}. */
  public OpenHandle {
    takenAt = List.copyOf(takenAt);
  }
}
