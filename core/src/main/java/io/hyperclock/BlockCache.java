/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKeys;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free cache of blocks under 128-bit keys, of bounded size, with CLOCK replacement.
 *
 * <pre>{@code
 * BlockCache<byte[]> cache = BlockCache.<byte[]>builder().capacityBytes(64 << 20).build();
 * FileKey file = cache.fileKeys().open("db-3f2a91c0", 123);
 * byte[] block = cache.get(file.hi(), file.lo(offset), (hi, lo) -> readFromDisk(offset));
 * }</pre>
 *
 * <p><b>Three ways to read.</b>
 *
 * <ul>
 *   <li>{@link #get} returns a value that the garbage collector owns, without pinning it; a hit on
 *       a hot entry writes nothing to memory.
 *   <li>{@link #lookup} pins the entry and returns a {@link Handle}: the value is neither evicted
 *       nor freed before the handle is closed. For reads of any length.
 *   <li>{@link #openScope} starts a {@link ReadScope}: short reads, on one thread, of values of
 *       both kinds. They write nothing to a hot entry; a value that leaves the cache meanwhile is
 *       not freed before the scope is closed.
 * </ul>
 *
 * <p>Values whose type has a disposer are freed <b>exactly once, after their last reader</b>, and
 * can be read only through handles and in scopes; those of a {@linkplain EntryType#isStamped()
 * stamped} type by {@link #get} too, by readers who look at the stamp afterwards.
 *
 * <p><b>Keys</b> are two longs, here and in all of this library: {@code keyHi}, the high word, and
 * {@code keyLo}, the low one. They are compared in full; all bit patterns are allowed. {@link
 * io.hyperclock.entry.FileKey} makes them from files and offsets, the same in every process, {@link
 * io.hyperclock.entry.Key128} from strings and bytes.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread at any time. Reads and releases
 * are lock-free. A read repeats its search only if another thread changed the entry meanwhile, or
 * overwrote a key of the same stripe (a share of all keys with one count of overwrites). Erases and
 * evictions are lock-free, and so are inserts but for inserts of the same key at the same moment,
 * which may make each other look again. A thread waits for another one only in
 *
 * <ul>
 *   <li>the methods that take a loader;
 *   <li>an erase or overwrite of a key whose loaded value is being inserted at that moment;
 *   <li>{@link #compareAndReplace} and {@link #erase(long, long, Object)} of a key whose value is
 *       being exchanged at that moment, which is a few instructions unless that thread is stopped;
 *   <li>{@link Handle#chargeBytes} and {@link Handle#adjustCharge} of an entry that is being moved
 *       to a table of another size at that moment: a few instructions as well.
 * </ul>
 *
 * <p><b>Costs.</b> The number of slots follows the entries; writes move entries to a table of
 * another size now and then. With {@link BlockCacheBuilder#estimatedEntryCharge} it is fixed when
 * the cache is built, and a bad estimate wastes capacity ({@link CacheMonitor#problems()} says so).
 * A key can lie in 16 slots only: an insert that finds all of them taken evicts one of those
 * entries, even below the capacity; one that finds all of them pinned has no slot, unless the cache
 * sizes itself and can make the table larger at once. An insert of a present key keeps the older
 * value. There is no expiry.
 *
 * <p><b>Errors.</b> Every method throws {@link IllegalStateException} after {@link #close()} but
 * those of open handles, {@link #monitor()} and {@link #fileKeys()}; open scopes can still be
 * closed. Arguments out of range throw {@link IllegalArgumentException}, nulls {@link
 * NullPointerException}; the cache is unchanged then.
 *
 * <p>Source: RocksDB {@code FixedHyperClockCache}; changed: pin-free reads, no locks on values,
 * strict capacity that finds evictable entries, capacity that shrinks at once.
 *
 * <p><b>More.</b> The reads that take a loader are in {@link LoadingReads}; what adds, replaces and
 * removes entries is in {@link CacheWrites}.
 *
 * @param <V> type of the values; {@code Object} where several types share a cache
 */
public interface BlockCache<V> extends LoadingReads<V>, CacheWrites<V>, AutoCloseable {
  /** Largest charge of one entry, in bytes: 128 TiB - 1. */
  long MAX_CHARGE_BYTES = (1L << 47) - 1;

  /**
   * Largest capacity, in bytes: 4 EiB. As much again can be pinned or reserved beyond the capacity
   * of a cache that is not strict; the sum of all charges must stay below 8 EiB.
   */
  long MAX_CAPACITY_BYTES = 1L << 62;

  /**
   * Starts a cache.
   *
   * @param <V> type of the values
   * @return a new builder
   */
  static <V> BlockCacheBuilder<V> builder() {
    return new BlockCacheBuilder<>();
  }

  /**
   * Reads a value without pinning it, counting as a use. The value belonged to the key at some
   * moment during the call. It is the one object that all readers of the key are given: do not
   * change it, and of a buffer use the absolute methods only, or a duplicate. Allocates nothing.
   *
   * @return the value, owned by the garbage collector or stamped, or null if there is none
   * @throws PinRequiredException if the value is freed explicitly and not stamped
   */
  @Nullable V get(long keyHi, long keyLo);

  /**
   * Like {@link #get}, but not a use: replacement and statistics do not notice.
   *
   * @return the value, owned by the garbage collector or stamped, or null if there is none
   * @throws PinRequiredException if the value is freed explicitly and not stamped
   */
  @Nullable V peek(long keyHi, long keyLo);

  /**
   * Whether a key is cached, whatever its type; not a use. True at some moment during the call.
   *
   * @return true if there is an entry
   */
  boolean contains(long keyHi, long keyLo);

  /**
   * A use without a read, for those who keep a table of values of their own beside the cache:
   * replacement takes notice as of a {@link #get}, of entries of any type. Where hits are recorded,
   * it counts as a hit or a miss.
   *
   * <pre>{@code
   * byte[] block = recent.get(offset);          // a small map of one thread's own
   * if (block != null) {
   *   cache.touch(file.hi(), file.lo(offset));  // or the cache would take it for unused
   * }
   * }</pre>
   *
   * @return true if there is an entry
   */
  boolean touch(long keyHi, long keyLo);

  /**
   * Reads many values like {@link #get}, overlapping their memory accesses. Allocates an array of
   * at most 32 hashes and one of as many references.
   *
   * @param keys pairs of high and low words: {@code hi0, lo0, hi1, lo1, …}
   * @param values takes a value or null for each pair; at least half as long as {@code keys}
   * @return number of values found
   * @throws PinRequiredException if a value is freed explicitly and not stamped; {@code values}
   *     then holds values of some of the keys before that one, and null in the places of all others
   * @throws ArrayStoreException if {@code values} cannot hold a value; it is then filled as above
   */
  int getAll(long[] keys, @Nullable V[] values);

  /**
   * Opens a read scope for the calling thread. Values that leave the cache while it is open stay
   * charged and are freed after it is closed: keep it short.
   *
   * @return a scope that the calling thread must close
   */
  ReadScope<V> openScope();

  /**
   * Pins an entry.
   *
   * @return a handle that the caller must close, or null if there is no such entry
   * @throws IllegalStateException if the entry has too many pins (more than 2<sup>22</sup>)
   */
  @Nullable Handle<V> lookup(long keyHi, long keyLo);

  /**
   * Makes a closed handle for {@link #lookupInto}, which its owner opens and closes again and
   * again. It is not tracked by leak detection, and closing it twice is no mistake.
   *
   * @return a new handle
   */
  Handle<V> newHandle();

  /**
   * Pins an entry like {@link #lookup(long, long)}, with a handle that was made before. Allocates
   * nothing. A lookup may allocate a handle of 32 bytes for each hit: where the handle is kept in a
   * field, or some lookups miss.
   *
   * <pre>{@code
   * Handle<byte[]> handle = cache.newHandle();     // kept by a reader
   * if (cache.lookupInto(file.hi(), file.lo(offset), handle)) {
   *   use(handle.value());
   *   handle.close();
   * }
   * }</pre>
   *
   * @param into a closed handle of {@link #newHandle()}; open if the call returns true
   * @return whether there is such an entry
   * @throws IllegalArgumentException if the handle is open, or was not made by {@code newHandle}
   * @throws IllegalStateException if the entry has too many pins (more than 2<sup>22</sup>)
   */
  boolean lookupInto(long keyHi, long keyLo, Handle<V> into);

  /**
   * Pins many entries.
   *
   * @param keys pairs of high and low words: {@code hi0, lo0, hi1, lo1, …}
   * @param handles takes a handle, to be closed by the caller, or null for each pair; at least half
   *     as long as {@code keys}
   * @return number of entries found
   * @throws IllegalStateException if the cache is closed or an entry has too many pins; all handles
   *     of this call are closed and all places null then
   */
  int lookupAll(long[] keys, @Nullable Handle<V>[] handles);

  /**
   * The files of this cache: makes keys of files and offsets, and drops files. Works after {@link
   * #close()} too.
   *
   * @return the cache's one instance
   */
  FileKeys fileKeys();

  /**
   * Changes the capacity. The number of slots stays, unless the cache sizes itself: then its tables
   * become as small as they should be. When the capacity shrinks, unpinned entries are evicted by
   * this call until usage fits, in small steps so that no concurrent insert pays for it.
   *
   * <p>While it shrinks, and as long as pins keep entries in, usage is above the new capacity; of a
   * strict cache too. If other threads make a table change its size again and again meanwhile, the
   * inserts that follow evict the rest. From within a callback of an eviction this call evicts
   * nothing: the inserts that follow do.
   *
   * @param capacityBytes new capacity in bytes, in [1, {@link #MAX_CAPACITY_BYTES}]
   */
  void setCapacityBytes(long capacityBytes);

  /**
   * Changes what happens when no space can be made, from the next insert on. Usage that is above
   * the capacity when the cache becomes strict stays so until entries have been evicted or
   * released.
   *
   * @param mode new mode
   */
  void setCapacityMode(CapacityMode mode);

  /**
   * What this cache holds and has done: sizes, statistics, open handles and scopes, problems.
   *
   * <pre>{@code
   * // of a cache built with recordHits(true), else 0
   * double hitRatio = cache.monitor().stats().hitRatio();
   * }</pre>
   *
   * @return the cache's one instance, which works after {@link #close()} as far as it says so
   */
  CacheMonitor<V> monitor();

  /**
   * Removes all entries and refuses further use. Values still pinned are freed by their last
   * release, which works as before; values that open read scopes may have returned are freed when
   * these are closed. Idempotent. If two threads close at once, one of them closes the cache while
   * the other may still be in the observer's {@code onClose}, which then finds the cache closed.
   */
  @Override
  void close();
}
