/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.loading;

import io.hyperclock.internal.observe.UserCode;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether the value of one load may be inserted.
 *
 * <pre>
 *              beginInsert              endInsert
 *   LOADING ───────────────> INSERTING ───────────> INSERTED
 *      │ invalidate              │ invalidate, inside a task
 *      │                         v
 *      │                       DOUBTED: the inserting thread erases the key again
 *      ├──> STALE
 *      └──> OVERTAKEN, by an insert: the value that was inserted is preferred if it is there
 * </pre>
 */
final class InsertPermit {
  private static final int LOADING = 0;
  private static final int INSERTING = 1;
  private static final int INSERTED = 2;
  private static final int STALE = 3;
  private static final int DOUBTED = 4;
  private static final int OVERTAKEN = 5;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;

  private final AtomicInteger state = new AtomicInteger(LOADING);

  /** Whether the value may be inserted; if so, {@link #endInsert} must follow. */
  boolean beginInsert() {
    return state.compareAndSet(LOADING, INSERTING);
  }

  /** Whether the value may not be inserted because another was, which may still be there. */
  boolean isOvertaken() {
    return state.get() == OVERTAKEN;
  }

  /** Whether the key must be erased again, and the value must not be shared. */
  boolean endInsert() {
    return state.getAndSet(INSERTED) == DOUBTED;
  }

  /**
   * Keeps a value loaded before now out of the cache. Returns when no insert of it is under way; a
   * thread inside a task or callback leaves that to the inserting thread: it must not wait.
   *
   * @return whether no caller may join any more
   */
  boolean invalidate() {
    // One of this and beginInsert wins: either the value is never inserted, or it is waited for.
    if (state.compareAndSet(LOADING, STALE)) {
      return true;
    }
    if (LoadTask.isInsideAny() || UserCode.isInside()) {
      // Pairs with the exchange in endInsert, whose thread then erases the key again.
      return !state.compareAndSet(INSERTING, DOUBTED) && !isInserting();
    }
    awaitInsert();
    return true;
  }

  /** An interrupt does not end the wait, and does not make it a spin; it is there afterwards. */
  private void awaitInsert() {
    boolean interrupted = false;
    for (int round = 0; isInserting(); round++) {
      if (round < SPINS) {
        Thread.onSpinWait();
      } else {
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Keeps a value loaded before now out of the cache because another one is about to be inserted.
   * Does not wait: if this one is just being inserted, one of the two is kept.
   *
   * @return whether no caller may join any more
   */
  boolean overtake() {
    // If another thread has outdated it, that one may not yet have taken the load out of the map.
    return state.compareAndSet(LOADING, OVERTAKEN) || !isInserting();
  }

  private boolean isInserting() {
    int now = state.get();
    return now == INSERTING || now == DOUBTED;
  }
}
