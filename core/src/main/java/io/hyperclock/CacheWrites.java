/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import org.jspecify.annotations.Nullable;

/**
 * What adds, replaces and removes entries: the part of a {@link BlockCache} that changes it.
 *
 * <pre>{@code
 * InsertResult result = cache.put(file.hi(), file.lo(offset), bytes, bytes.length);
 * boolean wasThere = cache.erase(file.hi(), file.lo(offset));
 * }</pre>
 *
 * <p><b>Ownership.</b> A method that returns says whose the value is by then, as below. A method
 * that throws an exception has not taken the value: it is still the caller's, also if another
 * thread closes the cache at that moment. An error that says that the stack or the memory has ended
 * leaves open whether the cache has taken the value: leave the value to the garbage collector
 * rather than free it twice.
 *
 * <p>A value whose type has a disposer may be given to the cache once only. If the same object is
 * given again while it is cached, the cache disposes of it under its readers. {@link
 * Handle#adjustCharge} changes the charge of a cached value.
 *
 * @param <V> type of the values
 */
public interface CacheWrites<V> {
  /**
   * Adds a value of the cache's {@linkplain BlockCacheBuilder#defaultType default type} with {@link
   * Priority#LOW} unless the key is present.
   *
   * @param value the value, owned by the cache if the call returns, unless the result is {@link
   *     InsertResult#REFUSED}
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @return the outcome
   */
  InsertResult insert(long keyHi, long keyLo, V value, long chargeBytes);

  /**
   * Adds a value unless the key is present.
   *
   * @param value the value, owned by the cache if the call returns, unless the result is {@link
   *     InsertResult#REFUSED}
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return the outcome
   */
  <T extends V> InsertResult insert(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority);

  /**
   * Adds a value and pins it in one step. If the key is present, or all 16 slots of the key are
   * pinned, the handle holds the given value as a standalone entry. Where capacity is not strict it
   * does so too if the shard has no slot, or if the value is larger than its shard.
   *
   * @param value the value, owned by the cache if the call returns
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return a handle on the given value that the caller must close
   * @throws CapacityExceededException if strict capacity left no room, or if under it 84 % of the
   *     shard's slots are in use and none can be freed; the value stays the caller's
   */
  <T extends V> Handle<V> insertPinned(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority);

  /**
   * Adds a value of the cache's default type, in place of an older one if there is one. Reads find
   * the older value or the new one, never neither; of two writers at the same moment one comes
   * after the other. The older value is freed after its last reader, without the eviction listener,
   * and both are charged until then.
   *
   * @param value the value, owned by the cache if the call returns, unless the result {@linkplain
   *     InsertResult#callerKeepsValue() says otherwise}
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @return {@link InsertResult#INSERTED}, {@link InsertResult#REPLACED}, {@link
   *     InsertResult#DROPPED} or {@link InsertResult#REFUSED}
   */
  InsertResult put(long keyHi, long keyLo, V value, long chargeBytes);

  /**
   * Adds a value in place of an older one if there is one, as {@link #put(long, long, Object,
   * long)}. The entry is kept as long as the older one would have been, or according to its
   * priority if there is none. Where capacity leaves no room for both, the older may go first, and
   * reads may find neither for a moment; if its disposer adds the key again meanwhile, this value
   * may be {@link InsertResult#DROPPED}, and the key present all the same. After {@link
   * InsertResult#REFUSED} the older may still be found.
   *
   * @param value the value, owned by the cache if the call returns, unless the result {@linkplain
   *     InsertResult#callerKeepsValue() says otherwise}
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param priority how long to keep it unused
   * @param <T> type of the value
   * @return as above
   */
  <T extends V> InsertResult put(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority);

  /**
   * Adds a value in place of an older one if there is one, as {@link #put(long, long, Object,
   * EntryType, long, Priority)}, and pins it in one step: it is not evicted, nor freed by another
   * writer of the key, until the handle is closed. So a page that has been changed stays until it
   * is written:
   *
   * <pre>{@code
   * try (Handle<byte[]> changed =
   *     cache.putPinned(file.hi(), file.lo(offset), bytes, INDEX, bytes.length, Priority.LOW)) {
   *   writeToDisk(offset, bytes);
   * } // may be evicted from here on
   * }</pre>
   *
   * <p>Where capacity is not strict and there is no room or no slot for it, the older value goes,
   * and the handle holds the given one as a standalone entry, which no other caller finds. So for
   * pages that are written later choose {@link CapacityMode#STRICT}.
   *
   * @param value the value, owned by the cache if the call returns
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param priority how long to keep it unused, if there is no older one
   * @param <T> type of the value
   * @return a handle on the given value that the caller must close
   * @throws CapacityExceededException if strict capacity left no room or no slot beside what is
   *     held; the value stays the caller's, and the older one may still be found
   */
  <T extends V> Handle<V> putPinned(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      Priority priority);

