/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.typed;

import io.hyperclock.BlockCache;
import io.hyperclock.EntryVisitor;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A view of a shared {@link BlockCache} with one entry type and one type of keys. Several views may
 * share a cache, and with it one budget; their keys must differ in words.
 *
 * <p>Thread-safe; keeps nothing of its own. An entry of another type under one of this view's keys
 * is a programming error and ends in a {@link ClassCastException} where the value is used.
 *
 * @param <K> type of the keys
 * @param <T> type of the values
 */
public final class TypedCache<K, T> {
  private final BlockCache<? super T> cache;
  private final EntryType<T> type;
  private final KeyCodec<? super K> keys;
  private final ToLongFunction<? super T> charge;
  private final Priority priority;

  private TypedCache(
      BlockCache<? super T> cache,
      EntryType<T> type,
      KeyCodec<? super K> keys,
      ToLongFunction<? super T> charge,
      Priority priority) {
    this.cache = Objects.requireNonNull(cache, "cache must not be null");
    this.type = Objects.requireNonNull(type, "type must not be null");
    this.keys = Objects.requireNonNull(keys, "keys must not be null");
    this.charge = Objects.requireNonNull(charge, "charge must not be null");
    this.priority = Objects.requireNonNull(priority, "priority must not be null");
  }

  /**
   * A view that charges what a function says.
   *
   * @param cache the shared cache
   * @param type type of all entries of this view
   * @param keys how keys become words
   * @param charge memory of a value in bytes
   * @param priority priority of all entries of this view
   * @param <K> type of the keys
   * @param <T> type of the values
   * @return a new view
   */
  public static <K, T> TypedCache<K, T> of(
      BlockCache<? super T> cache,
      EntryType<T> type,
      KeyCodec<? super K> keys,
      ToLongFunction<? super T> charge,
      Priority priority) {
    return new TypedCache<>(cache, type, keys, charge, priority);
  }

  /**
   * A view with {@link Priority#LOW} that charges what the type's codec says.
   *
   * @param cache the shared cache
   * @param type type of all entries of this view, with a codec
   * @param keys how keys become words
   * @param <K> type of the keys
   * @param <T> type of the values
   * @return a new view
   * @throws IllegalArgumentException if the type has no codec
   */
  public static <K, T> TypedCache<K, T> of(
      BlockCache<? super T> cache, EntryType<T> type, KeyCodec<? super K> keys) {
    EntryCodec<T> codec = Objects.requireNonNull(type, "type must not be null").codec();
    if (codec == null) {
      throw new IllegalArgumentException("type must have a codec: type=" + type);
    }
    return new TypedCache<>(cache, type, keys, codec::chargeBytes, Priority.LOW);
  }

  /**
   * Reads without pinning; see {@link BlockCache#get}.
   *
   * @param key the key
   * @return the value, owned by the collector, or null
   * @throws PinRequiredException if values of this type are freed by hand
   */
  @SuppressWarnings("unchecked")
  public @Nullable T get(K key) {
    return (T) cache.get(keys.hi(key), keys.lo(key));
  }

  /**
   * Pins an entry; see {@link BlockCache#lookup}.
   *
   * @param key the key
   * @return a handle that the caller must close, or null
   */
  @SuppressWarnings("unchecked")
  public @Nullable Handle<T> lookup(K key) {
    return (Handle<T>) cache.lookup(keys.hi(key), keys.lo(key));
  }

  private ViewLoader<K, T> loader(K key, KeyLoader<? super K, ? extends T> loader) {
    Objects.requireNonNull(loader, "loader must not be null");
    return new ViewLoader<>(key, loader, type, charge, priority);
  }

  /**
   * Reads without pinning, and loads what is missing; see {@link io.hyperclock.LoadingReads#get}.
   * Allocates a small object per call.
   *
   * @param key the key
   * @param loader called at most once, on this thread
   * @return the value, owned by the collector, or null if there is none
   * @throws PinRequiredException if values of this type are freed by hand
   */
  @SuppressWarnings("unchecked")
  public @Nullable T get(K key, KeyLoader<? super K, ? extends T> loader) {
    return (T) cache.get(keys.hi(key), keys.lo(key), loader(key, loader));
  }

