/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.VarHandle;

/**
 * The state changes of single slots that count no reference: those of a slot's owner, those of the
 * replacement policy, and looks that change nothing. See {@link SlotProtocol}.
 */
public abstract class SlotSteps {
  final SlotStore store;
  private final int maxCountdown;
  private final long hotFrom;

  /**
   * Steps over a store.
   *
   * @param maxCountdown uses from which on a hit writes nothing
   */
  SlotSteps(SlotStore store, int maxCountdown) {
    this.store = store;
    this.maxCountdown = maxCountdown;
    this.hotFrom = MetaWord.hotFrom(maxCountdown);
  }

  /** Countdown from which on further uses change nothing. */
  public final int maxCountdown() {
    return maxCountdown;
  }

  /** Uses from which on a hit writes nothing, see {@link MetaWord#hotFrom}. */
  public final long hotFrom() {
    return hotFrom;
  }

  /** The words of the slots, for scans. */
  public final SlotStore store() {
    return store;
  }

  /** Empty to under construction. */
  public final boolean claim(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isEmpty(meta)) {
        return false;
      }
      // [reuse] acquires the end of the last tenancy; fails only if a late pin attempt counted.
      if (store.compareAndSetMeta(slot, meta, MetaWord.UNDER_CONSTRUCTION)) {
        return true;
      }
    }
  }

  /** Under construction, never visible, back to empty. No reader can have seen a tenant. */
  public final void abandon(int slot) {
    finishTearDown(slot);
  }

  /** [tag] Clears the tag of a slot that cannot be found any more, or that was never visible. */
  public final void clearTag(int slot, long hash) {
    store.clearTag(slot, hash);
  }

  /** Fills a claimed slot; {@link TentativeInserts} then makes it visible. */
  public final void fill(int slot, long hi, long lo, Object value, long cold) {
    // [validate] a reader that sees one of the stores below sees the end of the tenancy before.
    VarHandle.releaseFence();
    store.setValueOpaque(slot, value);
    store.setKeyOpaque(slot, hi, lo);
    store.setColdOpaque(slot, cold);
  }

  /**
   * Changes the class of a filled slot that is not yet published.
   *
   * @return the word to account for: the present one, if a late promotion of an earlier tenant has
   *     moved this one and accounted for that
   */
  public final long reclass(int slot, long present, long wanted) {
    // [sum] a promotion counts, or fails.
    return present == wanted || store.compareAndSetCold(slot, present, wanted) ? wanted : present;
  }

  /** Ends a tenancy, first step of the owner: from here on every pin-free reader of it fails. */
  public final void beginTearDown(int slot) {
    // Opaque: the word is the owner's alone. [validate] the new generation comes behind the take.
    store.setTailRelease(slot, GenerationWord.next(store.tailOpaque(slot)));
    // [validate] no later store of this slot's data may be seen before the new generation.
    VarHandle.releaseFence();
  }

  /** Ends a tenancy, last step of the owner: to empty, without value. */
  public final void finishTearDown(int slot) {
    store.setValueOpaque(slot, null);
    // [reuse] publishes the end of the tenancy to the next claim.
    store.setMetaRelease(slot, MetaWord.EMPTY);
  }

  /**
   * Unreferenced to under construction.
   *
   * @param meta the word the decision was made on
   */
  public final boolean take(int slot, long meta) {
    // [last-use] acquires every last use; fails if the word changed, so no reader can be inside.
    return store.compareAndSetMeta(slot, meta, MetaWord.taken(meta));
  }

  /**
   * Lowers the countdown of an unreferenced entry and sets the bits of the replacement policy.
   *
   * @return the new word, or 0 if it had changed
   */
  public final long age(int slot, long meta, int countdown, int policy) {
    assert MetaWord.refcount(meta) == 0 : "references would be lost";
    long aged = MetaWord.withPolicy(MetaWord.withCountdown(meta, countdown), policy);
    // Opaque: would do; a lost race means that the entry was just used or is gone.
    return store.compareAndSetMeta(slot, meta, aged) ? aged : MetaWord.EMPTY;
  }

  /**
   * Changes the state of the replacement policy, unless the word has changed.
   *
   * @return whether it was changed
   */
  public final boolean annotate(int slot, long meta, int policy) {
    // Opaque: would do; the state orders nothing and means nothing to the protocol.
    return store.compareAndSetMeta(slot, meta, MetaWord.withPolicy(meta, policy));
  }

  /**
   * Notes a hit that leaves no reference behind, for the entry that a slot holds by now. Writes
   * nothing if that is known as hot.
   */
  public final void tick(int slot) {
    tick(slot, store.metaOpaque(slot));
  }

  /**
   * Notes a hit, as {@link #tick(int)}, with the word that the caller has loaded.
   *
   * @param meta what the slot's word was
   */
  public final void tick(int slot, long meta) {
    if (MetaWord.wantsTick(meta, hotFrom)) {
      // Opaque: would do; a lost race costs one use that another step has just stood for.
      store.compareAndSetMeta(slot, meta, MetaWord.ticked(meta, hotFrom));
    }
  }

  /** Raises the countdown of an entry whose key was inserted again. */
  public final void boost(int slot, long meta, int countdown) {
    if (MetaWord.isVisible(meta) && MetaWord.releases(meta) < maxCountdown) {
      // Opaque: would do; a lost race costs one boost.
      store.compareAndSetMeta(slot, meta, MetaWord.boosted(meta, countdown));
    }
  }

  /**
   * Whether a slot is visible and holds a key, without writing.
   *
   * @return the meta word the answer was true for, or 0
   */
  public final long matches(int slot, long hi, long lo) {
    long tail = store.tailAcquire(slot);
    long meta = store.metaAcquire(slot);
    if (!MetaWord.isVisible(meta)
        || store.keyLoOpaque(slot) != lo
        || store.keyHiOpaque(slot) != hi) {
      return 0;
    }
    return stillTenant(slot, tail) ? meta : 0;
  }

  /**
   * Looks for another slot that shows a key.
   *
   * @param except not this one
   * @return its bit, for {@link SlotStore#slot}, or 0
   */
  public final long another(int first, int second, long tags, int except, long hi, long lo) {
    for (long left = store.candidates(first, second, tags); left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot != except && matches(slot, hi, lo) != 0) {
        return Long.lowestOneBit(left);
      }
    }
    return 0;
  }

  /** Whether everything read of a slot since {@code tail} belonged to one tenant. */
  public final boolean stillTenant(int slot, long tail) {
    // [validate] the data were read before the second look at the generation.
    VarHandle.acquireFence();
    return GenerationWord.sameTenancy(tail, store.tailOpaque(slot));
  }
}
