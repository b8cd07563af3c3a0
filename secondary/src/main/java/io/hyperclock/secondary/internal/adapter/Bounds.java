/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.adapter;

/**
 * Since when, at the latest, an entry that this thread reports as evicted may have been out of the
 * primary: a moment of the {@link Registry}'s clock. An eviction is reported some time after the
 * entry has left its slot, and the key may have been written in between; the report is believed
 * only if no write ended after the bound.
 *
 * <p>While an operation is under way, the bound is the moment before it began; otherwise, for
 * evictions by calls past this adapter, the end of the thread's last operation, or 0 if there was
 * none. A nested operation (from a disposer or listener) keeps the bound of the outer one.
 */
final class Bounds {
  private static final class Bound {
    private int depth;
    private long start;
    private long last;
  }

  private final Registry registry;
  private final ThreadLocal<Bound> bounds = ThreadLocal.withInitial(Bound::new);

  Bounds(Registry registry) {
    this.registry = registry;
  }

  /** Before a call of the primary that may evict. */
  void enter() {
    Bound bound = bounds.get();
    if (bound.depth++ == 0) {
      bound.start = registry.now();
    }
  }

  /** After it. */
  void exit() {
    Bound bound = bounds.get();
    if (--bound.depth == 0) {
      bound.last = registry.now();
    }
  }

  /** From inside the one call that is under way, which has no eviction to report just now. */
  void renew() {
    Bound bound = bounds.get();
    if (bound.depth == 1) {
      bound.start = registry.now();
    }
  }

  long now() {
    Bound bound = bounds.get();
    return bound.depth > 0 ? bound.start : bound.last;
  }

  /** Whether this thread is inside a call of the primary, and so must not wait for another. */
  boolean isNested() {
    return bounds.get().depth > 0;
  }
}
