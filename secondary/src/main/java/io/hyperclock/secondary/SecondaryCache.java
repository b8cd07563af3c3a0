/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import io.hyperclock.entry.EntryType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A tier below a block cache: takes encoded copies of what the cache evicts and gives them back on
 * demand. A tier may forget anything at any time, but never answers with wrong bytes.
 *
 * <p><b>Owner.</b> A tier serves one {@link TieredBlockCache}; a second one is refused, since each
 * would give out and erase the values of the other. Nor may it be wrapped for a second one. Caches
 * that are to share values have a tier each, of a kind that {@linkplain #isShared() others fill
 * too}.
 *
 * <p><b>Keys</b> are two longs, compared in full. Values cross this interface as objects; a tier
 * stores what the {@linkplain EntryType#codec() codec} of their type makes of them.
 *
 * <p><b>Freshness.</b> Whatever an earlier call answered, the implementation MUST NOT let a lookup
 * that starts after a call of {@link #insert} or {@link #erase} has returned give a value inserted
 * under that key before that call. It MUST NOT give a value inserted under another key, nor bytes
 * that differ from the encoded ones: a damaged record is a miss.
 *
 * <p><b>Failure.</b> Trouble inside a tier (full, slow, broken, unreachable, closed, a codec that
 * throws) MUST NOT reach the caller as an exception: it is a declined insert or a miss with a
 * reason, both counted. Only wrong arguments throw, {@link NullPointerException} or {@link
 * IllegalArgumentException}, and leave the tier as it was.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread at any time, {@link #close}
 * included. No method but {@code close} and {@link #lookupAndWait} blocks on I/O, on a remote peer
 * or on another caller's I/O.
 *
 * <p><b>Foreign code.</b> Codecs, and all that depends on a returned future, may be slow or call
 * back into this tier. The implementation MUST run them either on the calling thread before it
 * returns or on an executor meant for that, never on a thread that serves its I/O and never while
 * it holds a lock that another call needs.
 *
 * <p>Source: RocksDB {@code SecondaryCache}; changed: futures for result handles, reasons for
 * misses, freshness stated.
 */
public interface SecondaryCache extends AutoCloseable {
  /**
   * A short name for statistics and messages.
   *
   * @return the name, not blank, the same at every call
   */
  String name();

  /**
   * Suggests to keep a copy of a value. The tier may decline, for lack of room, of time or of
   * interest, and may drop later what it accepted.
   *
   * <p>The caller guarantees that the value is live until this method returns, and that the type
   * has a codec. The implementation MUST NOT keep the value, only bytes made from it, and MUST NOT
   * wait for room.
   *
   * @param value the value, which stays the caller's
   * @param type its type
   * @param force true to skip the test whether the value is worth keeping; room and state still
   *     count
   * @param <T> type of the value
   * @return whether the value was accepted
   * @throws IllegalArgumentException if the type has no codec
   */
  <T> boolean insert(long keyHi, long keyLo, T value, EntryType<T> type, boolean force);

  /**
   * Looks a value up.
   *
   * <p>The implementation MUST complete the future, normally, with a hit or with a miss and its
   * reason; also when the tier is closed meanwhile. Each call gets a future of its own: what a
   * caller does to it (cancel, complete) reaches no other caller.
   *
   * @param request what to look for
   * @param <V> type of the value
   * @return the future result
   */
  <V> CompletableFuture<TierResult<V>> lookup(TierRequest<V> request);

  /**
   * Looks a value up for a caller who does nothing before the answer is there. Means the same as
   * {@link #lookup}, but the implementation may block the calling thread, on I/O of this machine
   * alone, where that is faster than to let another thread do it.
   *
   * @param request what to look for
   * @param <V> type of the value
   * @return the future result
   */
  default <V> CompletableFuture<TierResult<V>> lookupAndWait(TierRequest<V> request) {
    return lookup(request);
  }

  /**
   * Looks many values up, so that a tier can order or combine its reads. Means the same as {@link
   * #lookup} of each request; the results become ready one by one. A key may occur more than once.
   *
   * @param requests what to look for, not kept
   * @param <V> common type of the values
   * @return the future results, in the order of the requests
   */
  default <V> List<CompletableFuture<TierResult<V>>> lookupAll(List<TierRequest<V>> requests) {
    return requests.stream().map(this::lookup).toList();
  }

  /** Forgets a key, present or not. */
  void erase(long keyHi, long keyLo);

  /**
   * Whether a lookup that {@linkplain TierRequest#adviseErase() advises} it takes the entry out of
   * this tier. Where it does not, a value stays below when it moves up, and moves up at its first
   * hit.
   *
   * @return whether advice is followed, the same at every call
   */
  boolean erasesOnAdvice();

  /**
   * Whether others may put values into this tier too, such as other processes. Then a key that was
   * {@linkplain TierOutcome#ABSENT absent} a moment ago may be there now.
   *
   * @return false if all that the tier holds came through it, the same at every call
   */
  default boolean isShared() {
    return false;
  }

  /**
   * Sets the capacity. Room above it is given up without delay, but not necessarily before this
   * method returns. What {@link #deflate} took stays taken.
   *
   * <p>A tier that keeps values beyond its close MUST begin empty the next time if its capacity was
   * 0 when it was closed: so the cache above it ends a tier of which it does not know whether an
   * outdated value is left. One that {@linkplain #isShared() others fill too} does what it can.
   *
   * @param capacityBytes bytes, at least 0; 0 empties and disables the tier until it is raised
   * @throws IllegalArgumentException if {@code capacityBytes} is negative
   */
  void setCapacity(long capacityBytes);

  /**
   * Takes a part of the capacity away until {@link #inflate} gives it back, for a budget shared
   * with others: the tier works with what was set less what is taken, or with 0 if that is
   * negative. For the owner of such a budget; a {@link TieredBlockCache} uses {@link #setCapacity}
   * only. Tiers that live outside of memory do nothing.
   *
   * @param bytes bytes to take, at least 0
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  default void deflate(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be >= 0: bytes=" + bytes);
    }
  }

  /**
   * Gives back capacity taken by {@link #deflate}. Tiers that live outside of memory do nothing.
   *
   * <p>The caller guarantees to give back no more than it took.
   *
   * @param bytes bytes to give back, at least 0
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  default void inflate(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be >= 0: bytes=" + bytes);
    }
  }

  /**
   * Sets the listener for values that the tier drops for space; called once, before the tier is
   * used. A tier that cannot tell ignores it: what it drops is gone.
   *
   * @param listener the listener
   */
  default void onDrop(DropListener listener) {
    Objects.requireNonNull(listener, "listener must not be null");
  }

  /**
   * Whether the tier keeps a list of keys from one clean close to the next start, for the cache
   * above it.
   *
   * @return false by default, the same at every call
   */
  default boolean keepsRestartList() {
    return false;
  }

  /**
   * The list that was kept by the close before this start, unless it was not clean, or the list is
   * damaged. It is given as long as the tier is open, but is there for one start only.
   *
   * @return its bytes, or null by default
   */
  default byte @Nullable [] restartList() {
    return null;
  }

  /**
   * Whether a lookup of a key may be a hit. Does not block, and is no use of the key. A cache asks
   * when it evicts a value that this tier kept as the value moved up, on the evicting thread; and
   * with a {@link WarmRestart} before it offers a value at its close. It offers what the tier does
   * not hold. A tier that cannot tell gets no offer of what it has forgotten meanwhile.
   *
   * @return false if the tier certainly does not hold the key; true by default
   */
  default boolean mayHold(long keyHi, long keyLo) {
    return true;
  }

  /**
   * Hands over the list to keep, before {@link #close}. The tier may fail to keep it.
   *
   * @param list its bytes, not changed afterwards
   */
  default void keepRestartList(byte[] list) {
    Objects.requireNonNull(list, "list must not be null");
  }

  /**
   * Whether the tier serves, and if not fully, why.
   *
   * @return the state now
   */
  TierState state();

  /**
   * Counters and sizes.
   *
   * @return a snapshot; one of a busy tier may mix neighbouring moments
   */
  TierStats stats();

  /**
   * What this kind of tier can tell beside {@link #stats()}: always the same metrics in the same
   * order, also when it is closed.
   *
   * @return a snapshot, empty by default; one of a busy tier may mix neighbouring moments
   */
  default List<TierMetric> metrics() {
    return List.of();
  }

  /**
   * Closes the tier. Returns within bounded time, with every pending future completed. Afterwards
   * inserts are declined and lookups miss with {@link TierOutcome#CLOSED}. Closing again does
   * nothing. What is kept for a tier that is opened later MUST NOT be older than the inserts and
   * erases that have returned before this call.
   */
  @Override
  void close();
}
