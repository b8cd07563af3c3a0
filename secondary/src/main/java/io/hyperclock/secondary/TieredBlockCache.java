/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.BlockLoader;
import io.hyperclock.CacheMonitor;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.EntryVisitor;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.entry.Priority;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block cache with tiers below it: what the primary evicts moves down, what is asked for again
 * moves up.
 *
 * <pre>{@code
 * EntryType<byte[]> type = EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
 * TieredBlockCache<byte[]> cache =
 *     TieredBlockCache.builder(BlockCache.<byte[]>builder().capacityBytes(1L << 30))
 *         .tier(CompressedSecondaryCache.builder().capacityBytes(1L << 30).build())
 *         .build();
 * byte[] block =
 *     cache.get(file.hi(), file.lo(offset), type, null, (hi, lo) -> readFromDisk(offset));
 * }</pre>
 *
 * <p><b>Reads</b> say of what type a value is, because a tier holds bytes: the codec of the type
 * decodes them, with the reader's context. A type without codec never leaves the primary. A hit in
 * the primary is exactly a hit there: it notices nothing of the tiers, nor of the type named, so
 * that a handle may have a value of another type ({@link Handle#type}).
 *
 * <p><b>Moving up.</b> The first time a value is found below, the caller gets it as a standalone
 * entry and the primary keeps a mark without charge; the second time it is inserted into the
 * primary and the tier forgets it. {@link Handle#discard()} takes the mark back. {@link
 * Handle#eraseIfLast()} erases nothing below: a value that no reader is to find again, such as a
 * damaged one, needs {@link #erase(long, long)}. From a tier that cannot forget on advice a value
 * moves up at once, and is not offered to that tier again.
 *
 * <p><b>Moving down.</b> Evicted values are handed over within bounds, on the thread that evicts,
 * and encoded by the executor; what exceeds the bounds is dropped and counted. The nearest tier is
 * asked first, the next if it declines; what a tier {@linkplain SecondaryCache#onDrop gives up for
 * room} is offered to the next one. {@link AdmissionPolicy} says what is offered.
 *
 * <p><b>Freshness.</b> Once a write that was not refused, or an erase, has returned, no read that
 * begins afterwards gives an older value of the key, wherever copies of it were or were going. A
 * read that runs at the same time as a write may find nothing. This holds for calls of this
 * interface: who writes to the {@link #primary()} or to a tier directly breaks it. Inside a
 * disposer, listener or loader an erase does not wait for the end of a promotion, and the value may
 * be found for that moment.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread at any time. Concurrent lookups
 * of one key share one read of the tiers. Writes may wait for a promotion of the same key that is
 * being inserted at that moment; lookups that miss the primary wait for tiers, {@link #startLookup}
 * and the hits do not. Codecs run on the threads that tiers choose and on the executor, and must
 * not look up the key they work on; disposers, listeners and dependents of futures run on the
 * callers' threads and on the executor.
 *
 * <p><b>Errors.</b> As those of {@link BlockCache}. What fails in a tier is a miss or a dropped
 * value, and counted. So is a tier that does not answer in time, see {@link
 * TieredBlockCacheBuilder#tierTimeout}; only a tier that blocks the thread that asks it keeps that
 * thread.
 *
 * <p>This is no {@link BlockCache}: a read without a type could look at the primary only, in
 * silence. Whether a key is absent everywhere is not known without a read, so there is no {@code
 * putIfAbsent} and no {@code replace}.
 *
 * <p>Source: RocksDB {@code CacheWithSecondaryAdapter}; changed: bounded hand-off in place of
 * compression by the inserting thread, writes that reach the tiers, single flight, any number of
 * tiers, marks under keys of their own.
 *
 * @param <V> type of the values
 */
public interface TieredBlockCache<V> extends TieredBudget, AutoCloseable {
  /**
   * Starts a tiered cache.
   *
   * @param primary settings of the primary; the build takes an eviction listener out of them, see
   *     {@link TieredBlockCacheBuilder#evictionListener}
   * @param <V> type of the values
   * @return a new builder
   */
  static <V> TieredBlockCacheBuilder<V> builder(BlockCacheBuilder<V> primary) {
    return new TieredBlockCacheBuilder<>(primary);
  }

  /**
   * Pins an entry, from the primary or from below.
   *
   * @param type type of the value
   * @return a handle that the caller must close, or null for a miss
   */
  default @Nullable Handle<V> lookup(long keyHi, long keyLo, EntryType<? extends V> type) {
    return lookup(keyHi, keyLo, type, null);
  }

  /**
   * Pins an entry, from the primary or from below.
   *
   * @param type type of the value
   * @param context handed to the codec; lookups share a read only if theirs is the same object
   * @return a handle that the caller must close, or null for a miss
   */
  @Nullable Handle<V> lookup(
      long keyHi, long keyLo, EntryType<? extends V> type, @Nullable Object context);

  /**
   * Pins an entry, from the primary or from below, and loads it if it is in neither. Of several
   * callers one loads, as {@link BlockCache#lookup(long, long, BlockLoader)} says.
   *
   * @param type type of the value
   * @param context handed to the codec
   * @param loader called at most once, on this thread, when no tier has the value; the type of the
   *     entry is {@code type} unless it says otherwise
   * @param <T> type of the value
   * @return a handle that the caller must close, or null if there is no such block
   * @throws CapacityExceededException if strict capacity left no room for a loaded value
   * @throws io.hyperclock.BlockLoadException if there is no value; see there
   */
  <T extends V> @Nullable Handle<V> lookup(
      long keyHi,
      long keyLo,
      EntryType<T> type,
      @Nullable Object context,
      BlockLoader<? extends T> loader);

  /**
   * Reads a value that the garbage collector owns, from the primary or from below.
   *
   * @param type type of the value
   * @return the value, or null for a miss
   * @throws PinRequiredException if the value is freed explicitly, or would be
   */
  default @Nullable V get(long keyHi, long keyLo, EntryType<? extends V> type) {
    return get(keyHi, keyLo, type, null);
  }

  /**
   * Reads a value that the garbage collector owns, from the primary or from below.
   *
   * @param type type of the value
   * @param context handed to the codec
   * @return the value, or null for a miss
   * @throws PinRequiredException if the value is freed explicitly, or would be
   */
  @Nullable V get(long keyHi, long keyLo, EntryType<? extends V> type, @Nullable Object context);

  /**
   * Reads a value that the garbage collector owns, from the primary or from below, and loads it if
   * it is in neither. Of several callers one loads, as {@link BlockCache#get(long, long,
   * BlockLoader)} says.
   *
   * @param type type of the value
   * @param context handed to the codec
   * @param loader called at most once, on this thread, when no tier has the value; the type of the
   *     entry is {@code type} unless it says otherwise
   * @param <T> type of the value
   * @return the value, or null if there is no such block
   * @throws PinRequiredException if the value is freed explicitly, or would be; nothing is loaded
   *     then
   * @throws io.hyperclock.BlockLoadException if there is no value; see there
   */
  <T extends V> @Nullable V get(
      long keyHi,
      long keyLo,
      EntryType<T> type,
      @Nullable Object context,
      BlockLoader<? extends T> loader);

  /**
   * Starts a lookup without waiting for tiers.
   *
   * @param type type of the value
   * @return the lookup, done already if the primary has the value
   */
  default AsyncLookup<V> startLookup(long keyHi, long keyLo, EntryType<? extends V> type) {
    return startLookup(keyHi, keyLo, type, null);
  }

  /**
   * Starts a lookup without waiting for tiers.
   *
   * @param type type of the value
   * @param context handed to the codec
   * @return the lookup, done already if the primary has the value
   */
  AsyncLookup<V> startLookup(
      long keyHi, long keyLo, EntryType<? extends V> type, @Nullable Object context);

  /**
   * Starts many lookups, so that the nearest tier can combine its reads. A key that occurs more
   * than once is read once.
   *
   * @param keys pairs of high and low words: {@code hi0, lo0, hi1, lo1, …}
   * @param type type of the values
   * @param context handed to the codec
   * @return the lookups, in the order of the keys
   */
  List<AsyncLookup<V>> startLookups(
      long[] keys, EntryType<? extends V> type, @Nullable Object context);

  /**
   * Waits until all lookups are done. Those that are done already, an empty collection and repeated
   * lookups are fine. A tier that does not answer is waited for no longer than {@link
   * TieredBlockCacheBuilder#tierTimeout}. It also does what there is to be done: reads that no
   * thread has begun, from a disk of this machine whose reads are as fast as from memory, are made
   * on this thread. A device that hangs just then keeps it, as it keeps the caller of a {@code
   * lookup}.
   *
   * @param lookups lookups of any tiered caches
   * @throws IllegalArgumentException if one is of another make; then it waits for none
   */
  void waitAll(Collection<? extends AsyncLookup<?>> lookups);

  /**
   * Waits until all lookups are done, for a limited time. Those that are not have ended without a
   * handle then; their values may still move up.
   *
   * @param lookups lookups of any tiered caches
   * @param timeout longest wait for all; zero or less does not wait
   * @throws IllegalArgumentException if one is of another make; then it waits for none
   */
  void waitAll(Collection<? extends AsyncLookup<?>> lookups, Duration timeout);

  /**
   * Adds a value unless the primary has one for the key. Copies below are older and are erased.
   *
   * @param value the value, owned by the cache if the call returns, unless the result is {@link
   *     InsertResult#REFUSED}
   * @param type type of the value
   * @param chargeBytes memory it stands for, as {@link BlockCache#insert}
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return the outcome
   */
  <T extends V> InsertResult insert(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority);

  /**
   * As {@link #insert}, and pins the value, as {@link BlockCache#insertPinned} does.
   *
   * @param value the value, owned by the cache if the call returns
   * @param type type of the value
   * @param chargeBytes memory it stands for
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return a handle on the given value that the caller must close
   * @throws CapacityExceededException if strict capacity left no room; the value stays the caller's
   */
  <T extends V> Handle<V> insertPinned(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority);

  /**
   * Adds a value in place of any older one, in the primary and below.
   *
   * @param value the value, owned by the cache if the call returns, unless the result {@linkplain
   *     InsertResult#callerKeepsValue() says otherwise}
   * @param type type of the value
   * @param chargeBytes memory it stands for
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return the outcome, as {@link BlockCache#put}
   */
  <T extends V> InsertResult put(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority);

  /**
   * As {@link #put}, and pins the value, as {@link BlockCache#putPinned} does.
   *
   * @param value the value, owned by the cache if the call returns
   * @param type type of the value
   * @param chargeBytes memory it stands for
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return a handle on the given value that the caller must close
   * @throws CapacityExceededException if strict capacity left no room; the value stays the caller's
   */
  <T extends V> Handle<V> putPinned(
      long keyHi, long keyLo, T value, EntryType<T> type, long chargeBytes, Priority priority);

  /**
   * Puts a value only in place of one that the caller has seen and that is in the primary.
   *
   * @param expected the value to replace, the same object
   * @param value the value, owned by the cache if the call returns, unless the result {@linkplain
   *     InsertResult#callerKeepsValue() says otherwise}
   * @param type type of the value
   * @param chargeBytes memory it stands for
   * @param <T> type of the value
   * @return the outcome, as {@link BlockCache#compareAndReplace}; also {@link
   *     InsertResult#NOT_PRESENT} if the value is below only or was given as a standalone entry
   */
  <T extends V> InsertResult compareAndReplace(
      long keyHi, long keyLo, V expected, T value, EntryType<T> type, long chargeBytes);

  /**
   * Removes a key from the primary and from all tiers.
   *
   * @return true if the primary had an entry of it; whether a tier had is not known
   */
  boolean erase(long keyHi, long keyLo);

  /**
   * Removes a key from the primary and from all tiers, but only if the primary has the value that
   * the caller has seen, the same object. Otherwise nothing is removed anywhere: not from a tier
   * either, whose copies have no identity.
   *
   * @param expected the value to remove
   * @return true if this call removed it; false if the primary has no entry of the key, or one of
   *     another value
   */
  boolean erase(long keyHi, long keyLo, V expected);

  /**
   * Visits the entries of the primary, as {@link CacheMonitor#forEachEntry}, without marks.
   *
   * @param visitor called on the calling thread
   */
  void forEachEntry(EntryVisitor<? super V> visitor);

  /**
   * The files of the primary. Their keys are the same in every process, so tiers that outlive this
   * cache, or are shared, find the blocks again. Blocks of a dropped file do not move down; what is
   * below stays until its tier gives it up.
   *
   * @return the cache's one instance
   */
  FileKeys fileKeys();

  /**
   * Changes the capacity of the primary; what leaves moves down.
   *
   * @param capacityBytes new capacity in bytes, greater than 0
   * @throws IllegalStateException if the cache was built with a total budget
   */
  void setCapacityBytes(long capacityBytes);

  /**
   * The primary, to look at: its statistics, problems, metrics. A reservation there is charged to
   * the primary alone; one on this cache is borne by the tier as well. A read there sees no tier;
   * an entry erased or written there leaves copies below; its {@link CacheMonitor#forEachEntry}
   * shows marks too.
   *
   * @return the primary
   */
  BlockCache<?> primary();

  /**
   * The tiers, to look at. The cache closes them.
   *
   * @return them, nearest first
   */
  List<SecondaryCache> tiers();

  /**
   * Whether the tiers serve.
   *
   * @return their states, nearest first
   */
  List<TierState> states();

  /**
   * Snapshot of everything.
   *
   * @return a new snapshot
   */
  TieredStats stats();

  /**
   * Closes the primary and all tiers. Lookups under way end without a handle, values on their way
   * down are dropped. Open handles work as before. Idempotent.
   *
   * <p>A tier that is found again later, such as one on disk, holds nothing then that a write has
   * replaced or erased before this call. So keys that are being written are erased below. A value
   * that was overwritten on its way down is waited for, no longer than {@link
   * TieredBlockCacheBuilder#tierTimeout} for all of them; a tier that has not taken or declined it
   * by then is emptied, and the log says so. A tier that has failed to erase is emptied too. A
   * write that comes after this call throws and changes no tier: a caller who has changed what
   * loaders read all the same may find the older value after a restart. So end the writers first.
   *
   * <p>Each tier is closed on a daemon thread, and waited for no longer than {@link
   * TieredBlockCacheBuilder#tierTimeout}. One that takes longer goes on by itself: {@link
   * #states()} says so until it has ended, the log and {@link TierObserver#onCloseTimeout} say it
   * once. A tier on disk whose own limit is shorter may still write when its close has returned:
   * only its log and {@link #states()} say so.
   */
  @Override
  void close();
}
