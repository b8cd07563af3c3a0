/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

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
  /** What one thread knows. */
  static final class Bound {
    private int depth;
    private int leading;
    private long start;
    private long last;

    /** While something is under way. */
    long moment() {
      return start;
    }

    /** After a report. */
    void reported() {
      depth--;
    }
  }

  private final InFlightTable registry;
  private volatile boolean freedByHand;
  private @Nullable LongSupplier valuesWaiting;
  private final ThreadLocal<Bound> bounds = ThreadLocal.withInitial(Bound::new);

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
    Bound bound = bounds.get();
    if (bound.depth == 0) {
      bound.start = stamp();
    }
    bound.depth++;
  }

  /** After it. */
  void exit() {
    Bound bound = bounds.get();
    if (--bound.depth == 0) {
      bound.last = stamp();
    }
  }

  /**
   * Before the report of a value that has left: operations from inside of it are nested. {@link
   * Bound#reported} ends it.
   */
  Bound report() {
    Bound bound = bounds.get();
    if (bound.depth++ == 0) {
      bound.start = bound.last;
    }
    return bound;
  }

  /** From inside the one call that is under way, which has no eviction to report just now. */
  void renew() {
    Bound bound = bounds.get();
    if (bound.depth == 1) {
      bound.start = stamp();
    }
  }

  /** Whether this thread is inside a call of the primary, and so must not wait for another. */
  boolean isNested() {
    return bounds.get().depth > 0;
  }

  /** Before foreign code may run on this thread while it leads reads that it has not begun. */
  void lead() {
    bounds.get().leading++;
  }

  /** After it. */
  void led() {
    bounds.get().leading--;
  }

  /**
   * Whether this thread may wait for the read of another lookup: not if that read may be its own,
   * or its thread may wait for this one.
   */
  boolean mayJoin() {
    Bound bound = bounds.get();
    return bound.depth == 0 && bound.leading == 0;
  }
}
