/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.AsyncBlockLoader;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.BulkLoader;
import io.hyperclock.EntryAttributes;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Key128;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.UserCode;
import io.hyperclock.stats.LoadStats;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The loading reads of a cache, made of its other methods. A hit is over before anything of this
 * package is touched.
 */
public abstract class LoadingFacade<V> implements BlockCache<V> {
  private final InFlightLoads<V> flights = new InFlightLoads<>();
  private final Loader<V> loads = new Loader<>(flights);
  private final AsyncLoader<V> asyncLoads = new AsyncLoader<>(loads);
  private final BulkLoads<V> bulkLoads = new BulkLoads<>(loads);
  private final ResultKind<V, V> values = new ValueResults<>(this);
  private final ResultKind<V, Handle<V>> handles;
  private final LoadRequest.Terms terms;
  private final EntryType<? super V> defaultType;

  /**
   * For a cache with these settings.
   *
   * @param estimatedEntryCharge charge of a value if neither loader nor codec knows one
   * @param failures told when the disposer of a value that was never cached throws
   */
  protected LoadingFacade(
      EntryType<? super V> defaultType, long estimatedEntryCharge, IncidentLog failures) {
    this.handles = new HandleResults<>(this, this::lookAgain, failures);
    this.defaultType = defaultType;
    this.terms = new LoadRequest.Terms(defaultType, estimatedEntryCharge, failures);
    initialize();
  }

  /** Classes that are initialized where the stack ends cannot be used any more. */
  private void initialize() {
    StackReserve.require();
    InFlightLoad<V> flight = new InFlightLoad<>(new Key128(0, 0), new LoadTask(true, null), true);
    flights.start(flight);
    flights.finish(flight, SharedResult.again());
    flight.join(new ThreadWaiter<>(flight, values));
    UserCode.isInside();
    LoadTask.isInsideAny();
  }

  /**
   * To be called by everything that removes or replaces the entry of a key, before it does so: what
   * was being loaded until now is not cached. One volatile read if nothing is being loaded.
   */
  protected final void invalidateStarted(long keyHi, long keyLo) {
    flights.invalidate(keyHi, keyLo);
  }

  /**
   * To be called by everything that adds an entry unless its key is present, before it does so:
   * what was being loaded until now is not cached. Does not wait; one volatile read if nothing is
   * being loaded.
   */
  protected final void overtakeLoad(long keyHi, long keyLo) {
    flights.overtake(keyHi, keyLo);
  }

  /** A {@link #lookup} by a read that has been counted. */
  protected abstract @Nullable Handle<V> lookAgain(long keyHi, long keyLo);

  /** Looks for stack, and makes what a load begins with. */
  @SuppressWarnings("unchecked")
  private <R> LoadRequest<V, R> request(
      long hi, long lo, ResultKind<V, R> form, EntryAttributes<? extends V> rules) {
    StackReserve.require();
    return LoadRequest.of(hi, lo, form, (EntryAttributes<V>) rules, terms);
  }

  private static void requireLoader(Object loader) {
    Objects.requireNonNull(loader, "loader must not be null");
  }

  @Override
  public final InsertResult insert(long keyHi, long keyLo, V value, long chargeBytes) {
    return insert(keyHi, keyLo, value, defaultType, chargeBytes, Priority.LOW);
  }

  @Override
  public final InsertResult put(long keyHi, long keyLo, V value, long chargeBytes) {
    return put(keyHi, keyLo, value, defaultType, chargeBytes, Priority.LOW);
  }

  @Override
  public final @Nullable V get(long keyHi, long keyLo, BlockLoader<? extends V> loader) {
    requireLoader(loader);
    V value = get(keyHi, keyLo);
    return value != null ? value : loads.load(request(keyHi, keyLo, values, loader), loader);
  }

  @Override
  public final @Nullable Handle<V> lookup(long keyHi, long keyLo, BlockLoader<? extends V> loader) {
    requireLoader(loader);
    Handle<V> handle = lookup(keyHi, keyLo);
    return handle != null ? handle : lookupMissed(keyHi, keyLo, loader);
  }

  /** The rest of a {@link #lookup(long, long, BlockLoader)} of a key that was not found. */
  public final @Nullable Handle<V> lookupMissed(
      long keyHi, long keyLo, BlockLoader<? extends V> loader) {
    return loads.load(request(keyHi, keyLo, handles, loader), loader);
  }

