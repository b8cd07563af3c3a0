/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy.adaptive;

import io.hyperclock.internal.slot.SlotStore;

/**
 * What one {@link VictimSearch} sees of the probation: a ring of its own, and now and then the
 * front of another, so that no ring grows old while its threads rest or are gone.
 */
final class ProbationQueue {
  /** Candidates after which one is taken from another ring, if that has an older one. */
  private static final int OWN_CANDIDATES = 64;

  /** Other rings to look at when the own is empty. */
  private static final int OTHERS = 8;

  private final AdaptiveEntries clock;
  private final SlotStore store;
  final ProbationRing ring;
  private int ownCandidates;
  private int otherRing;

  /** A slot that will be looked at soon, to be loaded ahead; any thread may ask. */
  int next;

  /**
   * An empty queue.
   *
   * @param number of the request it belongs to
   */
  ProbationQueue(AdaptiveEntries clock, int number) {
    this.clock = clock;
    this.store = clock.store;
    this.ring = new ProbationRing(clock.mostOnProbation());
    this.otherRing = number;
  }

  /** Puts an entry at the back; the oldest goes to main if that is full. */
  void enqueue(int slot, long tail) {
    if (ring.isFull()) {
      promoteOldest();
    }
    ring.push(ProbationRing.token(slot, tail, clock.learned.turns()));
  }

  /** Puts an entry at the back that was at the front, unless it is gone. */
  void enqueueAgain(long token) {
    int slot = ProbationRing.slot(token);
    long tail = store.tailAcquire(slot);
    if (ProbationRing.isTenant(token, tail)) {
      enqueue(slot, tail);
    }
  }

  /** Moves the entry at the front of the own ring to main. */
  void promoteOldest() {
    long token = ring.pop();
    int slot = ProbationRing.slot(token);
    if (ProbationRing.isTenant(token, store.tailAcquire(slot))) {
      clock.promote(slot, null);
    }
  }

  /**
   * Takes the oldest, as far as one thread can tell; {@link ProbationRing#NONE} if there is none.
   */
  long takeOldest() {
    if (ring.length == 0 || ++ownCandidates >= OWN_CANDIDATES) {
      int others = ring.length == 0 ? OTHERS : 1;
      ownCandidates = 0;
      for (int i = 0; i < others; i++) {
        long token = clock.takeOlder(++otherRing, ring.front());
        if (token != ProbationRing.NONE) {
          return token;
        }
      }
    }
    return takeOwn();
  }

  /** Takes the entry at the front of the own ring; {@link ProbationRing#NONE} if there is none. */
  long takeOwn() {
    long token = ring.pop();
    next = Math.max(0, ProbationRing.slot(ring.front()));
    return token;
  }
}
