/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads that load what is missing: the part of a {@link BlockCache} that calls loaders.
 *
 * <pre>{@code
 * byte[] block = cache.get(file.hi(), file.lo(offset), (hi, lo) -> readFromDisk(offset));
 * }</pre>
 *
 * <p><b>Single flight.</b> Of several callers who miss a key at the same time one loads it and puts
 * it into the cache; the others wait for that value. Nothing is locked while a loader runs, and a
 * slow load delays callers of its own key only. A hit is exactly a {@link BlockCache#get} or {@link
 * BlockCache#lookup}: it allocates nothing and takes no notice of loads.
 *
 * <p><b>Erasing.</b> A caller that comes after an {@link BlockCache#erase} has returned gets no
 * value that was being loaded before it: that load serves its own callers and is not cached. An
 * erase that falls into the moment in which a loaded value is being inserted waits for the end of
 * the insert; inside a loader, disposer or listener, or a dependent of a future of this interface,
 * it does not wait, and the value may be found for that moment. Dropping a file ({@link
 * io.hyperclock.entry.FileKeys#drop}) stops no load: the block is cached under the dropped file's
 * key and is among the first to be evicted. {@link BlockCache#eraseUnreferenced} stops no load
 * either.
 *
 * <p><b>Inserting.</b> An insert of a key that is being loaded invalidates the load: the loaded
 * value is not cached. Callers who already wait get the inserted value, or the loaded one if the
 * inserted one is gone by then. Callers who come after the insert never get the loaded one. The
 * insert does not wait; if it and the load reach the table at the same moment, one of the two
 * values is kept.
 *
 * <p><b>Room.</b> A value for which there is no slot or room is returned uncached: by {@code get}
 * as it is, by {@code lookup} as a standalone entry that is charged while it is held. If strict
 * capacity refuses even that, the value is disposed and every caller of {@code lookup} gets a
 * {@link CapacityExceededException}.
 *
 * <p><b>Failures.</b> What a loader throws reaches the caller who called it: a checked exception as
 * {@link BlockLoadException}, others as they are. Callers who waited for it get a {@link
 * BlockLoadException} each; only an {@link InterruptedException} is not shared: one of the waiting
 * callers loads instead. Nothing stays behind, the next caller loads again. If the cache is closed
 * meanwhile, the callers get {@link IllegalStateException} once the loader has returned, or its
 * stage is complete, and the value is disposed. There is no time limit: callers of a key wait until
 * its loader returns, or until they are interrupted. Give loaders that ask a disk or a server a
 * limit of their own.
 *
 * <p><b>Loaders that use the cache.</b> A loader that asks for its own key gets an {@link
 * IllegalStateException}. Where waiting would close a circle (a load waits for a second one that
 * waits for the first), or the awaited load has no thread (an {@link AsyncBlockLoader}'s), the
 * caller inside the loader loads by itself, uncached; so such loads always end. The same holds for
 * a dependent of a future, on the thread that completes it, and for a listener or disposer that the
 * insert of a loaded value calls: they may read any key. A loader must not hand its key to another
 * thread and wait for it, nor block on a future of this interface.
 *
 * @param <V> type of the values
 */
public interface LoadingReads<V> {
  /**
   * Reads a value without pinning it, and loads it if it is missing.
   *
   * @param loader called at most once, on this thread; does not keep the value
   * @return the value, owned by the garbage collector, or null if there is no such block
   * @throws PinRequiredException if the value is freed explicitly, or would be; nothing is loaded
   *     then. A {@linkplain io.hyperclock.entry.EntryType#isStamped() stamped} value that is cached
   *     is returned
   * @throws BlockLoadException if there is no value; see there
   */
  @Nullable V get(long keyHi, long keyLo, BlockLoader<? extends V> loader);

  /**
   * Pins an entry, and loads it if it is missing.
   *
   * @param loader called at most once, on this thread
   * @return a handle that the caller must close, its own for each caller, or null if there is no
   *     such block
   * @throws CapacityExceededException if strict capacity left no room; the value has been disposed
   * @throws BlockLoadException if there is no value; see there
   */
  @Nullable Handle<V> lookup(long keyHi, long keyLo, BlockLoader<? extends V> loader);

  /**
   * Like {@link #get(long, long, BlockLoader)}, without waiting.
   *
   * <p>The loader runs on a thread of {@code executor}, or not at all if a caller who would have to
   * wait comes first and loads on its own thread. The future is complete at once on a hit, else the
   * thread that ran the load completes it, after all threads that wait are served. Cancelling or
   * completing a future ends no load. The future fails like {@code get}, but what a loader threw
   * always comes as {@link BlockLoadException}; so does a rejection by the executor. An executor
   * must not drop a task it has accepted.
   *
   * @param executor runs the loader
   * @param loader called at most once
   * @return a new future of the value, or of null if there is no such block
   * @throws PinRequiredException if the value is freed explicitly, or would be; nothing is loaded
   *     then
   */
  CompletableFuture<@Nullable V> getAsync(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends V> loader);

  /**
   * Like {@link #getAsync(long, long, Executor, BlockLoader)} with a loader that does not block; it
   * is called on this thread.
   *
   * @param loader called at most once
   * @return a new future of the value, or of null if there is no such block
   * @throws PinRequiredException if the value is freed explicitly, or would be; nothing is loaded
   *     then
   */
  CompletableFuture<@Nullable V> getAsync(
      long keyHi, long keyLo, AsyncBlockLoader<? extends V> loader);

  /**
   * Like {@link #getAsync(long, long, Executor, BlockLoader)}, pinned.
   *
   * <p>A handle belongs to the caller that takes it out of the future. If the future was completed
   * by other code before the cache could (cancelled, timed out), no handle is in it and the cache
   * closes the one it had for it. A future that is complete keeps its handle: {@code cancel} is
   * false then, and the handle is still to be closed. Do not hand out a dependent that takes the
   * handle and may be completed early, but a {@link CompletableFuture#copy() copy} of it: the JDK
   * skips the function of a dependent that is complete, and no code closes the handle.
   *
   * @param executor runs the loader
   * @param loader called at most once
   * @return a new future of a handle that must be closed, or of null if there is no such block
   */
  CompletableFuture<@Nullable Handle<V>> lookupAsync(
      long keyHi, long keyLo, Executor executor, BlockLoader<? extends V> loader);

  /**
   * Like {@link #lookupAsync(long, long, Executor, BlockLoader)} with a loader that does not block;
   * it is called on this thread.
   *
   * @param loader called at most once
   * @return a new future of a handle that must be closed, or of null if there is no such block
   */
  CompletableFuture<@Nullable Handle<V>> lookupAsync(
      long keyHi, long keyLo, AsyncBlockLoader<? extends V> loader);

  /**
   * Reads many values, and loads those that are missing and that no other caller is loading by one
   * call of the loader; then waits for those that others load. (A key whose load by another caller
   * came to nothing is loaded by a further call.)
   *
   * @param keys pairs of high and low words: {@code hi0, lo0, hi1, lo1, …}
   * @param values takes a value, or null for a block that does not exist, for each pair; at least
   *     half as long as {@code keys}. If a value cannot be had, or the loader throws, it holds
   *     values that were found or loaded until then, and null in all other places
   * @param loader called on this thread
   * @param <T> type of what the loader loads, in a cache of several types
   * @return number of values found or loaded
   * @throws PinRequiredException if a value is freed explicitly, or would be
   * @throws BlockLoadException if a value could not be had
   * @throws ArrayStoreException if a value that is cached is not of the type of the array
   */
  <T extends V> int getAll(long[] keys, @Nullable T[] values, BulkLoader<T> loader);

  /**
   * Pins many entries, and loads those that are missing as {@link #getAll(long[], Object[],
   * BulkLoader)} does: of two callers who miss some of the same keys at the same time each key is
   * loaded by one of them.
   *
   * <pre>{@code
   * Handle<byte[]>[] handles = new Handle[keys.length / 2];
   * cache.lookupAll(keys, handles, byte[][]::new, (missing, blocks) -> readRange(missing, blocks));
   * }</pre>
   *
   * @param keys pairs of high and low words: {@code hi0, lo0, hi1, lo1, …}
   * @param handles takes a handle, to be closed by the caller, or null for a block that does not
   *     exist, for each pair; at least half as long as {@code keys}. If the call throws, none is
   *     left in it; only arguments that are null or of a wrong length leave it as it is
   * @param arrays makes the arrays that the loader fills: of the length asked for, all null
   * @param loader called on this thread; what it has put into the array is the cache's, even if it
   *     throws
   * @param <T> type of what the loader loads, in a cache of several types
   * @return number of entries found or loaded
   * @throws CapacityExceededException if strict capacity left no room for a value
   * @throws BlockLoadException if a value could not be had
   */
  <T extends V> int lookupAll(
      long[] keys,
      @Nullable Handle<V>[] handles,
      IntFunction<@Nullable T[]> arrays,
      BulkLoader<T> loader);

  /**
   * Loads an entry for later, if it is missing: nothing is pinned, and there is nothing to wait for
   * or to release. A bound on what waits is the executor's. What it rejects is not loaded, and what
   * the loader throws is a failed load in {@link CacheMonitor#loadStats()}; the caller sees
   * neither.
   *
   * @param executor runs the loader
   * @param loader called at most once
   * @return false if the key was cached
   */
  boolean prefetch(long keyHi, long keyLo, Executor executor, BlockLoader<? extends V> loader);

  /**
   * Keeps a value that is being loaded for a key at this moment out of the cache, as {@link
   * BlockCache#erase} does, without touching an entry that is there. For callers who change what
   * loaders would read and leave the cache as it is: erases, overwrites and inserts do this by
   * themselves.
   */
  void invalidateLoad(long keyHi, long keyLo);
}
