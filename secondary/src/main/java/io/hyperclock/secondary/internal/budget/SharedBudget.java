/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.budget;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.secondary.SecondaryCache;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;

/**
 * One budget of memory for a primary cache, the tier below it, and others that reserve a part, such
 * as write buffers. What is reserved is taken from both in the ratio in which they share the rest.
 *
 * <p><b>Invariant.</b> At any moment, {@code split()} gives three parts that add up to the total:
 *
 * <pre>
 *   total = primary + below + charged
 *   charged = reserved, rounded up to whole steps, but less than the total
 *   below   = ratio × (total - charged), rounded, but less than total - charged
 * </pre>
 *
 * When no call is under way, the capacity of the primary is {@code primary} and that of the tier
 * {@code below}, to the byte, unless the tier refuses that: then the next change tries again. While
 * parts are moved, what shrinks shrinks first, so that both together never have more than the
 * larger of what they had and what they will have.
 *
 * <p><b>Capacities are set, not added to</b>: each change follows from the total, the ratio and the
 * reservation alone, so no error can build up. The primary's capacity is its part, not the whole;
 * placeholders that core's reservations hold in it are inside its part. No other code may set the
 * two capacities. The tier must live in memory; what was taken from it by {@link
 * SecondaryCache#deflate} is not known here.
 *
 * <p><b>Steps.</b> Reservations move capacities in steps of 1 MiB; a reservation or release that
 * stays within a step costs two atomic additions. More may be reserved than there is: the primary
 * then has one byte, the tier nothing, and {@link #overdraftBytes()} says how much is missing.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. Changes that move capacities
 * wait for each other; when such a call returns, its change, or a later one, is in force. What runs
 * while a cache gives room up, such as a disposer or an eviction listener, may call this budget:
 * its change is made by the call that it runs in.
 *
 * <p><b>Errors.</b> Arguments out of range throw {@link IllegalArgumentException}, and nothing is
 * changed. If the primary is closed and this budget is not, calls that move capacities throw {@link
 * IllegalStateException}; the change is recorded. Where the stack or the memory ends, a reservation
 * throws and is not made, a release is made and does not throw, and the next change sets the
 * capacities.
 *
 * <p>Source: RocksDB {@code CacheWithSecondaryAdapter}, distributed cache reservation; changed:
 * capacities are set instead of placeholders being moved, reservations are rounded up, a
 * reservation beyond the total empties the tier too.
 */
public final class SharedBudget implements AutoCloseable {
  /** Of the calls of {@link #retry} that one try takes. */
  private static final int MOST_DOUBLINGS = 10;

  /** No capacity of a primary. */
  private static final long NOT_KNOWN = 0;

  private final BlockCache<?> primary;
  private final LongPredicate below;
  private final AtomicLong reservedBytes = new AtomicLong();

  /** Sums to the above when no call is under way. */
  private final AtomicLongArray reservedByRole = new AtomicLongArray(EntryRole.values().length);

  /** Held while capacities are set; guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile long totalBytes;
  private volatile double ratio;

  /** Whether a caller has set the ratio; changes together with it, under {@link #word}. */
  private volatile boolean isRatioSet;

  private final Object word = new Object();
  private long primaryBytes;

  /** What the tier has: not what it has refused. */
  private long belowBytes;

  /** Refusals in a row, and calls to try again since the last. */
  private volatile int refusals;

  private final AtomicInteger retries = new AtomicInteger();

  /** Whether an error may have kept the capacities from following: then the next change looks. */
  private volatile boolean isBehind;

  private volatile boolean closed;

  /**
   * Splits a budget and sets both capacities.
   *
   * @param below sets the capacity of the tier below, and throws nothing; false if the tier
   *     refuses, for want of memory perhaps, and keeps what it had
   * @param totalBytes the whole, greater than 0
   * @param ratio share of the tier below, in [0, 1]
   */
  public SharedBudget(BlockCache<?> primary, LongPredicate below, long totalBytes, double ratio) {
    this.primary = Objects.requireNonNull(primary, "primary must not be null");
    this.below = Objects.requireNonNull(below, "below must not be null");
    this.totalBytes = BudgetSplit.requireTotal(totalBytes);
    this.ratio = BudgetSplit.requireRatio(ratio);
    this.primaryBytes = primary.monitor().capacityBytes();
    this.belowBytes = Long.MAX_VALUE;
    apply();
  }

