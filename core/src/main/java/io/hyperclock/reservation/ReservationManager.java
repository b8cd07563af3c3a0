/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.reservation;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.internal.errors.StackReserve;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Charges memory that another component uses to a cache, so that both share one budget: the cache
 * evicts blocks to make room, and takes the room back when the component shrinks.
 *
 * <pre>{@code
 * ReservationManager writeBuffers = ReservationManager.of(cache, EntryRole.WRITE_BUFFER);
 * boolean fits = writeBuffers.update(64 << 20);  // the cache has 64 MiB less for blocks
 * }</pre>
 *
 * <p><b>Steps.</b> The reservation is a whole number of steps of {@value #STEP_BYTES} bytes, just
 * enough for what is used. In a cache each step is a placeholder entry with a key of its own, so
 * that the steps spread over the shards by chance: a shard's part deviates from the average by
 * about the square root of the number of its steps, and shards should be much larger than a step.
 * Each takes about 160 bytes of the heap: one GiB of use takes 4,096 steps, or 0.6 MiB. A cache
 * with tiers that share a {@link MemoryBudget} makes the capacities of all of them smaller instead.
 *
 * <p><b>Delayed decrease.</b> A manager {@linkplain #delayed made so} gives nothing back before the
 * use has fallen below three quarters of the reservation, so that a component that shrinks and
 * grows in turn leaves the cache in peace.
 *
 * <p><b>Refusal.</b> Non-strict capacity never refuses: blocks that are pinned then make usage
 * exceed the capacity. With strict capacity a step may be refused; the use is recorded all the
 * same, the steps had so far are kept, the call returns false, and the next call tries again. The
 * component may go on (its memory is then not all in the budget), wait, or write out and free.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. Progress: lock-free; no lock is
 * held while the cache evicts, so disposers and listeners may call the manager. A call that needs
 * no step costs one atomic addition. While one thread is being refused a step, another that needs
 * the same step may return true before the step is taken back; at least one of them returns false.
 *
 * <p><b>Errors.</b> Negative sizes throw {@link IllegalArgumentException}; every method that sets
 * the use or adds to it throws {@link IllegalStateException} after {@link #close()} of the manager,
 * and a call that needs a step also after that of the cache; the use is recorded in the latter
 * case. What gives back ({@link Reservation#free}, the closes) does not throw for either, whichever
 * is closed first.
 *
 * <p>Source: RocksDB {@code CacheReservationManagerImpl} and its concurrent form; changed: no
 * mutex, placeholders outside the table, other shards are tried before a refusal.
 */
public final class ReservationManager implements AutoCloseable {
  /** Size of a step, in bytes. */
  public static final long STEP_BYTES = 256 << 10;

  private final MemoryBudget budget;
  private final EntryRole role;
  private final boolean delayed;
  private final AtomicLong used = new AtomicLong();

  /*
   * Steps that are held or about to be. A thread first changes this number by compare-and-set, on
   * the ground of the use it has just read, and then makes or releases a placeholder; afterwards it
   * looks again. So at most one thread acts on each decision, and the thread that changes the use last, or
   * completes a step last, sees whether more is to be done. A thread that is to release a step that
   * another has not yet made takes its decision back; if the step has come meanwhile it starts
   * over, else the maker's second look comes after and finds it superfluous.
   */
  private final AtomicLong reserved = new AtomicLong();
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  private ReservationManager(MemoryBudget budget, EntryRole role, boolean delayed) {
    this.budget = Objects.requireNonNull(budget, "budget must not be null");
    this.role = Objects.requireNonNull(role, "role must not be null");
    this.delayed = delayed;
  }

  /**
   * Reserves nothing yet, and will give back at once what is not used any more.
   *
   * @param cache what to charge; once it is closed, calls that need a further step throw
   * @param role what the memory is for
   * @return a new manager, to be closed by the caller
   */
  public static ReservationManager of(BlockCache<?> cache, EntryRole role) {
    return new ReservationManager(new Placeholders(cache), role, false);
  }

  /**
   * As {@link #of(BlockCache, EntryRole)}, on a budget that the cache shares with others, such as
   * that of a cache with tiers.
   *
   * @param budget what to take the memory from; once its cache is closed, calls that need a further
   *     step throw
   * @param role what the memory is for
   * @return a new manager, to be closed by the caller
   * @throws IllegalStateException if the budget is closed, or is a cache with tiers that was built
   *     without a total
   */
  public static ReservationManager of(MemoryBudget budget, EntryRole role) {
    return new ReservationManager(budget, role, false).asked();
  }

  /**
   * Reserves nothing yet, and will give back only when less than three quarters of the reservation
   * are used: for write buffers, and others that shrink in order to grow.
   *
   * @param cache what to charge; once it is closed, calls that need a further step throw
   * @param role what the memory is for
   * @return a new manager, to be closed by the caller
   */
  public static ReservationManager delayed(BlockCache<?> cache, EntryRole role) {
    return new ReservationManager(new Placeholders(cache), role, true);
  }

  /**
   * As {@link #delayed(BlockCache, EntryRole)}, on a budget that the cache shares with others.
   *
   * @param budget what to take the memory from; once its cache is closed, calls that need a further
   *     step throw
   * @param role what the memory is for
   * @return a new manager, to be closed by the caller
   * @throws IllegalStateException if the budget is closed, or is a cache with tiers that was built
   *     without a total
   */
  public static ReservationManager delayed(MemoryBudget budget, EntryRole role) {
    return new ReservationManager(budget, role, true).asked();
  }

  /** Takes nothing from the budget: one that cannot give anything says so here, not later. */
  private ReservationManager asked() {
    Runnable nothing = budget.tryReserve(role, 0);
    if (nothing != null) {
      nothing.run();
    }
    return this;
  }

  /**
   * Sets how much is used, all in all. Not to be mixed with {@link #makeReservation}, whose parts
   * it would overwrite.
   *
   * @param usedBytes bytes, at least 0
   * @return false if strict capacity has refused a part of it
   */
  public boolean update(long usedBytes) {
    requireBytes("usedBytes", usedBytes);
    requireOpen();
    StackReserve.require();
    used.set(usedBytes);
    return adjust();
  }

  /**
   * Reserves memory for one user of several, such as one write buffer.
   *
   * @param bytes bytes to start with, at least 0
   * @return the part, to be closed by the caller, {@linkplain Reservation#isCovered() covered} or
   *     not
   */
  public Reservation makeReservation(long bytes) {
    requireBytes("bytes", bytes);
    return new Reservation(this, bytes);
  }

  /**
   * Memory that the component uses, as recorded.
   *
   * @return bytes, 0 after {@link #close()}
   */
  public long usedBytes() {
    // A part grows before its manager, so another thread may give back first what is added last.
    return closed ? 0 : Math.max(0, used.get());
  }

  /**
   * Memory charged to the cache for it.
   *
   * @return bytes, a multiple of {@link #STEP_BYTES}; steps under way are counted
   */
  public long reservedBytes() {
    return reserved.get();
  }

  /** Gives everything back and refuses further use. Idempotent. */
  @Override
  public void close() {
    StackReserve.require();
    closed = true;
    releaseAll();
  }

  boolean add(long bytes) {
    used.addAndGet(bytes);
    return adjust();
  }

  /** Takes from the use, also after {@link #close()} of this manager and of the cache. */
  void subtract(long bytes) {
    used.addAndGet(-bytes);
    if (!closed) {
      try {
        adjust();
      } catch (IllegalStateException closedMeanwhile) {
        // A step that had been refused was tried again; a caller that gives back does not need it.
      }
    }
  }

  private boolean adjust() {
    boolean shrinking = false;
    for (; ; ) {
      long use = used.get();
      long held = reserved.get();
      if (use > held) {
        // One thread takes each step; it alone asks the cache for it.
        if (reserved.compareAndSet(held, held + STEP_BYTES) && !grow()) {
          return used.get() <= reserved.get();
        }
      } else if (use <= held - STEP_BYTES && (shrinking || !delayed || use < held / 4 * 3)) {
        shrinking = true;
        // One thread takes each step; it alone gives it back.
        if (reserved.compareAndSet(held, held - STEP_BYTES) && !shrink()) {
          return true;
        }
      } else {
        return true;
      }
    }
  }

  /** Makes the step that was counted; takes the count back if it cannot be had. */
  private boolean grow() {
    Runnable step = null;
    boolean kept = false;
    try {
      step = budget.tryReserve(role, STEP_BYTES);
      kept = step != null && steps.add(step);
    } finally {
      if (!kept) {
        if (step != null) {
          // It may be there all the same.
          steps.remove(step);
          step.run();
        }
        reserved.addAndGet(-STEP_BYTES);
      }
    }
    if (closed) {
      releaseAll();
      requireOpen();
    }
    return kept;
  }

  /** Releases the step that was discounted; takes that back if all others are under way. */
  private boolean shrink() {
    Runnable step = steps.poll();
    if (step != null) {
      step.run();
      return true;
    }
    reserved.addAndGet(STEP_BYTES);
    return !steps.isEmpty();
  }

  private void releaseAll() {
    for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
      step.run();
      reserved.addAndGet(-STEP_BYTES);
    }
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("manager must not be closed: closed=true");
    }
  }

  static void requireBytes(String name, long bytes) {
    if (bytes < 0 || bytes > BlockCache.MAX_CHARGE_BYTES) {
      throw new IllegalArgumentException(
          name + " must be in [0, " + BlockCache.MAX_CHARGE_BYTES + "]: " + name + "=" + bytes);
    }
  }
}
