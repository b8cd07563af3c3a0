/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import java.lang.invoke.VarHandle;

/**
 * How inserts of one key at the same moment find out about each other, so that one entry of a key
 * is visible at most.
 *
 * <p>An insert <em>announces</em> its filled slot, then looks at every slot of its two buckets that
 * has the tag of the key, then publishes by a compare-and-set of the announced word. Of two inserts
 * that do so, at least one looks after the other has announced. It <em>invalidates</em> the other
 * back to under construction, whose publishing then fails and who must announce and look again; or
 * it finds the other's entry visible. So both cannot be published. See [one-entry] in {@code
 * core/docs/memory-ordering.md}.
 *
 * <p>The one in the lower slot invalidates at once, the other is patient for a few looks: so two
 * threads that run do not invalidate each other for ever, and one that is stopped stops no other.
 * Announcing is thus obstruction-free between inserts of one key and lock-free otherwise.
 *
 * <p>Source: Purcell and Harris, "Non-blocking hashtables with open addressing", 2005; changed: an
 * announced entry keeps its slot when it is invalidated, position decides who is patient.
 */
public final class TentativeInserts {
  private static final int PATIENCE = 6;

  private final SlotProtocol slots;
  private final SlotStore store;

  /** Announcements in the slots of one table. */
  public TentativeInserts(SlotProtocol slots) {
    this.slots = slots;
    this.store = slots.store();
  }

  /** Lets others see that a filled slot of the caller's is about to be published. */
  public void announce(int slot, long hash) {
    // [one-entry] publishes the key to those who look.
    store.setMetaRelease(slot, MetaWord.ANNOUNCED);
    // [tag] found from here on; [one-entry] announcing comes before looking, for both.
    store.setTag(slot, hash);
  }

  /** Announces a slot again that was invalidated; its tag is still set. */
  public void announceAgain(int slot) {
    // [one-entry] as above; no other thread sets the bit, or clears it where it is not set.
    store.getAndAddMeta(slot, MetaWord.WRITER);
  }

  /**
   * The slots that may hold a key, behind an announcement or a mark.
   *
   * @return as {@link SlotStore#candidates}
   */
  public long candidates(int first, int second, long tags) {
    return store.candidatesVolatile(first, second, tags);
  }

  /** Whether a slot that {@link #findOrInvalidate} has met is erasing. */
  public boolean isErasing(int slot) {
    // [one-entry] behind the announcement: the eraser met that, or its mark is seen here.
    return GenerationWord.isErasing(store.tailVolatile(slot));
  }

  /**
   * Makes an announced slot of the caller's visible.
   *
   * @return false if it was invalidated; the slot is still the caller's own
   */
  public boolean publish(int slot, long visibleMeta) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isAnnounced(meta)) {
        return false;
      }
      // [publish] publishes value, key and cold word; [one-entry] fails if invalidated. A late pin
      // is overwritten.
      if (store.compareAndSetMeta(slot, meta, visibleMeta)) {
        return true;
      }
    }
  }

  /**
   * Whether nothing becomes visible any more in a slot of a table that was left, unless it is
   * visible now: what is announced there is invalidated, and its owner will see that the table was
   * left.
   *
   * @return the word
   */
  public long invalidate(int slot) {
    for (; ; ) {
      // [start] behind the fence of the starter: this look sees the announcement, or its owner sees
      // that the table was left.
      long word = store.metaVolatile(slot);
      if (!MetaWord.isAnnounced(word)
          || store.compareAndSetMeta(slot, word, MetaWord.UNDER_CONSTRUCTION)) {
        // [one-entry] the other cannot publish now.
        return word;
      }
    }
  }

  /**
   * Whether an announced slot of the caller's was invalidated. If not, no entry of the key was
   * published since, so that a search that found none has missed none.
   */
  public boolean isInvalidated(int slot) {
    // [one-entry] the search met what others did after they had invalidated, and came before this
    // look.
    VarHandle.acquireFence();
    return !MetaWord.isAnnounced(store.metaAcquire(slot));
  }

  /**
   * Looks whether another slot holds a key and invalidates it if that is only announced.
   *
   * @param patient whether the other may have a moment to publish first
   * @return the word of a visible entry of the key, or 0
   */
  public long findOrInvalidate(int slot, long hi, long lo, boolean patient) {
    for (int looks = 0; ; looks++) {
      long tail = store.tailAcquire(slot);
      // [one-entry] behind the announcement: one of two inserts sees the other.
      long meta = store.metaVolatile(slot);
      if (!MetaWord.isVisible(meta) && !MetaWord.isAnnounced(meta)
          || store.keyLoOpaque(slot) != lo
          || store.keyHiOpaque(slot) != hi) {
        return 0;
      }
      if (MetaWord.isVisible(meta)) {
        if (slots.stillTenant(slot, tail)) {
          return meta;
        }
      } else if (patient && looks < PATIENCE) {
        Thread.onSpinWait();
      } else if (store.compareAndSetMeta(slot, meta, MetaWord.UNDER_CONSTRUCTION)) {
        // [one-entry] the other cannot publish now. On a later announcement it costs that one a
        // look.
        return 0;
      }
    }
  }
}