  /**
   * Pins an entry, and loads it if it is missing; see {@link io.hyperclock.LoadingReads#lookup}.
   * Allocates a small object per call.
   *
   * @param key the key
   * @param loader called at most once, on this thread
   * @return a handle that the caller must close, or null if there is no such value
   */
  @SuppressWarnings("unchecked")
  public @Nullable Handle<T> lookup(K key, KeyLoader<? super K, ? extends T> loader) {
    return (Handle<T>) cache.lookup(keys.hi(key), keys.lo(key), loader(key, loader));
  }

  /**
   * Reads without pinning or waiting; see {@link io.hyperclock.LoadingReads#getAsync(long, long,
   * Executor, io.hyperclock.BlockLoader)}.
   *
   * @param key the key
   * @param executor runs the loader
   * @param loader called at most once
   * @return a new future of the value, or of null if there is none
   * @throws PinRequiredException if values of this type are freed by hand
   */
  @SuppressWarnings("unchecked")
  public CompletableFuture<@Nullable T> getAsync(
      K key, Executor executor, KeyLoader<? super K, ? extends T> loader) {
    return (CompletableFuture<@Nullable T>)
        cache.getAsync(keys.hi(key), keys.lo(key), executor, loader(key, loader));
  }

  /**
   * Pins without waiting; see {@link io.hyperclock.LoadingReads#lookupAsync(long, long, Executor,
   * io.hyperclock.BlockLoader)} for who closes the handle.
   *
   * @param key the key
   * @param executor runs the loader
   * @param loader called at most once
   * @return a new future of a handle that must be closed, or of null if there is no such value
   */
  @SuppressWarnings("unchecked")
  public CompletableFuture<@Nullable Handle<T>> lookupAsync(
      K key, Executor executor, KeyLoader<? super K, ? extends T> loader) {
    return (CompletableFuture<@Nullable Handle<T>>)
        (CompletableFuture<?>)
            cache.lookupAsync(keys.hi(key), keys.lo(key), executor, loader(key, loader));
  }

  /**
   * Adds a value unless the key is present; see {@link BlockCache#insert}.
   *
   * @param key the key
   * @param value the value, owned by the cache unless refused
   * @return what became of it
   */
  public InsertResult insert(K key, T value) {
    return cache.insert(
        keys.hi(key), keys.lo(key), value, type, charge.applyAsLong(value), priority);
  }

  /**
   * Adds a value and pins it; see {@link BlockCache#insertPinned}.
   *
   * @param key the key
   * @param value the value, owned by the cache if the call returns
   * @return a handle that the caller must close
   */
  @SuppressWarnings("unchecked")
  public Handle<T> insertPinned(K key, T value) {
    return (Handle<T>)
        cache.insertPinned(
            keys.hi(key), keys.lo(key), value, type, charge.applyAsLong(value), priority);
  }

  /**
   * Puts a freshly written block where reads will look for it, at {@link Priority#BOTTOM}: it
   * leaves first if nobody reads it. Never throws for lack of room; a refused value is disposed.
   *
   * @param key the key
   * @param value the value, owned by the cache in any case
   */
  public void warm(K key, T value) {
    long hi = keys.hi(key);
    long lo = keys.lo(key);
    InsertResult result =
        cache.insert(hi, lo, value, type, charge.applyAsLong(value), Priority.BOTTOM);
    if (result.isRefused() && type.disposer() != null) {
      type.disposer().dispose(hi, lo, value);
    }
  }

  /**
   * Removes a key; see {@link BlockCache#erase}.
   *
   * @param key the key
   * @return true if an entry was removed
   */
  public boolean erase(K key) {
    return cache.erase(keys.hi(key), keys.lo(key));
  }

  /**
   * Visits the entries of this view's type; see {@link BlockCache#forEachEntry}.
   *
   * @param visitor called on the calling thread
   */
  @SuppressWarnings("unchecked")
  public void forEachEntry(EntryVisitor<? super T> visitor) {
    Objects.requireNonNull(visitor, "visitor must not be null");
    cache.forEachEntry(
        (hi, lo, value, entryType, chargeBytes) -> {
          if (entryType == type) {
            visitor.visit(hi, lo, (T) value, entryType, chargeBytes);
          }
        });
  }

  /**
   * Type of the entries of this view.
   *
   * @return the type
   */
  public EntryType<T> type() {
    return type;
  }
}
