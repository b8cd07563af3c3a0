/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.Handle;
import io.hyperclock.entry.Key128;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.UserCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Handles on values of any type. */
final class HandleResults<V> implements ResultKind<V, Handle<V>> {
  private final BlockCache<V> cache;
  private final SecondLook<V> looks;
  private final IncidentLog failures;

  /** Pins an entry for a read that has been counted. */
  interface SecondLook<V> {
    @Nullable Handle<V> lookAgain(long hi, long lo);
  }

  HandleResults(BlockCache<V> cache, SecondLook<V> looks, IncidentLog failures) {
    this.cache = cache;
    this.looks = looks;
    this.failures = failures;
  }

  @Override
  public @Nullable Handle<V> lookAgain(long hi, long lo) {
    return looks.lookAgain(hi, lo);
  }

  @Override
  public Handle<V> land(InFlightLoad<V> flight, LoadedEntry<V> entry) {
    InsertPermit permit = flight.permit;
    if (!permit.beginInsert()) {
      Handle<V> newer = permit.isOvertaken() ? newerThan(entry) : null;
      return newer != null ? newer : shared(flight, uncached(entry));
    }
    Handle<V> handle;
    try {
      handle = insert(entry);
    } catch (Throwable e) {
      // After an Error it may be in the cache.
      if (permit.endInsert()) {
        cache.erase(entry.hi(), entry.lo());
      }
      throw e;
    }
    Handle<V> present;
    try {
      if (permit.endInsert()) {
        cache.erase(entry.hi(), entry.lo());
        return handle;
      }
      // The key may have been inserted by others.
      present = handle.isStandalone() ? lookAgain(entry.hi(), entry.lo()) : null;
    } catch (Throwable e) {
      discard(handle);
      throw e;
    }
    if (present == null) {
      return shared(flight, handle);
    }
    handle.close();
    return present;
  }

  /** The handle is given back if there is no memory to share it. */
  private Handle<V> shared(InFlightLoad<V> flight, Handle<V> own) {
    try {
      flight.outcome = SharedResult.of(own);
      return own;
    } catch (Throwable e) {
      discard(own);
      throw e;
    }
  }

  /**
   * The entry that was inserted meanwhile, if it is still there; the loaded value is freed then.
   */
  private @Nullable Handle<V> newerThan(LoadedEntry<V> loaded) {
    Handle<V> newer;
    try {
      newer = lookAgain(loaded.hi(), loaded.lo());
    } catch (Throwable e) {
      // No other code has seen the value, whatever was thrown.
      dispose(loaded);
      throw e;
    }
    if (newer != null) {
      dispose(loaded);
    }
    return newer;
  }

  private Handle<V> insert(LoadedEntry<V> entry) {
    try {
      return cache.insertPinned(
          entry.hi(),
          entry.lo(),
          entry.value(),
          entry.type(),
          entry.chargeBytes(),
          entry.priority());
    } catch (RuntimeException e) {
      // The value is still ours. After an Error that is not known: better leaked than freed twice.
      dispose(entry);
      throw e;
    }
  }

  private void dispose(LoadedEntry<V> entry) {
    UserCode.dispose(entry.type(), entry.hi(), entry.lo(), entry.value(), failures);
  }

  @Override
  public Handle<V> uncached(LoadedEntry<V> entry) {
    try {
      return standalone(entry);
    } catch (RuntimeException e) {
      dispose(entry);
      throw e;
    }
  }

  private Handle<V> standalone(LoadedEntry<V> entry) {
    Handle<V> handle =
        cache.createStandalone(
            entry.hi(), entry.lo(), entry.value(), entry.type(), entry.chargeBytes(), false);
    if (handle == null) {
      throw new CapacityExceededException(
          "entry must fit into its shard's capacity: chargeBytes=" + entry.chargeBytes());
    }
    return handle;
  }

  @Override
  public Handle<V> share(Key128 key, SharedResult<V> shared) {
    Handle<V> handle = shared.handle();
    if (handle != null) {
      return handle.ref();
    }
    Handle<V> cached = lookAgain(key.hi(), key.lo());
    return cached != null ? cached : standalone(Objects.requireNonNull(shared.entry()));
  }

  @Override
  public Handle<V> another(Handle<V> result) {
    return result.ref();
  }

  @Override
  public void discard(Handle<V> result) {
    result.discard();
  }
}
