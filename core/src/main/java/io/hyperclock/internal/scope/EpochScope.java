/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one implementation of {@link ReadScope}. Small and plain, so that it is scalar-replaced where
 * it does not escape.
 */
public final class EpochScope<V> implements ReadScope<V> {
  private final ReadScopes scopes;
  private final ScopedReads<V> cache;
  private int cell;
  private final ReadScopes.@Nullable TrackedScope tracked;
  private final Thread opener;

  /** Read and written by the opener only. */
  private boolean closed;

  /** Loaded entries that no table keeps; freed by these pins, not by retiring. */
  private @Nullable Deque<Handle<V>> kept;

  /** A scope that is not yet counted. */
  private EpochScope(
      ReadScopes scopes,
      ScopedReads<V> cache,
      Thread opener,
      ReadScopes.@Nullable TrackedScope tracked) {
    this.scopes = scopes;
    this.cache = cache;
    this.opener = opener;
    this.tracked = tracked;
  }

  /** Opens a scope for the calling thread. */
  public static <V> ReadScope<V> open(ReadScopes scopes, ScopedReads<V> cache) {
    Thread opener = Thread.currentThread();
    // Before anything is held: it is what needs most of stack and memory.
    ReadScopes.TrackedScope tracked = scopes.choose(opener);
    EpochScope<V> scope = new EpochScope<>(scopes, cache, opener, tracked);
    scope.cell = scopes.begin(tracked);
    return scope;
  }

  @Override
  public @Nullable V get(long keyHi, long keyLo) {
    requireUsable();
    return cache.readInScope(keyHi, keyLo);
  }

  @Override
  public @Nullable V peek(long keyHi, long keyLo) {
    requireUsable();
    return cache.peekInScope(keyHi, keyLo);
  }

  @Override
  public @Nullable V get(long keyHi, long keyLo, BlockLoader<? extends V> loader) {
    Objects.requireNonNull(loader, "loader must not be null");
    V present = get(keyHi, keyLo);
    if (present != null) {
      return present;
    }
    Handle<V> handle = cache.lookupMissed(keyHi, keyLo, loader);
    if (handle == null) {
      return null;
    }
    boolean done = false;
    try {
      requireUsable(); // The loader may have closed it.
      V value = handle.value();
      if (handle.isStandalone()) {
        if (kept == null) {
          kept = new ArrayDeque<>();
          if (tracked != null) {
            tracked.kept = kept;
          }
        }
        kept.push(handle);
        done = true;
      }
      return value;
    } finally {
      if (!done) {
        // What leaves the table from now on retires, as this scope is open.
        handle.close();
      }
    }
  }

  private void requireUsable() {
    if (Thread.currentThread() != opener || closed) {
      throw unusable();
    }
  }

  @Override
  public void close() {
    if (Thread.currentThread() != opener) {
      throw unusable();
    }
    if (!closed) {
      scopes.end(cell, tracked);
      // Not before: a scope that could not be ended can be closed again.
      closed = true;
      scopes.ended(cell, tracked);
    }
    ReadScopes.closeAll(kept);
  }

  private IllegalStateException unusable() {
    Thread caller = Thread.currentThread();
    if (caller == opener) {
      return new IllegalStateException("read scope must not be closed: closed=true");
    }
    return new IllegalStateException(
        "read scope must be used by the thread that opened it: opener="
            + opener.getName()
            + ", caller="
            + caller.getName());
  }

  @Override
  public String toString() {
    return "ReadScope[opener=" + opener.getName() + "]";
  }
}
