/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;

/**
 * Decides which entries of one table make room for others. The only seam between the table and the
 * choice of victims: everything an implementation remembers is its own, besides the countdown and
 * {@link io.hyperclock.internal.slot.MetaWord#POLICY_BITS} bits of each slot and the class in its
 * cold word.
 *
 * <p>All methods are called by any number of threads at once. None may wait or throw, and what they
 * do on a read is nothing: a read only raises the countdown.
 */
public interface Replacement {
  /** Countdown from which on further uses change nothing. */
  int maxCountdown();

  /**
   * What an entry that takes the place of an older one of its key has of its state.
   *
   * @param policy the older entry's {@link io.hyperclock.internal.slot.MetaWord#policy}
   */
  default int inherited(int policy) {
    return policy;
  }

  /**
   * An insert begins; room for it is made next.
   *
   * @param hash hash of its key
   * @param chargeBytes its charge
   * @return its first state, a word of {@link InitialState}
   */
  int newcomer(long hash, Priority priority, long chargeBytes);

  /** What an insert of a present key raises that entry's countdown by. */
  int countdown(Priority priority);

  /**
   * Loads what a newcomer and making room for it are about to touch, see {@link
   * io.hyperclock.internal.slot.Prefetch}.
   *
   * @param hash that of the newcomer
   * @return a sum
   */
  default long touch(EvictableEntries residents, long hash) {
    return 0;
  }

  /**
   * An entry was published.
   *
   * @param slot where; it may be gone by now
   * @param cold its cold word when published
   */
  void admitted(int slot, long cold);

  /**
   * The same of an entry that was made room for.
   *
   * @param room what left for it; told now
   */
  default void admitted(int slot, long cold, EvictionRequest room) {
    admitted(slot, cold);
  }

  /**
   * An entry left the table, whatever the reason.
   *
   * @param cold its last cold word
   */
  void left(long cold);

  /**
   * The same of an entry that made room.
   *
   * @param room takes what is to be told
   */
  default void left(long cold, EvictionRequest room) {}

  /** Room was made, and no entry admitted: tells what left. */
  default void tell(EvictionRequest room) {}

  /** The charge of an entry in the table has changed. */
  void recharged(long coldBefore, long coldAfter);

  /**
   * An entry was given up before it was admitted.
   *
   * @param cold its cold word
   * @param last the same after a promotion, if there was one
   */
  default void withdrawn(long cold, long last) {}

  /**
   * Frees entries until the request is met, or it does not pay.
   *
   * @param residents the entries
   * @param room what is asked for; takes the result
   */
  void makeRoom(EvictableEntries residents, EvictionRequest room);

  /**
   * Frees the least valuable entry of two buckets that nobody holds.
   *
   * @param first a bucket, as the other
   * @param room takes what left
   * @return whether an entry left
   */
  boolean makeRoomIn(EvictableEntries residents, int first, int second, EvictionRequest room);

  /**
   * Slots that have been searched for dead entries, in turn.
   *
   * @return a count that only grows
   */
  long searchedForDead();
}
