/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.VarHandle;

/**
 * The state changes of single slots. Every method is one row of the table in {@code
 * core/docs/slot-protocol.md}; none waits, none allocates.
 *
 * <p>The thread that moves a slot to "under construction" owns it: no other thread reads its cold
 * word or changes its words (a pin attempt may add to its counters, which have no meaning there).
 * An owner either fills the slot ({@link #fill}) to publish it, gives it back ({@link #abandon}) or
 * tears it down ({@link #beginTearDown}, then free the value, then {@link #finishTearDown}).
 *
 * <p>Ways to become owner: {@link #claim} of an empty slot; {@link #take} of an unreferenced one by
 * a compare-and-set of the whole word, which fails if a reader has come in between; {@link
 * #release} and {@link #hideAndRelease} of the last reference, by a compare-and-set made <em>while
 * still holding it</em>, so that the slot cannot have changed tenants.
 *
 * <p>Source: RocksDB {@code FixedHyperClockTable}; changed: a lookup compares keys before it
 * counts, so that it never writes to a slot of another key unless it raced; the last release and an
 * undone pin never leave an erased entry behind; generations make pin-free reads possible.
 */
public final class SlotProtocol {
  /** Result of {@link #pin}: another key, or not visible. */
  public static final int MISS = 0;

  /** Result of {@link #pin}: one more reference is held. */
  public static final int PINNED = 1;

  /**
   * Result of {@link #pin}: as {@link #PINNED}, but the word showed that the entry supersedes
   * another, that its value is being exchanged, or that it has a prepared version. In a cache of
   * one version what the word does not show does not come while the entry is visible and the caller
   * holds it.
   */
  public static final int MARKED = 16;

  /** Result: the caller now owns the slot under construction and must tear it down. */
  public static final int OWNED = 2;

  /** Result of {@link #pin}: the entry has as many references as it may have. */
  public static final int TOO_MANY_PINS = 3;

  /** Result of {@link #hideAndRelease}: hidden by this call, others still hold it. */
  public static final int HIDDEN = 4;

  /** Result of {@link #hideAndRelease}: had been hidden by {@link #supersedeAndRelease}. */
  public static final int SUPERSEDED = 8;

  private final SlotStore store;
  private final int maxCountdown;
  private final long hotFrom;

  /**
   * A protocol over a store.
   *
   * @param maxCountdown uses from which on a hit writes nothing
   */
  public SlotProtocol(SlotStore store, int maxCountdown) {
    this.store = store;
    this.maxCountdown = maxCountdown;
    this.hotFrom = MetaWord.hotFrom(maxCountdown);
  }

  /** Uses from which on a hit writes nothing, see {@link MetaWord#hotFrom}. */
  public long hotFrom() {
    return hotFrom;
  }

  /** The words of the slots, for scans. */
  public SlotStore store() {
    return store;
  }

