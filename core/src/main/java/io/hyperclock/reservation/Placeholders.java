/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.reservation;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes placeholder entries: charge without a value of the user's, pinned, outside the table, so
 * never found and never evicted. Each has a key of its own, so that they spread over the shards
 * like blocks do. Thread-safe.
 */
final class Placeholders implements MemoryBudget {
  /** How many keys, and so mostly shards, are tried before a placeholder is refused. */
  private static final int TRIES = 4;

  /** Shared, because a cache remembers every type it has met. */
  private static final Map<EntryRole, EntryType<Object>> TYPES =
      Stream.of(EntryRole.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  role -> role, role -> EntryType.<Object>named("reservation").role(role).build()));

  private final BlockCache<Object> cache;
  private final long keyHi = new SplittableRandom().nextLong();
  private final AtomicLong nextKeyLo = new AtomicLong();

  /** The value is never seen by those who read blocks, so the cache's type of values may be any. */
  @SuppressWarnings("unchecked")
  Placeholders(BlockCache<?> cache) {
    this.cache = (BlockCache<Object>) Objects.requireNonNull(cache, "cache must not be null");
  }

  /** A new placeholder, or null if strict capacity refused it in each shard that was tried. */
  @Override
  public @Nullable Runnable tryReserve(EntryRole role, long bytes) {
    EntryType<Object> type = Objects.requireNonNull(TYPES.get(role));
    for (int i = 0; i < TRIES; i++) {
      long keyLo = nextKeyLo.getAndIncrement();
      Handle<Object> made = cache.createStandalone(keyHi, keyLo, "placeholder", type, bytes, false);
      if (made != null) {
        try {
          return () -> made.eraseIfLast();
        } catch (OutOfMemoryError e) {
          made.eraseIfLast();
          throw e;
        }
      }
    }
    return null;
  }
}