  /**
   * Adds a value of the cache's default type if there is none, and says what is there.
   *
   * @param value the value, owned by the cache if the call returns
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @return the value that was present, or null if the given one was added or dropped
   * @throws PinRequiredException if the default type, or that of the value present, is freed
   *     explicitly; use {@link #insertPinned} then. Nothing was added
   * @throws CapacityExceededException if strict capacity left no room; the value stays the caller's
   */
  @Nullable V putIfAbsent(long keyHi, long keyLo, V value, long chargeBytes);

  /**
   * Puts a value only where there is one, as {@link #put(long, long, Object, EntryType, long,
   * Priority)} does. The cache makes space first. If only one of the two values fits, it may evict
   * the older one, and the result is {@link InsertResult#NOT_PRESENT}.
   *
   * @param value the value, owned by the cache if the call returns, unless the result {@linkplain
   *     InsertResult#callerKeepsValue() says otherwise}
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param <T> type of the value
   * @return {@link InsertResult#REPLACED}, {@link InsertResult#NOT_PRESENT}, {@link
   *     InsertResult#DROPPED} or {@link InsertResult#REFUSED}
   */
  <T extends V> InsertResult replace(
      long keyHi, long keyLo, T value, EntryType<? super T> type, long chargeBytes);

  /**
   * Puts a value only in place of one that the caller has seen. A value freed explicitly must be
   * held meanwhile, or it may have been freed and its object used again.
   *
   * @param expected the value to replace, the same object
   * @param value the value, owned by the cache if the call returns, unless the result {@linkplain
   *     InsertResult#callerKeepsValue() says otherwise}
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param <T> type of the value
   * @return {@link InsertResult#REPLACED}, {@link InsertResult#NOT_PRESENT}, {@link
   *     InsertResult#NOT_EXPECTED} or {@link InsertResult#REFUSED}
   */
  <T extends V> InsertResult compareAndReplace(
      long keyHi, long keyLo, V expected, T value, EntryType<? super T> type, long chargeBytes);

  /**
   * Makes an entry outside the table: charged against the capacity, never found by others, disposed
   * when its last handle is released.
   *
   * @param value the value, owned by the cache if a handle is returned
   * @param type type of the value
   * @param chargeBytes memory it stands for, in [0, {@link BlockCache#MAX_CHARGE_BYTES}]
   * @param allowUncharged true to make it with charge 0 where strict capacity leaves no room
   * @param <T> type of the value
   * @return a handle that the caller must close, or null if strict capacity left no room and {@code
   *     allowUncharged} is false; the value then stays the caller's
   */
  <T extends V> @Nullable Handle<V> createStandalone(
      long keyHi,
      long keyLo,
      T value,
      EntryType<? super T> type,
      long chargeBytes,
      boolean allowUncharged);

  /**
   * Removes a key. Entries that are pinned cannot be found from now on and are freed by their last
   * release.
   *
   * @return true if an entry was removed
   */
  boolean erase(long keyHi, long keyLo);

  /**
   * Removes a key only if its value is one that the caller has seen, as {@link
   * java.util.Map#remove(Object, Object)} does, but by identity. A value freed explicitly must be
   * held meanwhile, or it may have been freed and its object used again. Whether it removes
   * something or not, a load of the key that is under way is not cached.
   *
   * <pre>{@code
   * byte[] seen = cache.get(file.hi(), file.lo(offset));
   * if (seen != null && isCorrupt(seen)) {
   *   cache.erase(file.hi(), file.lo(offset), seen);  // not what another thread has put there meanwhile
   * }
   * }</pre>
   *
   * <p>If the value is just being overwritten, the call waits until that is done, as {@link
   * #compareAndReplace} does.
   *
   * @param expected the value to remove, the same object
   * @return true if this call removed it; false if there is no entry, or one of another value
   */
  boolean erase(long keyHi, long keyLo, V expected);

  /** Removes every entry that is not pinned at the moment it is visited. */
  void eraseUnreferenced();
}
