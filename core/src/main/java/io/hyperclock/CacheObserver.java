/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.EntryType;
import io.hyperclock.stats.Problem;
import java.time.Duration;

/**
 * Is notified of the rare events of one cache: what is worth a line in a log or a recording, never
 * a plain hit, miss, insert or eviction.
 *
 * <pre>{@code
 * CacheObserver observer =
 *     new CacheObserver() {
 *       @Override
 *       public void onProblem(Problem problem) {
 *         log(problem.message());
 *       }
 *     };
 * BlockCache<byte[]> cache =
 *     BlockCache.<byte[]>builder().capacityBytes(1L << 30).observer(observer).build();
 * }</pre>
 *
 * <p>Each method runs on the thread to which the event happened, with nothing held, and must be
 * short. It may read the cache. An exception is counted as a callback failure and changes nothing
 * else. A cache without an observer takes no note and reads no clock.
 */
public interface CacheObserver {
  /** Slots from which on a sweep is long. */
  long LONG_SWEEP_SLOTS = 1024;

  /** Time from which on a sweep is long. */
  Duration LONG_SWEEP = Duration.ofMillis(1);

  /**
   * The search for room of one insert, charge or shrinking.
   *
   * @param took how long it took, listeners and disposers included
   * @param slots slots looked at, counted with repetition
   * @param pinnedSeen those that held a pinned entry
   * @param freedEntries entries evicted
   * @param freedBytes their charge
   * @param effortExceeded whether it was given up because nearly everything was pinned
   */
  record Sweep(
      Duration took,
      long slots,
      long pinnedSeen,
      long freedEntries,
      long freedBytes,
      boolean effortExceeded) {}

  /**
   * An entry that there was no room for: capacity is strict, or a present entry stays instead.
   *
   * @param type type of the value
   * @param chargeBytes charge in bytes
   * @param usageBytes usage of its shard at that moment
   * @param capacityBytes capacity of its shard
   */
  record Refusal(
      long keyHi,
      long keyLo,
      EntryType<?> type,
      long chargeBytes,
      long usageBytes,
      long capacityBytes) {}

  /**
   * Whether sweeps are to be timed; asked before each, so it must be quick.
   *
   * @return true by default
   */
  default boolean observesSweeps() {
    return true;
  }

  /**
   * The cache is ready; called once, before the builder returns it.
   *
   * @param cache the cache, which need not be kept reachable by the observer
   */
  default void onOpen(BlockCache<?> cache) {}

  /**
   * The cache is about to close and can be read for the last time. Another thread that calls {@link
   * BlockCache#close} meanwhile does not wait for this; from then on a read throws {@link
   * IllegalStateException}.
   *
   * @param cache the cache
   */
  default void onClose(BlockCache<?> cache) {}

  /**
   * A sweep looked at {@link #LONG_SWEEP_SLOTS} slots or took {@link #LONG_SWEEP}, or longer.
   *
   * @param sweep what it did
   */
  default void onLongSweep(Sweep sweep) {}

  /**
   * An entry was refused for lack of room.
   *
   * @param refusal what was refused
   */
  default void onRefusal(Refusal refusal) {}

  /**
   * A tracked handle became unreachable without having been closed. Its pin stays.
   *
   * @param handle the handle as it was
   */
  default void onLeakedHandle(OpenHandle handle) {}

  /**
   * A tracked handle has been open for long; reported once a handle, when statistics or problems
   * are asked for, and now and then when a tracked handle is opened.
   *
   * @param handle the handle
   */
  default void onLongPin(OpenHandle handle) {}

  /**
   * The cache was asked for its problems and has one.
   *
   * @param problem the problem
   */
  default void onProblem(Problem problem) {}

  /**
   * A disposer, listener or observer threw. Not called for what this very method throws.
   *
   * @param callback which callback, and of what
   * @param failure what it threw
   */
  default void onCallbackFailure(String callback, Throwable failure) {}
}
