/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a device was told to change, in its order. */
sealed interface Change {
  /** Bytes to {@code position}. */
  record Write(long position, byte[] bytes) implements Change {
    /** The first {@code length} bytes of it. */
    Write cut(int length) {
      return new Write(position, Arrays.copyOf(bytes, length));
    }
  }

  /** Another length. */
  record Truncate(long bytes) implements Change {}

  /** What was written so far is durable. */
  record Force() implements Change {}

  /** Another snapshot, null if deleted. */
  record Snapshot(byte @Nullable [] bytes) implements Change {}
}
