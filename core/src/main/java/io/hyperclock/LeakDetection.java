/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

/**
 * Which handles and read scopes are tracked: where each was opened is remembered, so that those
 * never closed or open for long can be found. Immutable.
 *
 * <pre>{@code
 * BlockCache<byte[]> cache =
 *     BlockCache.<byte[]>builder()
 *         .capacityBytes(1L << 30)
 *         .leakDetection(LeakDetection.sampled(1000))
 *         .build();
 * List<OpenHandle> oldest = cache.monitor().longestHeld(10);  // with the places that took them
 * }</pre>
 *
 * <p>A tracked one costs an allocation, a stack trace (a few microseconds) and an entry in a
 * concurrent map. A tracked handle is closed atomically, so that a double close is detected even
 * where two threads close at the same moment; a tracked scope is ended if its thread has died.
 * Handles and scopes that are not tracked cost one random number more. In a JVM with a tracking
 * cache the compiler may no longer remove the allocation of other handles, also of other caches.
 */
public final class LeakDetection {
  private static final LeakDetection OFF = new LeakDetection(0);
  private static final LeakDetection ALL = new LeakDetection(1);

  private final int oneIn;

  private LeakDetection(int oneIn) {
    this.oneIn = oneIn;
  }

  /**
   * No handle or scope is tracked.
   *
   * @return the default
   */
  public static LeakDetection off() {
    return OFF;
  }

  /**
   * Every handle and scope is tracked: for tests, and for the search for a known leak.
   *
   * @return the choice
   */
  public static LeakDetection all() {
    return ALL;
  }

  /**
   * Handles and scopes are tracked at random: what leaks again and again is found sooner or later.
   *
   * @param oneIn how many handles or scopes share one that is tracked, greater than 0
   * @return the choice
   */
  public static LeakDetection sampled(int oneIn) {
    CacheBuilder.positive("oneIn", oneIn);
    return new LeakDetection(oneIn);
  }

  /**
   * How many handles or scopes share one that is tracked.
   *
   * @return 0 for none, 1 for all
   */
  public int oneIn() {
    return oneIn;
  }

  @Override
  public String toString() {
    return oneIn == 0 ? "off" : oneIn == 1 ? "all" : "one in " + oneIn;
  }
}