  /**
   * Changes the whole.
   *
   * @param totalBytes bytes, greater than 0
   */
  public void setTotalBytes(long totalBytes) {
    this.totalBytes = BudgetSplit.requireTotal(totalBytes);
    apply();
  }

  /**
   * Changes the share of the tier below, for good: it is not {@linkplain #suggestRatio suggested}
   * any more.
   *
   * @param ratio in [0, 1]
   */
  public void setRatio(double ratio) {
    synchronized (word) {
      this.ratio = BudgetSplit.requireRatio(ratio);
      isRatioSet = true;
    }
    apply();
  }

  /**
   * Changes the share of the tier below, unless it was set meanwhile.
   *
   * @param ratio in [0, 1]
   */
  public void suggestRatio(double ratio) {
    synchronized (word) {
      if (isRatioSet) {
        return;
      }
      this.ratio = BudgetSplit.requireRatio(ratio);
    }
    apply();
  }

  /** Whether a caller has set the share. */
  public boolean isRatioSet() {
    return isRatioSet;
  }

  /**
   * Takes a part for something else.
   *
   * @param bytes any number, at least 0
   */
  public void reserve(EntryRole role, long bytes) {
    requireBytes(bytes);
    StackReserve.requireLittle();
    long before = add(bytes);
    reservedByRole.addAndGet(role.ordinal(), bytes);
    try {
      applyIfMoved(before, before + bytes);
    } catch (Error e) {
      reservedByRole.addAndGet(role.ordinal(), -bytes);
      add(-bytes);
      isBehind = true; // Another thread may have followed the sum that was.
      throw e;
    }
  }

  /**
   * Takes a part, unless the primary is strict and cannot give it: it is more than the whole has
   * left, or pinned entries stand in the way.
   *
   * @param bytes any number, at least 0
   * @return whether it was taken; if not, nothing is changed
   * @throws IllegalStateException if this budget is closed
   */
  public boolean tryReserve(EntryRole role, long bytes) {
    requireBytes(bytes);
    if (closed) {
      throw new IllegalStateException("cache must not be closed: closed=true");
    }
    boolean isStrict = primary.monitor().capacityMode() == CapacityMode.STRICT;
    if (isStrict && BudgetSplit.overdraftBytes(totalBytes, reservedBytes.get() + bytes) > 0) {
      return false; // Before anything is evicted for it.
    }
    reserve(role, bytes);
    boolean isCovered = false;
    try {
      isCovered =
          !isStrict
              || overdraftBytes() == 0
                  && primary.monitor().usageBytes() <= primary.monitor().capacityBytes();
    } finally {
      if (!isCovered) {
        release(role, bytes);
      }
    }
    return isCovered;
  }

  /**
   * Gives a part back.
   *
   * @param bytes at least 0 and at most what is reserved for the role
   */
  public void release(EntryRole role, long bytes) {
    requireBytes(bytes);
    StackReserve.requireLittle();
    for (; ; ) {
      long held = reservedBytes(role);
      if (bytes > held) {
        throw new IllegalArgumentException(
            "bytes must be <= reservedBytes: bytes=" + bytes + ", reservedBytes=" + held);
      }
      if (reservedByRole.compareAndSet(role.ordinal(), held, held - bytes)) {
        long before = add(-bytes);
        try {
          applyIfMoved(before, before - bytes);
        } catch (StackOverflowError | OutOfMemoryError e) {
          isBehind = true; // It is given back; the next change sets the capacities.
        }
        return;
      }
    }
  }

