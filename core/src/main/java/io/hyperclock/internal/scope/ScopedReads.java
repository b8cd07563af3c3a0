/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import org.jspecify.annotations.Nullable;

/** The reads of a cache that its read scopes pass on. */
public interface ScopedReads<V> {
  /** The value of a key, of any type; counts as a use. */
  @Nullable V readInScope(long keyHi, long keyLo);

  /** The value of a key, of any type; does not count as a use. */
  @Nullable V peekInScope(long keyHi, long keyLo);

  /** A handle on the value of a key that was read in vain, loaded unless it is there by now. */
  @Nullable Handle<V> lookupMissed(long keyHi, long keyLo, BlockLoader<? extends V> loader);
}
