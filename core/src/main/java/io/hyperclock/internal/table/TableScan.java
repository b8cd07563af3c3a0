/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import java.util.Objects;

/**
 * Walks over all slots of a table, without locks. An entry never moves within a table, so none is
 * met twice.
 */
public final class TableScan {
  private final ClockTable table;
  private final SlotStore store;

  /** Sees one entry while it is pinned. */
  public interface PinnedVisitor {
    /** Called for each visible entry. */
    void visit(long hi, long lo, Object value, long cold);
  }

  /** Sees one slot's words, unpinned: charge and meta may belong to neighbouring moments. */
  public interface WordVisitor {
    /** Called for each shareable slot; dead: of a dropped file. */
    void visit(long meta, long cold, boolean dead);
  }

  /** Chooses entries by their words, unpinned, as {@link WordVisitor} sees them. */
  public interface WordChoice {
    /** Whether to visit the entry. */
    boolean test(long meta, long cold);
  }

  public TableScan(ClockTable table) {
    this.table = table;
    this.store = table.store;
  }

  /**
   * Visits each visible entry whose words are chosen, pinned meanwhile; the pin does not count as a
   * use. The charge is read first: no thread changes it while the value is being exchanged.
   */
  public void forEachPinned(WordChoice choice, PinnedVisitor visitor) {
    for (int slot = 0; slot < store.slots(); slot++) {
      if (isChosen(slot, choice) && table.pinAny(slot)) {
        try {
          long cold = table.coldSoon(slot);
          Object value = Objects.requireNonNull(store.valueAcquire(slot));
          visitor.visit(store.keyHiOpaque(slot), store.keyLoOpaque(slot), value, cold);
        } finally {
          table.release(slot, false);
        }
      }
    }
  }

  private boolean isChosen(int slot, WordChoice choice) {
    long meta = store.metaAcquire(slot);
    return MetaWord.isVisible(meta) && choice.test(meta, store.coldAcquire(slot));
  }

  /** Visits the words of each shareable slot. */
  public void forEachWord(WordVisitor visitor) {
    boolean someDead = table.deaths() != 0;
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      if (MetaWord.isShareable(meta)) {
        long cold = store.coldAcquire(slot);
        if (!ChargeWord.isForwarded(cold)) {
          visitor.visit(meta, cold, someDead && table.isDead(slot));
        }
      }
    }
  }

  /** Whether an entry is in any slot, visible or held. */
  public boolean holdsAny() {
    for (int slot = 0; slot < store.slots(); slot++) {
      if (!MetaWord.isEmpty(store.metaAcquire(slot))) {
        return true;
      }
    }
    return false;
  }

  /**
   * How many visible entries are referenced, in a part of the slots. Keys are spread evenly, so
   * that tells of the others.
   *
   * @param slots of the first buckets, no more than there are
   */
  public int pinnedIn(int slots) {
    int pinned = 0;
    for (int slot = 0; slot < slots; slot++) {
      long meta = store.metaAcquire(slot);
      if (MetaWord.isVisible(meta) && MetaWord.refcount(meta) != 0) {
        pinned++;
      }
    }
    return pinned;
  }

  /** Charge of all referenced entries. */
  public long pinnedBytes() {
    long sum = 0;
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) != 0) {
        sum += ChargeWord.chargeBytes(store.coldAcquire(slot));
      }
    }
    return sum;
  }

  /** Charge of all entries of dropped files. */
  public long deadBytes() {
    long[] bytes = {0};
    if (table.deaths() != 0) {
      forEachWord((meta, cold, dead) -> bytes[0] += dead ? ChargeWord.chargeBytes(cold) : 0);
    }
    return bytes[0];
  }

  /** Frees each entry without a pin. */
  public void eraseUnreferenced() {
    for (int slot = 0; slot < store.slots(); slot++) {
      long meta = store.metaAcquire(slot);
      if (MetaWord.isShareable(meta)
          && MetaWord.refcount(meta) == 0
          && table.slots.take(slot, meta)) {
        table.free(slot);
      }
    }
  }

  /** Erases each key, also if its entry is on its way to another table. */
  public void eraseKeys() {
    eraseUnreferenced();
    for (int slot = 0; slot < store.slots(); slot++) {
      if (table.pinAny(slot)) {
        long hi = store.keyHiOpaque(slot);
        long lo = store.keyLoOpaque(slot);
        table.release(slot, false);
        table.erase(hi, lo, table.buckets().hash(hi, lo));
      }
    }
  }
}