  /** Empty to under construction. */
  public boolean claim(int slot) {
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
  public void abandon(int slot) {
    finishTearDown(slot);
  }

  /** [tag] Clears the tag of a slot that cannot be found any more, or that was never visible. */
  public void clearTag(int slot, long hash) {
    store.clearTag(slot, hash);
  }

  /** Fills a claimed slot; {@link TentativeInserts} then makes it visible. */
  public void fill(int slot, long hi, long lo, Object value, long cold) {
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
  public long reclass(int slot, long present, long wanted) {
    // [sum] a promotion counts, or fails.
    return present == wanted || store.compareAndSetCold(slot, present, wanted) ? wanted : present;
  }

  /** Ends a tenancy, first step of the owner: from here on every pin-free reader of it fails. */
  public void beginTearDown(int slot) {
    // Opaque: the word is the owner's alone. [validate] the new generation comes behind the take.
    store.setTailRelease(slot, GenerationWord.next(store.tailOpaque(slot)));
    // [validate] no later store of this slot's data may be seen before the new generation.
    VarHandle.releaseFence();
  }

  /** Ends a tenancy, last step of the owner: to empty, without value. */
  public void finishTearDown(int slot) {
    store.setValueOpaque(slot, null);
    // [reuse] publishes the end of the tenancy to the next claim.
    store.setMetaRelease(slot, MetaWord.EMPTY);
  }

  /**
   * Unreferenced to under construction.
   *
   * @param meta the word the decision was made on
   */
  public boolean take(int slot, long meta) {
    // [last-use] acquires every last use; fails if the word changed, so no reader can be inside.
    return store.compareAndSetMeta(slot, meta, MetaWord.taken(meta));
  }

  /** Lowers the countdown of an unreferenced entry, unless the word has changed. */
  public void age(int slot, long meta, int countdown) {
    age(slot, meta, countdown, MetaWord.policy(meta));
  }

  /**
   * Lowers the countdown of an unreferenced entry and sets the bits of the replacement policy.
   *
   * @return the new word, or 0 if it had changed
   */
  public long age(int slot, long meta, int countdown, int policy) {
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
  public boolean annotate(int slot, long meta, int policy) {
    // Opaque: would do; the state orders nothing and means nothing to the protocol.
    return store.compareAndSetMeta(slot, meta, MetaWord.withPolicy(meta, policy));
  }

  /**
   * Notes a hit that leaves no reference behind, for the entry that a slot holds by now. Writes
   * nothing if that is known as hot.
   */
  public void tick(int slot) {
    tick(slot, store.metaOpaque(slot));
  }

  /**
   * Notes a hit, as {@link #tick(int)}, with the word that the caller has loaded.
   *
   * @param meta what the slot's word was
   */
  public void tick(int slot, long meta) {
    if (MetaWord.wantsTick(meta, hotFrom)) {
      // Opaque: would do; a lost race costs one use that another step has just stood for.
      store.compareAndSetMeta(slot, meta, MetaWord.ticked(meta, hotFrom));
    }
  }

  /** Raises the countdown of an entry whose key was inserted again. */
  public void boost(int slot, long meta, int countdown) {
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
  public long matches(int slot, long hi, long lo) {
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
  public long another(int first, int second, long tags, int except, long hi, long lo) {
    for (long left = store.candidates(first, second, tags); left != 0; left &= left - 1) {
      int slot = SlotStore.slot(first, second, left);
      if (slot != except && matches(slot, hi, lo) != 0) {
        return Long.lowestOneBit(left);
      }
    }
    return 0;
  }

  /** Whether everything read of a slot since {@code tail} belonged to one tenant. */
  public boolean stillTenant(int slot, long tail) {
    // [validate] the data were read before the second look at the generation.
    VarHandle.acquireFence();
    return GenerationWord.sameTenancy(tail, store.tailOpaque(slot));
  }

  /**
   * Pins the entry of a slot if it is visible and has this key.
   *
   * @param meta the word of the slot, loaded before the keys were compared
   * @param maxPins references the entry may have before
   * @return {@link #PINNED}, {@link #MARKED}, {@link #MISS}, {@link #OWNED} or {@link
   *     #TOO_MANY_PINS}
   */
  public int pin(int slot, long meta, long hi, long lo, int maxPins) {
    // What is loaded again behind the step waits for it.
    SlotStore words = store;
    long before;
    if (MetaWord.wasHit(meta)) {
      // [last-use] from here on no thread can take the slot, if it was shareable.
      before = words.getAndAddMeta(slot, MetaWord.ACQUIRE_ONE);
    } else if (words.compareAndSetMeta(slot, meta, meta + MetaWord.ACQUIRE_ONE | MetaWord.HIT)) {
      before = meta;
    } else {
      // [last-use] as above; the hit bit is left to the next pin.
      before = words.getAndAddMeta(slot, MetaWord.ACQUIRE_ONE);
    }
    if (MetaWord.isVisible(before)
        && words.keyLoOpaque(slot) == lo
        && words.keyHiOpaque(slot) == hi
        && MetaWord.refcount(before) < maxPins) {
      return MetaWord.isMarked(before) ? MARKED : PINNED;
    }
    return undoPin(slot, before, hi, lo, maxPins);
  }

  /** Whether a result of {@link #pin} or {@link #pinAny} leaves the caller with a reference. */
  public static boolean isPinned(int outcome) {
    return outcome == PINNED || outcome == MARKED;
  }

  /** Pins an entry for a writer: the hit bit stays as it is. */
  public int pinUnseen(int slot, long hi, long lo, int maxPins) {
    return pin(slot, MetaWord.HIT, hi, lo, maxPins);
  }

  private int undoPin(int slot, long before, long hi, long lo, int maxPins) {
    if (!MetaWord.isShareable(before)) {
      return MISS;
    }
    boolean crowded =
        MetaWord.isVisible(before)
            && MetaWord.refcount(before) >= maxPins
            && store.keyLoOpaque(slot) == lo
            && store.keyHiOpaque(slot) == hi;
    if (release(slot, false, false)) {
      return OWNED;
    }
    return crowded ? TOO_MANY_PINS : MISS;
  }

  /**
   * Pins the visible entry of a slot, of any key, without counting as a hit.
   *
   * @return {@link #PINNED}, {@link #MISS} or {@link #OWNED}
   */
  public int pinAny(int slot) {
    if (!MetaWord.isVisible(store.metaOpaque(slot))) {
      return MISS;
    }
    // [last-use] as in pin.
    long before = store.getAndAddMeta(slot, MetaWord.ACQUIRE_ONE);
    if (MetaWord.isVisible(before)) {
      return PINNED;
    }
    return MetaWord.isShareable(before) && release(slot, false, false) ? OWNED : MISS;
  }

  /**
   * Takes another reference on an entry the caller already holds.
   *
   * @return false if it has too many
   */
  public boolean ref(int slot) {
    // [last-use] the caller's own reference keeps the tenant.
    long before = store.getAndAddMeta(slot, MetaWord.ACQUIRE_ONE);
    if (MetaWord.refcount(before) < MetaWord.MAX_PINS) {
      return true;
    }
    store.getAndAddMeta(slot, -MetaWord.ACQUIRE_ONE);
    return false;
  }

  /**
   * Ends one reference.
   *
   * @param useful false to take the use back
   * @param eraseIfLast true to take the slot if this was the last reference
   * @return true if the caller now owns the slot under construction and must tear it down
   */
  public boolean release(int slot, boolean useful, boolean eraseIfLast) {
    if (eraseIfLast || !MetaWord.isVisible(store.metaOpaque(slot))) {
      return releaseWhileHolding(slot, useful, eraseIfLast);
    }
    // [last-use] publishes this reader's last use to the thread that takes the slot.
    long before = store.getAndAddMeta(slot, useful ? MetaWord.RELEASE_ONE : -MetaWord.ACQUIRE_ONE);
    if (!MetaWord.isVisible(before)) {
      return takeAbandoned(slot);
    }
    if (MetaWord.nearOverflow(before)) {
      correctCounters(slot);
    }
    return false;
  }

  private boolean releaseWhileHolding(int slot, boolean useful, boolean eraseIfLast) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      if (MetaWord.refcount(meta) == 1 && (eraseIfLast || !MetaWord.isVisible(meta))) {
        // [last-use] [hide] still holding: the tenant cannot have changed; acquires all last uses.
        if (store.compareAndSetMeta(slot, meta, MetaWord.taken(meta))) {
          return true;
        }
      } else {
        long next = meta + (useful ? MetaWord.RELEASE_ONE : -MetaWord.ACQUIRE_ONE);
        // [last-use] publishes this reader's last use.
        if (store.compareAndSetMeta(slot, meta, next)) {
          if (MetaWord.nearOverflow(next)) {
            correctCounters(slot);
          }
          return false;
        }
      }
    }
  }

  /**
   * Takes a slot that is invisible and unreferenced: an entry erased between the check and the step
   * of its last release. Any thread may free such an entry, so it does not matter if it is another
   * one by now.
   */
  boolean takeAbandoned(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isShareable(meta) || MetaWord.isVisible(meta) || MetaWord.refcount(meta) != 0) {
        return false;
      }
      if (take(slot, meta)) {
        return true;
      }
    }
  }

  /**
   * Makes a pinned entry invisible and ends the caller's reference in one step.
   *
   * @return {@link #OWNED} if it was the last reference, {@link #HIDDEN} if others hold the entry,
   *     or {@link #MISS} if it had been hidden before and others hold it. {@link #OWNED} comes with
   *     {@link #HIDDEN} set if this call hid the entry, and either with {@link #SUPERSEDED} set if
   *     a newer entry had taken its place.
   */
  public int hideAndRelease(int slot) {
    return hideAndRelease(slot, false);
  }

  /** As {@link #hideAndRelease(int)}, because a newer entry of the key is visible. */
  public int supersedeAndRelease(int slot) {
    return hideAndRelease(slot, true);
  }

  private int hideAndRelease(int slot, boolean superseded) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      boolean hides = MetaWord.isVisible(meta);
      boolean last = MetaWord.refcount(meta) == 1;
      long hidden = !hides ? meta : superseded ? MetaWord.superseded(meta) : MetaWord.hidden(meta);
      long next = last ? MetaWord.taken(meta) : hidden - MetaWord.ACQUIRE_ONE;
      // [hide] hides the entry from every later pin; [last-use] as in release.
      if (store.compareAndSetMeta(slot, meta, next)) {
        return (last ? OWNED : 0)
            | (hides ? HIDDEN : 0)
            | (MetaWord.isSuperseded(meta) ? SUPERSEDED : 0);
      }
    }
  }

  /**
   * Marks an entry the caller holds as about to be erased. Overwrites that go on from here on are
   * either invalidated by the caller's search that must follow, or see the mark.
   *
   * @return whether this call marked it
   */
  public boolean markErasing(int slot) {
    for (; ; ) {
      long tail = store.tailAcquire(slot);
      if (GenerationWord.isErasing(tail)) {
        // [one-entry] who finishes the erase of another searches after the mark, too.
        VarHandle.fullFence();
        return false;
      }
      if (store.compareAndSetTail(slot, tail, tail | GenerationWord.ERASING)) {
        // [one-entry] the mark comes before the search for announcements.
        VarHandle.fullFence();
        return true;
      }
    }
  }

  /** Ends the time in which a held entry supersedes older ones of its key, if it has not ended. */
  public void endSuperseding(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      // [one-entry] publishes that the older entries are hidden.
      if (!MetaWord.isSuperseding(meta)
          || store.compareAndSetMeta(slot, meta, MetaWord.notSuperseding(meta))) {
        return;
      }
    }
  }

  private void correctCounters(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      long corrected = MetaWord.corrected(meta);
      // [last-use] keeps the refcount; on a later tenant, or twice, it changes nothing.
      if (!MetaWord.isShareable(meta)
          || corrected == meta
          || store.compareAndSetMeta(slot, meta, corrected)) {
        return;
      }
    }
  }
}
