/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.versioned;

import org.jspecify.annotations.Nullable;

/** What a {@link ReferenceVersionedCache} keeps of a key. */
final class ReferencePairs {
  private ReferencePairs() {}

  record Key(long hi, long lo) {}

  enum Fate {
    PENDING,
    COMMITTED,
    ABORTED,
    EXPIRED
  }

  static final class Pair<V> {
    @Nullable V committed;
    long chargeBytes;
    @Nullable Token<V> prepared;
  }

  static final class Token<V> implements PrepareToken {
    final ReferenceVersionedCache<V> cache;
    final Key key;
    final long id;
    final @Nullable V value;
    final long chargeBytes;
    final long deadline;
    final ReferenceVersionedCache.@Nullable Members<V> group;
    PrepareMode mode;
    Fate fate = Fate.PENDING;

    Token(
        ReferenceVersionedCache<V> cache,
        Key key,
        @Nullable V value,
        long chargeBytes,
        PrepareMode mode,
        ReferenceVersionedCache.@Nullable Members<V> group) {
      this.cache = cache;
      this.key = key;
      this.id = cache.nextId();
      this.value = value;
      this.chargeBytes = chargeBytes;
      this.mode = mode;
      this.deadline = cache.deadline();
      this.group = group;
    }

    @Override
    public long keyHi() {
      return key.hi();
    }

    @Override
    public long keyLo() {
      return key.lo();
    }

    @Override
    public long id() {
      return id;
    }
  }
}
