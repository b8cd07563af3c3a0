/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import java.util.concurrent.atomic.LongAdder;

/** How large answers may be, and how many values were larger. Thread-safe. */
final class ReplyLimits {
  private static final int DEFAULT_BYTES = 2 << 20;

  private record Limits(int maxValueBytes, int maxReplyBytes) {}

  final LongAdder oversized = new LongAdder();
  private volatile Limits limits = new Limits(DEFAULT_BYTES, DEFAULT_BYTES);

  void set(int maxValueBytes, int maxReplyBytes) {
    limits = new Limits(maxValueBytes, maxReplyBytes);
  }

  int maxValueBytes() {
    return limits.maxValueBytes;
  }

  int maxReplyBytes() {
    return limits.maxReplyBytes;
  }
}
