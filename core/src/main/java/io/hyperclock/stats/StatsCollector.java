/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stats;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Takes snapshots for any number of callers without scanning too often. The first is taken when the
 * collector is made. From then on {@link #get()} returns the last one as long as it is young, that
 * is not older than the larger of a fixed interval and a multiple of the time the last scan took;
 * else it takes a new one.
 *
 * <pre>{@code
 * StatsCollector<CacheStats> collector = new StatsCollector<>(cache.monitor()::stats);
 * double hitRatio = collector.get().hitRatio();  // scans once a second at most
 * }</pre>
 *
 * <p><b>Thread safety and progress.</b> Any thread may call at any time. At most one scans; the
 * others get the last snapshot meanwhile and never wait, so what they get may be older than the
 * interval by the time of one scan.
 *
 * <p>Source: RocksDB {@code CacheEntryStatsCollector}; changed: callers do not wait for each other.
 *
 * @param <S> the snapshots, such as {@link CacheStats}
 */
public final class StatsCollector<S> {
  /** Interval unless another is given. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);

  /** Factor unless another is given: scans take at most a hundredth of one processor. */
  public static final int DEFAULT_FACTOR = 100;

  private final Supplier<S> source;
  private final long intervalNanos;
  private final int factor;
  private final LongSupplier nanoClock;
  private final AtomicBoolean scanning = new AtomicBoolean();
  private volatile Taken<S> last;

  /**
   * A snapshot, when it was taken, and the last scan, which may have been a later one that failed.
   */
  private record Taken<S>(S stats, long takenNanos, long endNanos, long tookNanos) {}

  /**
   * A collector with the default interval and factor.
   *
   * @param source takes a snapshot, as {@code cache.monitor()::stats} does
   */
  public StatsCollector(Supplier<S> source) {
    this(source, DEFAULT_INTERVAL, DEFAULT_FACTOR, System::nanoTime);
  }

  /**
   * A collector; takes the first snapshot.
   *
   * @param source takes a snapshot, as {@code cache.monitor()::stats} does
   * @param interval least time from the end of one scan to the start of the next, at least 0
   * @param factor the same as a multiple of the time that the last scan took, at least 0
   * @param nanoClock monotonic time in nanoseconds, such as {@code System::nanoTime}
   */
  public StatsCollector(Supplier<S> source, Duration interval, int factor, LongSupplier nanoClock) {
    if (Objects.requireNonNull(interval, "interval must not be null").isNegative()) {
      throw new IllegalArgumentException("interval must be >= 0: interval=" + interval);
    }
    if (factor < 0) {
      throw new IllegalArgumentException("factor must be >= 0: factor=" + factor);
    }
    this.source = Objects.requireNonNull(source, "source must not be null");
    this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock must not be null");
    this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval);
    this.factor = factor;
    long start = nanoClock.getAsLong();
    S first = source.get();
    long end = nanoClock.getAsLong();
    this.last = new Taken<>(first, end, end, end - start);
  }

  /**
   * A snapshot that is young, or the last one while another thread takes the next.
   *
   * @return the snapshot
   * @throws RuntimeException what the source threw, to the one caller that scanned; the snapshot
   *     before stays, and the source is left alone for the interval
   */
  public S get() {
    if (isYoung(last) || !scanning.compareAndSet(false, true)) {
      return last.stats;
    }
    try {
      if (!isYoung(last)) {
        scan();
      }
      return last.stats;
    } finally {
      scanning.set(false);
    }
  }

  /**
   * The last snapshot, of any age; never scans.
   *
   * @return the snapshot
   */
  public S last() {
    return last.stats;
  }

  /**
   * Time since the last snapshot was taken; a scan that failed has taken none.
   *
   * @return the age of what {@link #last()} returns
   */
  public Duration age() {
    return Duration.ofNanos(nanoClock.getAsLong() - last.takenNanos);
  }

  private boolean isYoung(Taken<S> taken) {
    long took = taken.tookNanos;
    long multiple = took > Long.MAX_VALUE / Math.max(1, factor) ? Long.MAX_VALUE : took * factor;
    return nanoClock.getAsLong() - taken.endNanos < Math.max(intervalNanos, multiple);
  }

  private void scan() {
    long start = nanoClock.getAsLong();
    S stats;
    try {
      stats = source.get();
    } catch (Throwable e) {
      long end = nanoClock.getAsLong();
      last = new Taken<>(last.stats, last.takenNanos, end, end - start);
      throw e;
    }
    long end = nanoClock.getAsLong();
    last = new Taken<>(stats, end, end, end - start);
  }
}
