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
import io.hyperclock.entry.Key128;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values that the collector owns. */
final class ValueResults<V> implements ResultKind<V, V> {
  private final BlockCache<V> cache;

  ValueResults(BlockCache<V> cache) {
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
  public V land(InFlightLoad<V> flight, LoadedEntry<V> entry) {
    InsertPermit permit = flight.permit;
    if (!permit.beginInsert()) {
      V newer = permit.isOvertaken() ? cache.peek(entry.hi(), entry.lo()) : null;
      return newer != null ? newer : shared(flight, entry);
    }
    InsertResult result;
    try {
      result =
          cache.insert(
              entry.hi(),
              entry.lo(),
              entry.value(),
              entry.type(),
              entry.chargeBytes(),
              entry.priority());
    } catch (Throwable e) {
      // After an Error it may be in the cache.
      if (permit.endInsert()) {
        cache.erase(entry.hi(), entry.lo());
      }
      throw e;
    }
    if (permit.endInsert()) {
      cache.erase(entry.hi(), entry.lo());
      return entry.value();
    }
    if (result != InsertResult.KEPT_EXISTING) {
      return shared(flight, entry);
    }
    V present = cache.peek(entry.hi(), entry.lo());
    return present == null ? entry.value() : present;
  }

  private V shared(InFlightLoad<V> flight, LoadedEntry<V> entry) {
    flight.outcome = SharedResult.of(entry);
    return entry.value();
  }

  @Override
  public V uncached(LoadedEntry<V> entry) {
    return entry.value();
  }

  @Override
  public V share(Key128 key, SharedResult<V> shared) {
    Handle<V> handle = shared.handle();
    if (handle == null) {
      return Objects.requireNonNull(shared.entry()).value();
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
