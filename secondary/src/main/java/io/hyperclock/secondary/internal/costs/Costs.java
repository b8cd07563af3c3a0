/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.costs;

import io.hyperclock.entry.EntryType;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Costs by entry type, and the decisions that follow from them: whether a value is worth moving
 * down, and whether a tier is worth asking. Thread-safe without locks.
 *
 * <p>While a cost is not known, values move and tiers are asked: so it becomes known. What is
 * decided against is tried once in {@value #PROBE} times, so that a change is noticed.
 */
public final class Costs {
  /** One in so many of what is decided against is done all the same. */
  static final int PROBE = 64;

  /** Types beyond so many share their figures. */
  private static final int MOST_TYPES = 64;

  /** Misses that wait for the value which is loaded by the caller. */
  private static final int MISSES = 1 << 8;

  /** Of what is loaded by callers one in so many is timed. */
  private static final int SAMPLED = 4;

  /**
   * Of what is not worth moving, no more than one value in this time is moved all the same: to give
   * the work to another thread costs as much as many evictions.
   */
  static final long NANOS_BETWEEN_MOVES = TimeUnit.MICROSECONDS.toNanos(500);

  private record Known(EntryType<?> type, TypeCosts costs) {}

  private final int tiers;
  private final boolean sharesMemory;
  private final LongSupplier clock;
  private final RandomGenerator random;
  private final TypeCosts others;
  private volatile Known[] known = {};
  private volatile long lastMove;
  private final AtomicLongArray missKeys = new AtomicLongArray(MISSES);
  private final AtomicLongArray missTimes = new AtomicLongArray(MISSES);

  /** Evicted bytes after which a value that comes back is still below. */
  private volatile double reachBytes = Double.MAX_VALUE;

  /**
   * Knows nothing.
   *
   * @param tiers how many there are
   * @param sharesMemory whether the nearest tier has its room from the primary
   * @param clock nanoseconds
   * @param random to choose probes by, for any thread
   */
  public Costs(int tiers, boolean sharesMemory, LongSupplier clock, RandomGenerator random) {
    this.random = random;
    this.tiers = tiers;
    this.sharesMemory = sharesMemory;
    this.clock = clock;
    this.lastMove = clock.getAsLong() - NANOS_BETWEEN_MOVES;
    this.others = new TypeCosts(tiers);
  }

  public long now() {
    return clock.getAsLong();
  }

  TypeCosts of(EntryType<?> type) {
    Known[] present = known;
    for (Known one : present) {
      if (one.type == type) {
        return one.costs;
      }
    }
    return present.length < MOST_TYPES ? add(type) : others;
  }

  private synchronized TypeCosts add(EntryType<?> type) {
    for (Known one : known) {
      if (one.type == type) {
        return one.costs;
      }
    }
    if (known.length >= MOST_TYPES) {
      return others;
    }
    Known[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = new Known(type, new TypeCosts(tiers));
    known = more;
    return more[more.length - 1].costs;
  }

  /** A loader has given a value. */
  public void loaded(EntryType<?> type, long begun) {
    of(type).load.add(now() - begun);
  }

  /** A caller found nothing, and may load the value by itself. */
  public void missed(long hi, long lo) {
    long key = key(hi, lo);
    if (key % SAMPLED == 0) {
      int place = place(key);
      missTimes.set(place, now());
      missKeys.set(place, key);
    }
  }

  /** A caller has put a value. */
  public void filled(long hi, long lo, EntryType<?> type) {
    long key = key(hi, lo);
    int place = place(key);
    if (key % SAMPLED == 0 && missKeys.compareAndSet(place, key, 0)) {
      of(type).load.add(now() - missTimes.get(place));
    }
  }

  /** Never 0, which stands for no key. */
  private static long key(long hi, long lo) {
    long z = (hi * 0x9E3779B97F4A7C15L ^ lo) * 0xD6E8FEB86659FD93L;
    return z ^ z >>> 32 | Long.MIN_VALUE;
  }

  private static int place(long key) {
    return (int) (key >>> 40) & MISSES - 1;
  }

  /** A tier has given a value. */
  public void hit(int tier, EntryType<?> type, long begun) {
    of(type).hit(tier, now() - begun);
  }

  /** A tier has taken a value. */
  public void inserted(int tier, EntryType<?> type, long begun) {
    of(type).encode[tier].add(now() - begun);
  }

  /** Sizes of a value before and after it was compressed. */
  public void sizes(EntryType<?> type, long before, long after) {
    TypeCosts costs = of(type);
    costs.before.add(before);
    costs.after.add(after);
  }

  /** A sampled value has left the primary. */
  public void evicted(EntryType<?> type) {
    of(type).evicted();
  }

  /** A sampled value came back after so many evicted bytes. */
  public void returned(EntryType<?> type, long distance) {
    if (distance <= reachBytes) {
      of(type).returned();
    }
  }

  /** Up to which distance a return is in time. */
  public void setReach(double bytes) {
    reachBytes = bytes;
  }

  /**
   * Whether not to ask a tier for a value of a type. After some thousand lookups it gets another
   * chance.
   */
  public boolean passesBy(int tier, EntryType<?> type) {
    TypeCosts costs = of(type);
    if (!costs.passesBy(tier)) {
      return false;
    }
    if (isProbe()) {
      costs.probed(tier);
      return false;
    }
    return true;
  }

  /**
   * Believes a little less of what a tier costs, and that values shrink to less than a half: it has
   * no room, so nothing is measured, and what was measured may have been a pause or other values.
   * In the end it is tried again.
   */
  public void fade(int tier) {
    for (Known one : known) {
      one.costs.hit[tier].fade();
      one.costs.encode[tier].fade();
      long half = one.costs.before.or(0) / 2;
      if (one.costs.after.or(0) > half) {
        one.costs.after.approach(half);
      }
    }
  }

  private boolean isProbe() {
    return random.nextInt(PROBE) == 0;
  }

  /**
   * Where a value that leaves the primary is to go.
   *
   * @param end index behind the last tier that may be offered it
   * @return index of the first that is worth it, {@code end} if none is
   */
  public int destination(EntryType<?> type, int end) {
    TypeCosts costs = of(type);
    if (!costs.isLearnt()) {
      return 0;
    }
    for (int tier = 0; tier < end; tier++) {
      boolean isIdle = tier == 0 && sharesMemory && costs.isIncompressible();
      if (!isIdle && !costs.passesBy(tier) && costs.isWorthMoving(tier)) {
        return tier;
      }
    }
    return isProbe() && isTimeToMove() ? 0 : end;
  }

  private boolean isTimeToMove() {
    long now = now();
    boolean isTime = now - lastMove >= NANOS_BETWEEN_MOVES;
    if (isTime) {
      lastMove = now;
    }
    return isTime;
  }

  /** Averages over all types, by how many values of each leave. */
  public Mean mean(int tier) {
    Mean mean = new Mean(tier);
    for (Known one : known) {
      mean.add(one.costs);
    }
    return mean;
  }
}
