/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

/** Counts reads, where the cache was asked to. */
public interface ReadRecorder {
  /** A read found an entry with this cold word. */
  void hit(long cold);

  /** A read found nothing. */
  void miss();
}
