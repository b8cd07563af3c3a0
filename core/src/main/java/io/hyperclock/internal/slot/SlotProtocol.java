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
 * <p>The thread that moves a slot to "under construction" owns it: no other thread reads its value
 * or changes its state. What others may still do to its words is in rule 1 of "What must hold"
 * there. An owner either fills the slot ({@link #fill}) to publish it, gives it back ({@link
 * #abandon}) or tears it down ({@link #beginTearDown}, then free the value, then {@link
 * #finishTearDown}).
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
public final class SlotProtocol extends SlotSteps {
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

  /** Result of {@link #hideAndRelease}: had been hidden by {@link #supersedeAndRelease}. */
  public static final int SUPERSEDED = 8;

  /**
   * A protocol over a store.
   *
   * @param maxCountdown uses from which on a hit writes nothing
   */
  public SlotProtocol(SlotStore store, int maxCountdown) {
    super(store, maxCountdown);
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

  /**
   * Pins an entry for a writer: the hit bit stays as it is. The slot may hold anything by now, as
   * for {@link #pin}, whose results it has.
   */
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
      try {
        return takeAbandoned(slot);
      } catch (StackOverflowError e) {
        // The reference has ended: the next sweep frees what is left.
        return false;
      }
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
   * @return {@link #OWNED} if it was the last reference, else {@link #MISS}; either with {@link
   *     #SUPERSEDED} set if a newer entry had taken its place
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
      boolean last = MetaWord.refcount(meta) == 1;
      long hidden = superseded ? MetaWord.superseded(meta) : MetaWord.hidden(meta);
      long held = MetaWord.isVisible(meta) ? hidden : meta;
      long next = last ? MetaWord.taken(meta) : held - MetaWord.ACQUIRE_ONE;
      // [hide] hides the entry from every later pin; [last-use] as in release.
      if (store.compareAndSetMeta(slot, meta, next)) {
        return (last ? OWNED : MISS) | (MetaWord.isSuperseded(meta) ? SUPERSEDED : 0);
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
