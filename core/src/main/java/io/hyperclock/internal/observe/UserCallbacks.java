/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import io.hyperclock.EvictionListener;
import io.hyperclock.PinRequiredException;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.slot.ChargeWord;
import org.jspecify.annotations.Nullable;

/** Calls the user's listener and disposers, and keeps their exceptions away from the table. */
public final class UserCallbacks implements EntryCallbacks {
  private static final boolean[] NOT_LOOKED_AT = new boolean[1];

  public final IncidentLog failures = new IncidentLog("a disposer or listener threw");

  private final TypeRegistry types;
  private final StatsRecorder stats;
  private final DroppedFiles files;
  private final @Nullable EvictionListener<Object> listener;

  /**
   * Whether the thread is inside of a call for an eviction; an array of one. It stays with the
   * thread: to make one for each eviction would cost more than the rest.
   */
  private final ThreadLocal<boolean[]> marks = ThreadLocal.withInitial(() -> new boolean[1]);

  private volatile boolean runsUserCode;

  @SuppressWarnings("unchecked")
  public UserCallbacks(
      TypeRegistry types,
      StatsRecorder stats,
      DroppedFiles files,
      @Nullable EvictionListener<?> listener) {
    this.types = types;
    this.stats = stats;
    this.files = files;
    this.listener = (EvictionListener<Object>) listener;
  }

  @Override
  public void countEviction(long cold) {
    stats.evicted(cold);
  }

  @Override
  public boolean hasDisposer(long cold) {
    return types.of(cold).disposer() != null;
  }

  @Override
  public boolean isHeard(long cold) {
    return listener != null || hasDisposer(cold);
  }

  @Override
  public void end(long hi, long lo, Object value, long cold, RemovalCause ending) {
    if (ending == RemovalCause.FREED) {
      dispose(hi, lo, value, cold);
    } else if (isHeard(cold)) {
      endByClock(hi, lo, value, cold, ending);
    }
  }

  private void endByClock(long hi, long lo, Object value, long cold, RemovalCause ending) {
    if (!runsUserCode) {
      runsUserCode = true;
    }
    // Without memory for it what a callback inserts may make others leave: the value must go.
    boolean[] mark = UserCode.ofThread(marks, NOT_LOOKED_AT);
    boolean outermost = !mark[0];
    mark[0] = true;
    try {
      if (!ending.isEviction() || !takenOver(hi, lo, value, cold, ending)) {
        dispose(hi, lo, value, cold);
      }
    } finally {
      if (outermost) {
        mark[0] = false;
      }
    }
  }

  @Override
  public boolean isEvicting() {
    if (!runsUserCode) {
      return false;
    }
    boolean[] mark = UserCode.ofThread(marks, NOT_LOOKED_AT);
    return mark != NOT_LOOKED_AT && mark[0];
  }

  private boolean takenOver(long hi, long lo, Object value, long cold, RemovalCause ending) {
    if (listener == null) {
      return false;
    }
    EntryType<?> type = types.of(cold);
    boolean wasHit = ending == RemovalCause.EVICTED_AFTER_HIT;
    try {
      return UserCode.onEviction(
          listener, hi, lo, value, type, ChargeWord.chargeBytes(cold), wasHit);
    } catch (Throwable e) {
      failures.report("listener for", type, e);
      return false;
    }
  }

  /** Disposes a value at once: it was never in the table, or has no reader left. */
  public void dispose(long hi, long lo, Object value, long cold) {
    UserCode.dispose(types.of(cold), hi, lo, value, failures);
  }

  @Override
  public long drops() {
    return files.droppedFiles();
  }

  @Override
  public boolean isDead(long hi) {
    return files.isDropped(hi);
  }

  @Override
  public IllegalStateException pinRequired(long hi, long lo) {
    return new PinRequiredException(
        "a value that is freed explicitly must be read through lookup: keyHi="
            + hi
            + ", keyLo="
            + lo);
  }
}
