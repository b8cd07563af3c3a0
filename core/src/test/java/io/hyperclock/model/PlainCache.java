/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import org.jspecify.annotations.Nullable;

/** What a cache can say in terms of its other methods. */
interface PlainCache extends NoLoads, FakeOverwrites {
  @Override
  default int getAll(long[] keys, @Nullable ModelValue[] values) {
    int found = 0;
    for (int i = 0; i < keys.length / 2; i++) {
      values[i] = get(keys[2 * i], keys[2 * i + 1]);
      found += values[i] == null ? 0 : 1;
    }
    return found;
  }

  @Override
  default boolean contains(long keyHi, long keyLo) {
    throw new UnsupportedOperationException("the model does not look at keys alone");
  }

  @Override
  default Handle<ModelValue> newHandle() {
    throw new UnsupportedOperationException("the model makes a handle for each lookup");
  }

  @Override
  default boolean lookupInto(long keyHi, long keyLo, Handle<ModelValue> into) {
    throw new UnsupportedOperationException("the model makes a handle for each lookup");
  }

  @Override
  default boolean touch(long keyHi, long keyLo) {
    throw new UnsupportedOperationException("the model does not look at keys alone");
  }

  @Override
  default int lookupAll(long[] keys, @Nullable Handle<ModelValue>[] handles) {
    int found = 0;
    try {
      for (int i = 0; i < keys.length / 2; i++) {
        handles[i] = lookup(keys[2 * i], keys[2 * i + 1]);
        found += handles[i] == null ? 0 : 1;
      }
    } catch (IllegalStateException closedMeanwhile) {
      for (Handle<ModelValue> handle : handles) {
        if (handle != null) {
          handle.close();
        }
      }
      throw closedMeanwhile;
    }
    return found;
  }

  @Override
  default ReadScope<ModelValue> openScope() {
    throw new UnsupportedOperationException("this cache has no read scopes");
  }
}