  /** Returns what was reserved before. A role is never ahead of the sum, so it stays positive. */
  private long add(long difference) {
    for (; ; ) {
      long before = reservedBytes.get();
      long after = before + difference;
      if (after > BlockCache.MAX_CHARGE_BYTES) {
        throw new IllegalArgumentException(
            "sum must be <= "
                + BlockCache.MAX_CHARGE_BYTES
                + ": bytes="
                + difference
                + ", reservedBytes="
                + before);
      }
      if (reservedBytes.compareAndSet(before, after)) {
        return before;
      }
    }
  }

  private void applyIfMoved(long before, long after) {
    if (isBehind || BudgetSplit.steps(before) != BudgetSplit.steps(after)) {
      apply();
    }
  }

  /**
   * What was reserved for a role and not released, to the byte.
   *
   * @return bytes
   */
  public long reservedBytes(EntryRole role) {
    return reservedByRole.get(role.ordinal());
  }

  /** The whole, in bytes. */
  public long totalBytes() {
    return totalBytes;
  }

  /**
   * Share of the tier below in what is not reserved.
   *
   * @return in [0, 1]
   */
  public double ratio() {
    return ratio;
  }

  /**
   * What was reserved and not released, to the byte.
   *
   * @return bytes
   */
  public long reservedBytes() {
    return reservedBytes.get();
  }

  /**
   * By how much the steps of what is reserved exceed what the budget can give up.
   *
   * @return bytes, 0 if all is well
   */
  public long overdraftBytes() {
    return BudgetSplit.overdraftBytes(totalBytes, reservedBytes.get());
  }

  /**
   * How the budget is split by what was asked so far.
   *
   * @return a new snapshot
   */
  public BudgetSplit split() {
    return BudgetSplit.of(totalBytes, ratio, reservedBytes.get());
  }

  /*
   * A thread that changes one of the three numbers looks at all of them afterwards, under the lock;
   * so the last to look has seen every change. A call from within, by foreign code that a cache runs
   * while it makes room, leaves the looking to the loop that it runs in.
   */
  private void apply() {
    if (lock.isHeldByCurrentThread()) {
      return;
    }
    try {
      follow();
    } catch (Error e) {
      isBehind = true;
      throw e;
    }
  }

  private void follow() {
    lock.lock();
    try {
      isBehind = false;
      BudgetSplit wanted = null;
      while (!closed && !split().equals(wanted)) {
        wanted = split();
        move(wanted);
      }
    } catch (IllegalStateException e) {
      if (!closed) {
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Leaves both capacities alone from now on; to be called before the caches are closed. Does not
   * wait for a change under way, in which the tier may hang: that one may still set them. What is
   * reserved and released afterwards is counted only. Idempotent.
   */
  @Override
  public void close() {
    closed = true;
  }

  private void move(BudgetSplit wanted) {
    if (wanted.belowBytes() < belowBytes) {
      setBelow(wanted.belowBytes());
    }
    if (wanted.primaryBytes() != primaryBytes) {
      primaryBytes = NOT_KNOWN; // In case it fails half-way.
      primary.setCapacityBytes(wanted.primaryBytes());
      primaryBytes = wanted.primaryBytes();
    }
    if (wanted.belowBytes() > belowBytes) {
      setBelow(wanted.belowBytes());
    }
  }

  private void setBelow(long bytes) {
    boolean isSet = below.test(bytes);
    belowBytes = isSet ? bytes : belowBytes;
    refusals = isSet ? 0 : Math.min(refusals + 1, MOST_DOUBLINGS);
    retries.set(0);
  }

  /**
   * Tries again what the tier below has refused, if anything, and what an error has kept back; to
   * be called now and then. As long as the tier refuses, ever fewer calls do so: a try without
   * memory costs a garbage collection.
   */
  public void retry() {
    if (isBehind || refusals > 0 && retries.incrementAndGet() >= 1 << refusals - 1) {
      apply();
    }
  }

  private static void requireBytes(long bytes) {
    if (bytes < 0 || bytes > BlockCache.MAX_CHARGE_BYTES) {
      throw new IllegalArgumentException(
          "bytes must be in [0, " + BlockCache.MAX_CHARGE_BYTES + "]: bytes=" + bytes);
    }
  }
}
