/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.OpenHandle;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import io.hyperclock.stats.RoleStats;
import io.hyperclock.stats.StatsCollector;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Writes what happens in one cache into the recordings of the JDK's flight recorder, as events
 * named {@code hyperclock.*}:
 *
 * <pre>{@code
 * BlockCache<byte[]> cache = BlockCache.<byte[]>builder()
 *     .capacityBytes(1L << 30).estimatedEntryCharge(16 << 10)
 *     .recordHits(true)
 *     .observer(JfrEvents.named("blocks"))
 *     .build();
 * }</pre>
 *
 * <p>Statistics of the cache and of each role are written once a second (or at the period that the
 * recording sets), when the cache opens and when it closes; hits and misses need {@link
 * io.hyperclock.BlockCacheBuilder#recordHits}. Problems are written with them. All other events are
 * written when they happen.
 *
 * <p><b>Costs.</b> Without a recording: one flag is read for each sweep. With one: two clock reads
 * for each sweep, and one scan of the table for each period. An instance serves one cache, the
 * first, which it does not keep reachable. Close the cache: the recorder forgets one that was
 * merely dropped only at the next period of a recording.
 */
public final class JfrEvents implements CacheObserver {
  /** Both kinds of statistics, and everything else asked for at one beat, share a scan. */
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private static final int FACTOR = 10;

  private final String name;
  private final JfrTypes.LongSweep sweepFlag = new JfrTypes.LongSweep();
  private final Runnable totalsHook = this::beatTotals;
  private final Runnable rolesHook = this::beatRoles;
  private volatile @Nullable WeakReference<BlockCache<?>> observed;
  private volatile @Nullable StatsCollector<CacheStats> collector;

  private JfrEvents(String name) {
    this.name = name;
  }

  /**
   * Events of one cache.
   *
   * @param name goes into the field {@code cache} of each event
   * @return an observer for one cache
   */
  public static JfrEvents named(String name) {
    return new JfrEvents(Objects.requireNonNull(name, "name must not be null"));
  }

  @Override
  public boolean observesSweeps() {
    return sweepFlag.isEnabled();
  }

  @Override
  public void onOpen(BlockCache<?> cache) {
    if (observed != null) {
      throw new IllegalStateException("JfrEvents must observe one cache only: name=" + name);
    }
    observed = new WeakReference<>(cache);
    if (FlightRecorder.isAvailable()) {
      FlightRecorder.addPeriodicEvent(JfrTypes.CACHE_STATISTICS.newEvent().getClass(), totalsHook);
      FlightRecorder.addPeriodicEvent(JfrTypes.RoleStatistics.class, rolesHook);
    }
    write(cache);
  }

  @Override
  public void onClose(BlockCache<?> cache) {
    if (cache == cache()) {
      removeHooks();
      write(cache);
    }
  }

  private void removeHooks() {
    if (FlightRecorder.isAvailable()) {
      FlightRecorder.removePeriodicEvent(totalsHook);
      FlightRecorder.removePeriodicEvent(rolesHook);
    }
  }

  private void write(BlockCache<?> cache) {
    if (!FlightRecorder.isAvailable()) {
      return;
    }
    boolean totals = JfrTypes.CACHE_STATISTICS.newEvent().isEnabled();
    boolean roles = new JfrTypes.RoleStatistics().isEnabled();
    if (totals || roles) {
      CacheStats stats = cache.monitor().stats();
      writeTotals(stats);
      writeRoles(stats);
    }
  }

  private void beatTotals() {
    CacheStats stats = snapshot();
    BlockCache<?> cache = cache();
    if (stats != null && cache != null) {
      writeTotals(stats);
      if (new JfrTypes.ProblemFound().isEnabled()) {
        askForProblems(cache);
      }
    }
  }

  private static void askForProblems(BlockCache<?> cache) {
    try {
      cache.monitor().problems();
    } catch (IllegalStateException e) {
      // WART: the cache was closed by another thread just now; there is nothing left to tell.
    }
  }

  private void beatRoles() {
    CacheStats stats = snapshot();
    if (stats != null) {
      writeRoles(stats);
    }
  }

  private @Nullable BlockCache<?> cache() {
    WeakReference<BlockCache<?>> reference = observed;
    return reference == null ? null : reference.get();
  }

  /** Null once there is no cache any more. */
  private @Nullable CacheStats snapshot() {
    StatsCollector<CacheStats> shared = collector;
    try {
      if (cache() == null) {
        removeHooks();
        return null;
      }
      if (shared == null) {
        shared = new StatsCollector<>(this::scan, INTERVAL, FACTOR, System::nanoTime);
        collector = shared;
        return shared.last();
      }
      return shared.get();
    } catch (IllegalStateException e) {
      return null;
    }
  }

  private CacheStats scan() {
    BlockCache<?> cache = cache();
    if (cache == null) {
      throw new IllegalStateException("cache must be reachable: name=" + name);
    }
    return cache.monitor().stats();
  }

  private void writeTotals(CacheStats stats) {
    JfrTypes.cacheStatistics(name, stats).commit();
  }

  private void writeRoles(CacheStats stats) {
    stats.roles().forEach(this::writeRole);
  }

  private void writeRole(EntryRole role, RoleStats stats) {
    JfrTypes.RoleStatistics event = new JfrTypes.RoleStatistics();
    event.cache = name;
    event.role = role.name();
    event.entries = stats.entries();
    event.chargeBytes = stats.chargeBytes();
    event.pinnedBytes = stats.pinnedBytes();
    event.hits = stats.hits();
    event.inserts = stats.inserts();
    event.evictions = stats.evictions();
    event.commit();
  }

  @Override
  public void onLongSweep(Sweep sweep) {
    JfrTypes.LongSweep event = new JfrTypes.LongSweep();
    event.cache = name;
    event.took = sweep.took().toNanos();
    event.slots = sweep.slots();
    event.pinnedSeen = sweep.pinnedSeen();
    event.freedEntries = sweep.freedEntries();
    event.freedBytes = sweep.freedBytes();
    event.effortExceeded = sweep.effortExceeded();
    event.commit();
  }

  @Override
  public void onRefusal(Refusal refusal) {
    JfrTypes.Refusal event = new JfrTypes.Refusal();
    event.cache = name;
    event.keyHi = refusal.keyHi();
    event.keyLo = refusal.keyLo();
    event.type = refusal.type().name();
    event.role = refusal.type().role().name();
    event.chargeBytes = refusal.chargeBytes();
    event.usageBytes = refusal.usageBytes();
    event.capacityBytes = refusal.capacityBytes();
    event.commit();
  }

  @Override
  public void onLeakedHandle(OpenHandle handle) {
    write(new JfrTypes.LeakedHandle(), handle);
  }

  @Override
  public void onLongPin(OpenHandle handle) {
    write(new JfrTypes.LongPin(), handle);
  }

  private void write(JfrTypes.HandleEvent event, OpenHandle handle) {
    if (event.shouldCommit()) {
      event.cache = name;
      event.keyHi = handle.keyHi();
      event.keyLo = handle.keyLo();
      event.type = handle.type().name();
      event.role = handle.type().role().name();
      event.chargeBytes = handle.chargeBytes();
      event.held = handle.held().toNanos();
      event.thread = handle.thread();
      event.takenAt =
          handle.takenAt().stream().map(String::valueOf).collect(Collectors.joining("\n"));
      event.commit();
    }
  }

  @Override
  public void onProblem(Problem problem) {
    JfrTypes.ProblemFound event = new JfrTypes.ProblemFound();
    event.cache = name;
    event.severity = problem.severity().name();
    event.message = problem.message();
    event.recommendedEntryCharge = problem.recommendedEntryCharge();
    event.commit();
  }

  @Override
  public void onCallbackFailure(String callback, Throwable failure) {
    JfrTypes.CallbackFailure event = new JfrTypes.CallbackFailure();
    event.cache = name;
    event.callback = callback;
    event.exception = failure.getClass().getName();
    event.message = String.valueOf(failure.getMessage());
    event.commit();
  }
}
