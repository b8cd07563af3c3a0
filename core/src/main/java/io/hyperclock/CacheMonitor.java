/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock;

import io.hyperclock.entry.FileKeys;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.LoadStats;
import io.hyperclock.stats.Problem;
import java.util.List;

/**
 * What a {@link BlockCache} holds and has done.
 *
 * <pre>{@code
 * CacheMonitor<byte[]> monitor = cache.monitor();
 * if (monitor.usageBytes() > monitor.capacityBytes()) {
 *   log("held by " + monitor.longestHeld(3));  // pins keep the entries in
 * }
 * }</pre>
 *
 * <p>Nothing here counts as a use of an entry. All methods may be called by any thread at any time.
 * None waits for another thread. Those that scan the table take a time that grows with its slots;
 * {@link io.hyperclock.stats.StatsCollector} shares the results of {@link #stats()}.
 *
 * <p>Every method throws {@link IllegalStateException} once the cache is closed, unless it says
 * otherwise.
 *
 * @param <V> type of the values
 */
public interface CacheMonitor<V> {
  /**
   * Configured capacity.
   *
   * @return bytes
   */
  long capacityBytes();

  /**
   * What happens when room cannot be made.
   *
   * @return the mode
   */
  CapacityMode capacityMode();

  /**
   * Charge of all entries; standalone entries, values that wait for read scopes and charged
   * metadata included. Takes no lock.
   *
   * @return bytes
   */
  long usageBytes();

  /**
   * Charge of all referenced entries, erased and standalone ones and values that wait for read
   * scopes included, by a scan without locks: exact if nothing changes meanwhile.
   *
   * @return bytes
   */
  long pinnedUsageBytes();

  /**
   * Charge of the blocks of {@linkplain FileKeys#drop dropped} files that are still in the table:
   * part of the usage, but of no use to readers any more and first to be evicted. Those of files
   * whose drop is {@linkplain FileKeys forgotten} are left out. By a scan without locks: exact if
   * nothing changes meanwhile.
   *
   * @return bytes
   */
  long droppedFileBytes();

  /**
   * Slots in use.
   *
   * @return a count
   */
  long occupancy();

  /**
   * Slots in all; their number changes only where the cache sizes itself.
   *
   * @return a count
   */
  long slots();

  /**
   * Snapshot of contents and counters. Scans the table without locks. The calling thread then moves
   * some of the entries that are on their way to a table of another size, a sixteenth at most, and
   * may evict some for them. It looks for leaked handles and scopes, logs them and tells the
   * observer.
   *
   * @return a new snapshot
   */
  CacheStats stats();

  /**
   * Statistics of loading. Works after the cache is closed too.
   *
   * @return a new snapshot
   */
  LoadStats loadStats();

  /**
   * Says what about the settings or the use of the cache costs capacity or speed. An estimate of
   * the charge is judged once a shard is full. The calling thread looks for leaks, as {@link
   * #stats} does. Each problem goes to the observer; what is a warning or worse is logged too.
   *
   * @return problems found, empty if there are none
   */
  List<Problem> problems();

  /**
   * The handles that have been open for longest, of those that are tracked.
   *
   * @param max most handles to return, at least 0
   * @return handles open now, the oldest first; empty unless {@linkplain
   *     BlockCacheBuilder#leakDetection leak detection} is on
   */
  List<OpenHandle> longestHeld(int max);

  /**
   * What read scopes hold back. Works after the cache is closed too.
   *
   * @return a new snapshot
   */
  ReadScopeStats scopeStats();

  /**
   * Lists the tracked read scopes that are open, oldest first, after ending those whose threads
   * have died. Works after the cache is closed too.
   *
   * @return a list; empty unless {@linkplain BlockCacheBuilder#leakDetection leak detection} is on
   */
  List<OpenScope> openScopes();

  /**
   * Visits all entries without locks, each pinned only while it is visited. An entry present during
   * the whole call is visited exactly once, others at most once each time they were inserted. An
   * exception of the visitor ends the visit and reaches the caller; the entry is released first. An
   * entry that a stopped thread is just moving to a table of another size may show a charge of 0.
   *
   * <p>If entries are on their way to a table of another size, the calling thread first moves all
   * that are left. It may evict some for them, and then runs the listener or the disposer.
   *
   * @param visitor called on the calling thread
   */
  void forEachEntry(EntryVisitor<? super V> visitor);

  /**
   * Visits the entries that the replacement policy would evict last, the most valuable first: those
   * to read again after a restart, for example. The order is rough: many entries are worth the
   * same, and what an entry is worth changes while it is used. Otherwise as {@link #forEachEntry};
   * an entry that is used or evicted meanwhile may be visited twice or not at all. Scans the table
   * up to 65 times.
   *
   * @param most most entries to visit, at least 0
   * @param visitor called on the calling thread
   */
  void forEachHottest(int most, EntryVisitor<? super V> visitor);
}
