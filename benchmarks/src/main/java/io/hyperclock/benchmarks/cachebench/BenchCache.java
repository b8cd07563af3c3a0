/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import io.hyperclock.secondary.TieredStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the workload needs of a cache. All values have the same charge. Thread-safe.
 *
 * @param <H> what a reader holds until it gives it back: a handle, or the value itself where the
 *     garbage collector owns it, as an object of a type unknown: to cast it is to read it, and a
 *     lean run leaves values alone
 */
interface BenchCache<H> extends AutoCloseable {
  /**
   * Entries at a moment.
   *
   * @param entries how many
   * @param chargeBytes their charge
   */
  record Scan(long entries, long chargeBytes) {}

  /** Reads a value; the result must be released. */
  @Nullable H lookup(long hi, long lo);

  /** The value held. */
  byte[] value(H held);

  /** Ends a hold. */
  void release(H held);

  /** Inserts a value that the caller goes on to use; the result must be released. */
  H insertHeld(long hi, long lo, byte[] value, Origin origin);

  /** Inserts a value. */
  void insert(long hi, long lo, byte[] value, Origin origin);

  /** Removes a key. */
  void erase(long hi, long lo);

  /** Changes the capacity. */
  void setCapacityBytes(long capacityBytes);

  /** Visits all entries. */
  Scan scan();

  /** Entries, after pending evictions. */
  long occupancy();

  /** Slots of a table of fixed size, or 0 if it grows. */
  long slots();

  /** Whether a key can always be found right after its insert when nothing else goes on. */
  boolean keepsNewcomers();

  /** What the cache says about its settings. */
  List<String> problems();

  /** What went to the tier below and came back, or null if there is none. */
  default @Nullable TieredStats below() {
    return null;
  }

  @Override
  void close();
}
