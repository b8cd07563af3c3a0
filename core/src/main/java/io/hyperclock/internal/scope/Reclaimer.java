/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.scope;

import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.slot.PaddedCounters;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps retired values until no read scope can show them any more, and frees them then.
 *
 * <p><b>Lists.</b> A value retired in epoch r is pushed to list r mod 4. In epoch e everything in
 * the lists of e - 2 and e - 3 may be freed: all of it was retired in e - 2 or before, because no
 * value is retired in an epoch that has not come.
 *
 * <p><b>Guard.</b> A thread that retires a value, and one that ends a scope that keeps the epoch
 * from ending, makes a pass: it advances the epoch as far as it goes and takes the lists that may
 * be freed. Passes are guarded by a word that no thread waits for: a thread that finds it taken
 * asks the one inside to make another pass and goes on. So after the last scope has ended nothing
 * is left.
 *
 * <p><b>Callbacks</b> run after the guard is left. What a pass has taken goes to a stack that all
 * threads share, and every thread that comes here takes one value after the other from it: a slow
 * callback delays its own value only. Values that become free while a callback runs on the same
 * thread are freed after that callback, by the loop that called it: the call stack does not grow
 * with a chain of disposers that end each other's entries.
 *
 * <p>Lock-free: no thread waits for another.
 */
public final class Reclaimer {
  private static final int LISTS = 4;

  private static final int IDLE = 0;
  private static final int BUSY = 1;
  private static final int AGAIN = 2;

  private static final int VALUES = 0;
  private static final int BYTES = 1;

  private final ReadEpochs epochs;
  private final Runnable watch;
  private final AtomicReferenceArray<@Nullable RetiredValue> lists =
      new AtomicReferenceArray<>(LISTS);
  private final AtomicInteger guard = new AtomicInteger(IDLE);
  private final PaddedCounters counters = new PaddedCounters(2);

  /** Values that no scope holds back; each leaves with the thread that frees it. */
  private final AtomicReference<@Nullable RetiredValue> free = new AtomicReference<>();

  /** Set while the thread frees values. */
  private final ThreadLocal<Boolean> freeing = new ThreadLocal<>();

  /** Whether a thread had no stack or memory for its pass: the next scope that ends makes it. */
  private volatile boolean postponed;

  /** When the epoch last moved. */
  private volatile long movedNanos = System.nanoTime();

  /**
   * A reclaimer without values.
   *
   * @param watch called for each value that retires, to look for scopes that no thread will end
   */
  public Reclaimer(ReadEpochs epochs, Runnable watch) {
    this.epochs = epochs;
    this.watch = watch;
  }

  /**
   * Opens a scope for this thread.
   *
   * @return the cell to {@link #end}
   */
  @SuppressWarnings("deprecation") // Thread.threadId() came later.
  public int enter() {
    long threadId = Thread.currentThread().getId();
    for (; ; ) {
      int cell = epochs.tryEnter(threadId);
      if (cell != ReadEpochs.MOVED) {
        return cell;
      }
      // A pass may have been held up by what was counted in vain.
      try {
        reclaim();
      } catch (StackOverflowError | OutOfMemoryError e) {
        postponed = true;
        throw e;
      }
    }
  }

  /** Ends a scope; {@link #ended} must follow. If this throws, the scope has not ended. */
  public void end(int cell) {
    epochs.exit(cell);
  }

  /** Frees what only a scope held back that has been ended. */
  public void ended(int cell) {
    try {
      // [scope] either this look sees the value, or the pass of its retirement sees the exit.
      if (counters.get(VALUES) != 0 && (postponed || epochs.isBehind(cell))) {
        reclaim();
      }
    } catch (StackOverflowError | OutOfMemoryError e) {
      postponed = true;
    }
  }

  /** Whether a value must retire; see {@link ReadEpochs#isAnyOpen}. */
  public boolean mustRetire() {
    return epochs.isAnyOpen();
  }

  /** Frees a value, whose generation has been ended, when all scopes open now have ended. */
  public void retire(RetiredValue value) {
    // [scope] counted before it is in a list: an exit that sees no value leaves it to this pass.
    counters.getAndAdd(VALUES, 1);
    // [sum] an exact sum, no order.
    counters.getAndAdd(BYTES, value.bytes);
    int list = list(epochs.epochOfRetirement());
    RetiredValue head;
    do {
      head = lists.get(list);
      value.next = head;
      value.listSinceNanos = head == null ? System.nanoTime() : head.listSinceNanos;
      // [scope] publishes the value, and since when its list waits, to the pass that takes the list
      // and to who asks how long it has waited.
    } while (!lists.compareAndSet(list, head, value));
    try {
      watch.run();
      reclaim();
    } catch (StackOverflowError | OutOfMemoryError e) {
      postponed = true;
    }
  }

