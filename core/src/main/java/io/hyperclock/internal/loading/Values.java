/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values that the collector owns. */
final class Values<V> implements Form<V, V> {
  private final BlockCache<V> cache;

  Values(BlockCache<V> cache) {
    this.cache = cache;
  }

  @Override
  public void requireLoadable(EntryType<?> type) {
    if (type.disposer() != null) {
      throw new PinRequiredException(
          "a value that is freed explicitly must be loaded through lookup: type=" + type);
    }
  }

  @Override
  public @Nullable V lookAgain(long hi, long lo) {
    return cache.peek(hi, lo);
  }

  @Override
  public Landing<V, V> land(Flight<V> flight, Entry<V> entry) {
    if (!flight.beginInsert()) {
      V newer = flight.isOvertaken() ? cache.peek(entry.hi(), entry.lo()) : null;
      if (newer != null) {
        return new Landing<>(newer, Shared.again());
      }
      return new Landing<>(entry.value(), Shared.of(entry));
    }
    InsertResult result;
    boolean doubted;
    try {
      result =
          cache.insert(
              entry.hi(),
              entry.lo(),
              entry.value(),
              entry.type(),
              entry.chargeBytes(),
              entry.priority());
    } finally {
      doubted = flight.endInsert();
    }
    if (doubted) {
      cache.erase(entry.hi(), entry.lo());
      return new Landing<>(entry.value(), Shared.again());
    }
    if (result != InsertResult.KEPT_EXISTING) {
      return new Landing<>(entry.value(), Shared.of(entry));
    }
    V present = cache.peek(entry.hi(), entry.lo());
    return new Landing<>(present == null ? entry.value() : present, Shared.again());
  }

  @Override
  public V uncached(Entry<V> entry) {
    return entry.value();
  }

  @Override
  public V share(Flight<V> flight, Shared<V> shared) {
    Handle<V> handle = shared.handle;
    if (handle == null) {
      return Objects.requireNonNull(shared.value);
    }
    requireLoadable(handle.type());
    return handle.value();
  }

  @Override
  public V another(V result) {
    return result;
  }

  @Override
  public void discard(V result) {}
}
