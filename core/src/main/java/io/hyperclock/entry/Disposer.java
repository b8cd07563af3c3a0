/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.entry;

/**
 * Frees a value that the garbage collector does not own: a pooled buffer, native memory, a file
 * mapping.
 *
 * <pre>{@code
 * Disposer<Closeable> close =
 *     (hi, lo, mapping) -> {
 *       try {
 *         mapping.close();
 *       } catch (IOException e) {
 *         throw new UncheckedIOException(e);
 *       }
 *     };
 * EntryType<Closeable> mappings = EntryType.<Closeable>named("mapping").disposer(close).build();
 * }</pre>
 *
 * <p>The cache calls it <b>exactly once</b> per value it took over (unless an {@link
 * io.hyperclock.EvictionListener} has taken that over), after the last reader has released its
 * handle or closed its read scope, on whichever thread that happens: a thread that evicts (to
 * insert, or to move entries to a table of another size), an erasing thread or the thread that
 * releases or closes last. In a cache that sizes itself, any write, erase or change of the capacity
 * may move entries, and so may {@code monitor().stats()}, {@code forEachEntry} and {@code
 * forEachHottest}.
 *
 * <p>An implementation should be short and must not block; it may call back into the same cache,
 * where an insert during an eviction evicts nothing else and is dropped (strict: refused) without
 * room. If it throws, the exception is logged, counted and given to the observer; the entry is
 * gone, and the disposer is not called again for that value. Where the stack or the memory ends in
 * a call of the cache, a value may be left undisposed; none is disposed of twice.
 *
 * @param <T> type of the values
 */
@FunctionalInterface
public interface Disposer<T> {
  /**
   * Frees {@code value}; no other reference to it is left.
   *
   * @param keyHi high word of the key the value was cached under
   * @param value the value to free, owned by the callee from here on
   */
  void dispose(long keyHi, long keyLo, T value);
}