  /** Frees what can be freed, but for the values that other threads are freeing. */
  public void reclaim() {
    if (counters.get(VALUES) == 0) {
      return;
    }
    // A pass that is not brought to its end would keep all others out.
    StackReserve.require();
    if (postponed) {
      postponed = false;
    }
    if (begin()) {
      do {
        pass();
      } while (!end());
    }
    freeAll();
  }

  /** Frees the values that earlier passes have taken; one load if there are none. */
  public void freeTaken() {
    if (free.get() != null) {
      StackReserve.require();
      freeAll();
    }
  }

  private boolean begin() {
    for (; ; ) {
      int state = guard.get();
      if (state == AGAIN) {
        return false;
      }
      // [scope] one thread makes a pass; what came before a request is seen by the pass it asks
      // for.
      if (guard.compareAndSet(state, state + 1)) {
        return state == IDLE;
      }
    }
  }

  private boolean end() {
    // [scope] fails if another pass was asked for.
    if (guard.compareAndSet(BUSY, IDLE)) {
      return true;
    }
    guard.set(BUSY);
    return false;
  }

  /** Two epochs on, all that was retired before is free; a third would find nothing. */
  private void pass() {
    take();
    for (int i = 0; i < 2 && epochs.tryAdvance(); i++) {
      movedNanos = System.nanoTime();
      take();
    }
  }

  private void take() {
    long epoch = epochs.epoch();
    takeList(list(epoch - 3));
    takeList(list(epoch - 2));
  }

  /** Moves the values of a list to the stack, so that the oldest leaves first. */
  private void takeList(int list) {
    RetiredValue last = lists.get(list) == null ? null : lists.getAndSet(list, null);
    if (last == null) {
      return;
    }
    RetiredValue first = null;
    for (RetiredValue taken = last; taken != null; ) {
      RetiredValue rest = taken.next;
      taken.next = first;
      first = taken;
      taken = rest;
    }
    RetiredValue head;
    do {
      head = free.get();
      last.next = head;
      // [scope] hands on what the pass has acquired: all exits before the values became free.
    } while (!free.compareAndSet(head, first));
  }

  /** Takes one value off the stack. It was put there once, so what is next to it never changes. */
  private @Nullable RetiredValue poll() {
    for (; ; ) {
      RetiredValue first = free.get();
      // [scope] one thread has each value; acquires what the pass has handed on.
      if (first == null || free.compareAndSet(first, first.next)) {
        return first;
      }
    }
  }

  private void freeAll() {
    if (freeing.get() != null) {
      return;
    }
    freeing.set(true);
    try {
      for (RetiredValue value = poll(); value != null; value = poll()) {
        // [sum] exact sums, no order.
        counters.getAndAdd(VALUES, -1);
        counters.getAndAdd(BYTES, -value.bytes);
        value.free();
      }
    } finally {
      freeing.remove();
    }
  }

  public long openScopes() {
    return epochs.open();
  }

  public long retiredValues() {
    return counters.get(VALUES);
  }

  public long retiredBytes() {
    return counters.get(BYTES);
  }

  /**
   * How long the epoch has not moved although scopes hold values back; 0 if they hold none back.
   *
   * <p><b>Never too long.</b> The last value of a list tells when the first one came. It was told
   * that before it was pushed, so one load brings both, and no thread that was held up changes it
   * later. Lists are pushed to at their end and taken as a whole, so the first value was still in a
   * list that is seen here, after the look at the clock. The time can be too short by what a thread
   * was held up between its own look at the clock and its push, or between the step of the epoch
   * and the note of it.
   */
  public long stuckNanos() {
    long now = System.nanoTime();
    long longest = 0;
    for (int list = 0; list < LISTS; list++) {
      RetiredValue last = lists.get(list);
      if (last != null) {
        longest = Math.max(longest, now - last.listSinceNanos);
      }
    }
    return longest == 0 ? 0 : Math.max(0, Math.min(longest, now - movedNanos));
  }

  private static int list(long epoch) {
    return (int) (epoch & LISTS - 1);
  }
}
