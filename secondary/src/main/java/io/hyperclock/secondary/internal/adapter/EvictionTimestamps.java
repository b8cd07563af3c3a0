/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

import io.hyperclock.internal.errors.StackReserve;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Since when, at the latest, an entry that this thread reports as evicted may have been out of the
 * primary: a moment of the {@link InFlightTable}'s clock. An eviction is reported some time after
 * the entry has left its slot, and the key may have been written in between; the report is believed
 * only if no write ended after the bound.
 *
 * <p>While an operation is under way, the bound is the moment before it began; otherwise, for
 * evictions by calls past this adapter, the end of the thread's last operation, or 0 if there was
 * none. A nested operation (from a disposer or listener) keeps the bound of the outer one.
 *
 * <p>A report keeps the bound that it finds, too. The user's listener, and the executor if it runs
 * the hand-off on this thread, may make operations that begin after a write of a key which has left
 * already: the one that is reported, or another that the same tier drops with it.
 *
 * <p>A value freed explicitly that leaves while a read scope is open is reported later, by any
 * thread that ends a scope or evicts. Where such values wait when a bound is taken, it is taken as
 * 0.
 *
 * <p>WART: one that has left its slot but does not wait yet at that moment goes unnoticed; then an
 * older value may move down if the key is written in between.
 */
final class EvictionTimestamps {
  // What one thread knows, in an array: a class of this library in a thread's map would keep the
  // class loader, and so all of a closed cache's classes, as long as the thread lives.

  /** How many operations and reports are under way, one in another. */
  private static final int DEPTH = 0;

  private static final int LEADING = 1;

  /** The bound while something is under way. */
  private static final int START = 2;

  /** The bound otherwise. */
  private static final int LAST = 3;

  private static final int CELLS = 4;

  private final InFlightTable registry;
  private volatile boolean freedByHand;
  private @Nullable LongSupplier valuesWaiting;
  private final ThreadLocal<long[]> cells = ThreadLocal.withInitial(() -> new long[CELLS]);

  EvictionTimestamps(InFlightTable registry) {
    this.registry = registry;
  }

  /** Before the first operation: how many values wait for scopes. */
  void begin(LongSupplier waiting) {
    valuesWaiting = waiting;
  }

  /** From now on, values freed explicitly may be reported. */
  void expectFreedByHand() {
    if (!freedByHand) {
      freedByHand = true;
    }
  }

  private long stamp() {
    long stamp = registry.now();
    LongSupplier waiting = valuesWaiting;
    return freedByHand && waiting != null && waiting.getAsLong() > 0 ? 0 : stamp;
  }

  /** Before a call of the primary that may evict; nothing has begun if this throws. */
  void enter() {
    long[] own = cells.get();
    if (own[DEPTH] == 0) {
      own[START] = stamp();
    }
    own[DEPTH]++;
  }

  /** After it. */
  void exit() {
    long[] own = cells.get();
    if (--own[DEPTH] == 0) {
      own[LAST] = stamp();
    }
  }

  /**
   * Before the report of a value that has left: operations from inside of it are nested. {@link
   * #reported} ends it, and has the stack for that.
   */
  void report() {
    StackReserve.require();
    long[] own = cells.get();
    if (own[DEPTH]++ == 0) {
      own[START] = own[LAST];
    }
  }

  /** The bound, while something is under way. */
  long moment() {
    return cells.get()[START];
  }

  /** After a report. */
  void reported() {
    cells.get()[DEPTH]--;
  }

  /** From inside the one call that is under way, which has no eviction to report just now. */
  void renew() {
    long[] own = cells.get();
    if (own[DEPTH] == 1) {
      own[START] = stamp();
    }
  }

  /** Whether this thread is inside a call of the primary, and so must not wait for another. */
  boolean isNested() {
    return cells.get()[DEPTH] > 0;
  }

  /** Before foreign code may run on this thread while it leads reads that it has not begun. */
  void lead() {
    cells.get()[LEADING]++;
  }

  /** After it. */
  void led() {
    cells.get()[LEADING]--;
  }

  /**
   * Whether this thread may wait for the read of another lookup: not if that read may be its own,
   * or its thread may wait for this one.
   */
  boolean mayJoin() {
    long[] own = cells.get();
    return own[DEPTH] == 0 && own[LEADING] == 0;
  }
}
