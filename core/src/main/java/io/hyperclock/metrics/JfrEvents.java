/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import io.hyperclock.BlockCache;
import io.hyperclock.CacheObserver;
import io.hyperclock.OpenHandle;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.Problem;
import io.hyperclock.stats.StatsCollector;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import jdk.jfr.Event;
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
 * <p>A virtual machine without a flight recorder writes nothing.
 *
 * <p><b>Costs.</b> Without a recording: one flag is read for each sweep. With one: two clock reads
 * for each sweep, and one scan of the table for each period. An instance serves one cache, the
 * first, which it does not keep reachable. Given to a second one, which counts that as a failure of
 * its observer, it writes no statistics of that, but its other events, under the same name. Close
 * the cache: the recorder forgets one that was merely dropped only at the next period of a
 * recording.
 */
public final class JfrEvents implements CacheObserver {
  /** Both kinds of statistics, and everything else asked for at one beat, share a scan. */
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private static final int FACTOR = 10;

  private final String name;
  private final @Nullable Event sweepFlag = JfrType.LONG_SWEEP.event();
  private final Runnable totalsHook = this::beatTotals;
  private final Runnable rolesHook = () -> beat(this::writeRoles);
  private volatile @Nullable WeakCache observed;
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
    return sweepFlag != null && sweepFlag.isEnabled();
  }

  @Override
  public void onOpen(BlockCache<?> cache) {
    if (observed != null) {
      throw new IllegalStateException("JfrEvents must observe one cache only: name=" + name);
    }
    observed = new WeakCache(cache);
    addHook(JfrType.CACHE_STATISTICS, totalsHook);
    addHook(JfrType.ROLE_STATISTICS, rolesHook);
    write(cache);
  }

  private static void addHook(JfrType type, Runnable hook) {
    Event event = type.event();
    if (event != null) {
      FlightRecorder.addPeriodicEvent(event.getClass(), hook);
    }
  }

  @Override
  public void onClose(BlockCache<?> cache) {
    if (cache == cache()) {
      removeHooks();
      write(cache);
    }
  }

  private void removeHooks() {
    FlightRecorder.removePeriodicEvent(totalsHook);
    FlightRecorder.removePeriodicEvent(rolesHook);
  }

  private void write(BlockCache<?> cache) {
    if (JfrType.CACHE_STATISTICS.isEnabled() || JfrType.ROLE_STATISTICS.isEnabled()) {
      CacheStats stats = cache.monitor().stats();
      JfrType.CACHE_STATISTICS.write(name, stats);
      writeRoles(stats);
    }
  }

  private void beatTotals() {
    beat(
        stats -> {
          JfrType.CACHE_STATISTICS.write(name, stats);
          BlockCache<?> cache = cache();
          if (cache != null && JfrType.PROBLEM.isEnabled()) {
            cache.monitor().problems();
          }
        });
  }

  private @Nullable BlockCache<?> cache() {
    WeakCache reference = observed;
    return reference == null ? null : reference.get();
  }

  private void beat(Consumer<CacheStats> writer) {
    StatsCollector<CacheStats> shared = collector;
    WeakCache cache = observed;
    if (cache == null || cache.get() == null) {
      removeHooks();
      return;
    }
    try {
      if (shared == null) {
        shared = new StatsCollector<>(cache::stats, INTERVAL, FACTOR, System::nanoTime);
        collector = shared;
      }
      writer.accept(shared.get());
    } catch (IllegalStateException e) {
      // WART: the cache was closed by another thread just now; there is nothing left to tell.
    }
  }

  private void writeRoles(CacheStats stats) {
    stats
        .roles()
        .forEach(
            (role, its) -> JfrType.ROLE_STATISTICS.write(name, new JfrType.RoleTotals(role, its)));
  }

  @Override
  public void onLongSweep(Sweep sweep) {
    JfrType.LONG_SWEEP.write(name, sweep);
  }

  @Override
  public void onRefusal(Refusal refusal) {
    JfrType.REFUSAL.write(name, refusal);
  }

  @Override
  public void onLeakedHandle(OpenHandle handle) {
    JfrType.LEAKED_HANDLE.write(name, handle);
  }

  @Override
  public void onLongPin(OpenHandle handle) {
    JfrType.LONG_PIN.write(name, handle);
  }

  @Override
  public void onProblem(Problem problem) {
    JfrType.PROBLEM.write(name, problem);
  }

  @Override
  public void onCallbackFailure(String callback, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    JfrType.CALLBACK_FAILURE.write(
        name, new JfrType.Failure(callback, failure.getClass().getName(), message));
  }
}
