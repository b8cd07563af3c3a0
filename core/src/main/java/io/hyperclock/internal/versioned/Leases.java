/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import io.hyperclock.internal.errors.StackReserve;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How many prepares are in flight, and until when. Nothing runs by itself: a prepare whose lease
 * has ended is ended by the thread that meets it.
 */
final class Leases {
  /** Longest lease in nanoseconds: no clock gets so far that its end seems to be over. */
  private static final long MAX_LEASE = Long.MAX_VALUE / 2;

  private final VersionedShard[] shards;
  private final VersionedCounts counts;
  private final LongSupplier nanoClock;
  private final long leaseNanos;
  final int maxPrepares;
  final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicLong nextExpiry;

  /**
   * Leases of one cache.
   *
   * @param shards set before the first prepare
   */
  Leases(VersionedShard[] shards, VersionedCounts counts, VersionedConfig config, int maxPrepares) {
    this.shards = shards;
    this.counts = counts;
    this.nanoClock = config.nanoClock();
    this.leaseNanos = Math.min(TimeUnit.NANOSECONDS.convert(config.lease()), MAX_LEASE);
    this.maxPrepares = maxPrepares;
    this.nextExpiry = new AtomicLong(nanos());
  }

  long nanos() {
    return nanoClock.getAsLong();
  }

  /** End of a lease that begins now. */
  long deadline() {
    return nanos() + leaseNanos;
  }

  /** Lets one more prepare fly, if the cap, or the end of another's lease, allows it. */
  boolean admit() {
    return isWithinCap() || expireSome() && isWithinCap();
  }

  private boolean isWithinCap() {
    // One that is refused is never counted: it would keep others out.
    return inFlight.getAndUpdate(now -> now < maxPrepares ? now + 1 : now) < maxPrepares;
  }

  /** A prepare that was admitted came to nothing. */
  void giveBack() {
    inFlight.getAndDecrement();
  }

  /** A prepare has been ended by a verdict. */
  void ended(int verdict) {
    inFlight.getAndDecrement();
    switch (verdict) {
      case Prepare.COMMITTED -> counts.commits.increment();
      case Prepare.ABORTED -> counts.aborts.increment();
      default -> counts.expirations.increment();
    }
  }

  void forEachPrepare(Consumer<Prepare> visitor) {
    for (VersionedShard shard : shards) {
      shard.prepares.forEach(visitor);
    }
  }

  /** Ends a pending prepare, and the group it is in, if its lease has ended. Does not wait. */
  boolean expireIfDue(Prepare prepare) {
    if (!prepare.isPending() || !prepare.isExpired(nanos())) {
      return false;
    }
    StackReserve.require();
    if (prepare.group == null) {
      prepare.tryEnd(Prepare.EXPIRED);
    } else {
      prepare.group.end(Prepare.EXPIRED);
    }
    return true;
  }

  /** Ends prepares whose lease has ended, unless an earlier look tells that there is none. */
  private boolean expireSome() {
    long now = nanos();
    if (now - nextExpiry.get() < 0) {
      return false;
    }
    long[] next = {now + leaseNanos};
    forEachPrepare(
        prepare -> {
          if (!expireIfDue(prepare) && prepare.deadline - next[0] < 0) {
            next[0] = prepare.deadline;
          }
        });
    nextExpiry.set(next[0]);
    return true;
  }

  /** Ends all prepares whose lease has ended. */
  int expireAll() {
    long before = counts.expirations.sum();
    forEachPrepare(this::expireIfDue);
    return (int) (counts.expirations.sum() - before);
  }
}
