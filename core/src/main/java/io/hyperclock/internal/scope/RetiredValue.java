/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import org.jspecify.annotations.Nullable;

/** A value that waits for its last reader. Belongs to the {@link Reclaimer} it was given to. */
public abstract class RetiredValue {
  final long bytes;

  /** Next in its list or stack; written by the thread that has this alone. */
  @Nullable RetiredValue next;

  /** When the first value of its list came; written before this is pushed there. */
  long listSinceNanos;

  public RetiredValue(long bytes) {
    this.bytes = bytes;
  }

  /** Frees the value. Called once, outside of every guard; may do anything with the cache. */
  public abstract void free();
}
