/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import io.hyperclock.EvictionListener;
import io.hyperclock.entry.Disposer;
import io.hyperclock.entry.EntryType;

/**
 * Calls disposers and listeners, and knows whether a thread is inside one, of any cache: there it
 * waits for no load, whose thread may be waiting for it.
 */
public final class UserCode {
  /** Kept by the thread once it is there; an array, since that keeps no class of ours loaded. */
  private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

  private static final int[] NOT_COUNTED = new int[1];

  private UserCode() {}

  /** Whether the calling thread is inside a disposer or listener. */
  public static boolean isInside() {
    return DEPTH.get()[0] != 0;
  }

  /** What a thread has of its own; without memory for that, something that is not looked at. */
  static <P> P ofThread(ThreadLocal<P> places, P notLookedAt) {
    try {
      return places.get();
    } catch (OutOfMemoryError e) {
      return notLookedAt;
    }
  }

  /**
   * Disposes a value: it was never in a table, or has no reader left. Does nothing for a type
   * without a disposer.
   *
   * @param failures told if the disposer throws
   */
  public static void dispose(
      EntryType<?> type, long hi, long lo, Object value, IncidentLog failures) {
    @SuppressWarnings("unchecked")
    Disposer<Object> disposer = (Disposer<Object>) type.disposer();
    if (disposer == null) {
      return;
    }
    try {
      dispose(disposer, hi, lo, value);
    } catch (Throwable e) {
      failures.report("disposer of", type, e);
    }
  }

  public static <V> void dispose(Disposer<? super V> disposer, long hi, long lo, V value) {
    int[] depth = ofThread(DEPTH, NOT_COUNTED);
    depth[0]++;
    try {
      disposer.dispose(hi, lo, value);
    } finally {
      depth[0]--;
    }
  }

  public static <V> boolean onEviction(
      EvictionListener<? super V> listener,
      long hi,
      long lo,
      V value,
      EntryType<?> type,
      long chargeBytes,
      boolean wasHit) {
    int[] depth = ofThread(DEPTH, NOT_COUNTED);
    depth[0]++;
    try {
      return listener.onEviction(hi, lo, value, type, chargeBytes, wasHit);
    } finally {
      depth[0]--;
    }
  }
}
