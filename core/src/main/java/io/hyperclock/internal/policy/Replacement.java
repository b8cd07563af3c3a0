/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.SlotProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Decides which entries of one table make room for others. The only seam between the table and the
 * choice of victims: everything an implementation remembers is its own, besides the countdown and
 * {@link io.hyperclock.internal.slot.MetaWord#POLICY_BITS} bits of each slot and the segment in its
 * cold word.
 *
 * <p>All methods are called by any number of threads at once. Implementations must not block or
 * throw. Reads do not call the policy: a read only raises the countdown.
 */
public interface Replacement {
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

  /** No entry is worth more. */
  int MAX_WORTH = 63;

  /**
   * How much an entry is worth, to be compared with others at about the same time.
   *
   * @param meta its meta word
   * @param cold its cold word
   * @return at least 0 and at most {@link #MAX_WORTH}
   */
  int worth(long meta, long cold);

  /** What an insert of a present key raises that entry's countdown by. */
  int countdown(Priority priority);

  /**
   * Loads what making room for a newcomer is about to touch, see {@link
   * io.hyperclock.internal.slot.Prefetch}.
   *
   * @return a sum
   */
  default long touch() {
    return 0;
  }

  /**
   * An entry was published.
   *
   * @param slot where; it may be gone by now
   * @param cold its cold word when published
   * @param request what was evicted for it; its segment weights are flushed here
   */
  default void admitted(int slot, long cold, EvictionRequest request) {}

  /**
   * An entry has come from the table before this one: it is no newcomer, and has its weight.
   *
   * @param slot where; it may be gone by now
   * @param cold its cold word where it came from
   * @param request of the thread that moves it
   */
  default void moved(int slot, long cold, EvictionRequest request) {}

  /**
   * The replacement of the table that takes the place of this one, in a cache that sizes itself.
   * What was learnt, and the sums of both tables, are common to the two.
   *
   * @param slots those of the other table
   * @param entries entries that it is made for
   */
  Replacement resized(SlotProtocol slots, int entries);

  /**
   * An entry left the table, for any reason.
   *
   * @param cold its last cold word
   * @param request for which it was evicted, which takes the change of segment weights, or null
   */
  default void left(long cold, @Nullable EvictionRequest request) {}

  /** Entries were evicted and none was admitted: flushes the segment weights. */
  default void flush(EvictionRequest request) {}

  /**
   * The charge of an entry in the table has changed, or an entry is given up before it was
   * admitted: if it was promoted meanwhile, that is taken back.
   */
  default void recharged(long coldBefore, long coldAfter) {}

  /**
   * Makes what is kept with a request, so that nothing has to be allocated once an entry is
   * published.
   *
   * @param request a request that has just begun
   */
  default void prepare(EvictionRequest request) {}

  /**
   * Frees entries until the request is met, or it does not pay.
   *
   * @param residents the entries
   * @param request what is asked for; takes the result
   */
  void makeRoom(EvictableEntries residents, EvictionRequest request);

  /**
   * Frees the least valuable entry of two buckets that is not pinned.
   *
   * @param first a bucket, as the other
   * @param request takes what left
   * @return whether an entry left
   */
  boolean makeRoomIn(EvictableEntries residents, int first, int second, EvictionRequest request);

  /**
   * Slots that have been searched for dead entries, in turn.
   *
   * @return a count that only grows
   */
  long searchedForDead();
}