  @Override
  public final CompletableFuture<@Nullable V> getAsync(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends V> loader) {
    requireLoader(loader);
    Objects.requireNonNull(executor, "executor must not be null");
    V value = get(keyHi, keyLo);
    return value != null
        ? CompletableFuture.completedFuture(value)
        : asyncLoads.load(request(keyHi, keyLo, values, loader), executor, loader);
  }

  @Override
  public final CompletableFuture<@Nullable V> getAsync(
      long keyHi, long keyLo, AsyncBlockLoader<? extends V> loader) {
    requireLoader(loader);
    V value = get(keyHi, keyLo);
    return value != null
        ? CompletableFuture.completedFuture(value)
        : asyncLoads.load(request(keyHi, keyLo, values, loader), loader);
  }

  @Override
  public final CompletableFuture<@Nullable Handle<V>> lookupAsync(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends V> loader) {
    requireLoader(loader);
    Objects.requireNonNull(executor, "executor must not be null");
    Handle<V> handle = lookup(keyHi, keyLo);
    return handle != null
        ? completed(handle)
        : asyncLoads.load(request(keyHi, keyLo, handles, loader), executor, loader);
  }

  @Override
  public final CompletableFuture<@Nullable Handle<V>> lookupAsync(
      long keyHi, long keyLo, AsyncBlockLoader<? extends V> loader) {
    requireLoader(loader);
    Handle<V> handle = lookup(keyHi, keyLo);
    return handle != null
        ? completed(handle)
        : asyncLoads.load(request(keyHi, keyLo, handles, loader), loader);
  }

  /** The handle is given back if there is no memory for the future. */
  private static <V> CompletableFuture<@Nullable Handle<V>> completed(Handle<V> handle) {
    try {
      return CompletableFuture.completedFuture(handle);
    } catch (Throwable e) {
      handle.discard();
      throw e;
    }
  }

  @Override
  public final <T extends V> int getAll(long[] keys, @Nullable T[] values, BulkLoader<T> loader) {
    requireLoader(loader);
    int found = getAll(keys, values);
    if (found == keys.length >>> 1) {
      return found;
    }
    return bulkLoads.fill(
        keys,
        values,
        request(0, 0, this.values, loader),
        loader,
        // An empty array of the same class.
        n -> Arrays.copyOfRange(values, values.length, values.length + n));
  }

  @Override
  public final <T extends V> int lookupAll(
      long[] keys,
      @Nullable Handle<V>[] handles,
      IntFunction<@Nullable T[]> arrays,
      BulkLoader<T> loader) {
    requireLoader(loader);
    Objects.requireNonNull(arrays, "arrays must not be null");
    int found = lookupAll(keys, handles);
    int pairs = keys.length >>> 1;
    if (found == pairs) {
      return found;
    }
    try {
      return bulkLoads.fill(keys, handles, request(0, 0, this.handles, loader), loader, arrays);
    } catch (Throwable e) {
      releaseAll(handles, pairs);
      throw e;
    }
  }

  /** Gives the first so many handles back, and empties their places. */
  public static <V> void releaseAll(@Nullable Handle<V>[] handles, int count) {
    for (int i = 0; i < count; i++) {
      Handle<V> handle = handles[i];
      if (handle != null) {
        handles[i] = null;
        handle.discard();
      }
    }
  }

  @Override
  public final boolean prefetch(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends V> loader) {
    requireLoader(loader);
    Objects.requireNonNull(executor, "executor must not be null");
    if (contains(keyHi, keyLo)) {
      return false;
    }
    LoadRequest<V, Handle<V>> request = request(keyHi, keyLo, handles, loader);
    CompletableFuture<@Nullable Handle<V>> future = new CompletableFuture<>();
    // A failure is counted with the loads; a handle that no caller takes is closed. Before the
    // load: afterwards there may be no memory for it.
    future.thenAccept(
        handle -> {
          if (handle != null) {
            handle.discard();
          }
        });
    asyncLoads.load(request, executor, loader, future);
    return true;
  }

  /** Statistics of loading, for the monitor. */
  protected final LoadStats loadStats() {
    return loads.stats();
  }
}
