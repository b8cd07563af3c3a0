/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The requests of one table, each used again and again: a miss that allocates pays for cache lines
 * never seen before, and what a policy keeps with a request is one thread's alone as long as that
 * uses it. A thread has the same request each time unless another is using it; with as many threads
 * as there are requests, started one after the other, each has its own. No thread waits for one.
 */
public final class EvictionRequests {
  private static final int MOST = 64;
  private static final int FEWEST = 4;

  /** Fewest slots for each request. */
  private static final int SLOTS_PER_REQUEST = 256;

  /** Requests in use that are passed before a new one is made, for once. */
  private static final int TRIES = 4;

  private final AtomicReferenceArray<EvictionRequest> kept;

  /** Requests for a table with so many slots. */
  public EvictionRequests(int slots) {
    this.kept = new AtomicReferenceArray<>(most(slots));
  }

  /** Requests that a table with so many slots keeps, a power of two. */
  public static int most(int slots) {
    int wanted = Integer.highestOneBit(Math.max(1, slots / SLOTS_PER_REQUEST));
    return Math.max(FEWEST, Math.min(MOST, wanted));
  }

  /** Number of the request that the calling thread uses first. */
  public static int mine() {
    return (int) Thread.currentThread().getId();
  }

  /**
   * A request for one insert, to be {@linkplain EvictionRequest#end ended}.
   *
   * @param charge charge of the entry to be inserted
   */
  public EvictionRequest begin(long charge) {
    int mine = mine();
    for (int tries = 0; tries < TRIES; tries++) {
      int number = mine + tries & kept.length() - 1;
      // Acquire: the request of another thread is whole.
      EvictionRequest request = kept.getAcquire(number);
      if (request == null) {
        request = new EvictionRequest(charge, number);
        // Release: publishes the request, for the acquire above.
        if (kept.compareAndSet(number, null, request)) {
          return request;
        }
      } else if (request.begin(charge)) {
        return request;
      }
    }
    return new EvictionRequest(charge);
  }
}
