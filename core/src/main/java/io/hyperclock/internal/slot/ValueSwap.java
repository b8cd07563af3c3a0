/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * How a writer exchanges the value of a visible entry without making another one: only while no
 * thread else holds the entry.
 *
 * <p>The writer <em>enters</em> with one compare-and-set that finds the entry unreferenced and sets
 * P with the pin; it stores the value, and leaves with one step that takes both back. So there is
 * one writer inside at most, and none comes in while there is a pin: a reader that pins and sees P
 * off has a value that stays as it is until it lets go. See [exchange] in {@code
 * core/docs/memory-ordering.md}.
 *
 * <p>P means something else in a cache of two versions, see {@link WriterLatch}.
 */
public final class ValueSwap {
  private static final int PATIENCE = 32;

  private final SlotProtocol slots;
  private final SlotStore store;

  /** Exchanges in the slots of one table. */
  public ValueSwap(SlotProtocol slots) {
    this.slots = slots;
    this.store = slots.store();
  }

  /**
   * Pins an entry for an exchange, if its value may be read without a pin and no other thread comes
   * to hold it. The caller then compares the key.
   *
   * @return the word before, or 0 if others hold the entry for longer than a moment or it is hidden
   */
  public long enter(int slot) {
    for (int looks = 0; looks < PATIENCE; looks++) {
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isReadable(meta)) {
        return 0;
      }
      if (!MetaWord.isExchangeable(meta)) {
        Thread.onSpinWait();
      } else if (store.compareAndSetMeta(slot, meta, MetaWord.exchanging(meta))) {
        // [exchange] fails if another has entered or pinned; [last-use] as a pin.
        return meta;
      }
    }
    return 0;
  }

  /** Exchanges the value; the caller is inside. */
  public void setValue(int slot, Object value) {
    store.setValueRelease(slot, value);
  }

  /**
   * Ends the caller's exchange and pin.
   *
   * @param entered the word before
   * @param used whether an entry with no use left keeps one, as a new one in its place would
   * @return true if the caller now owns the slot under construction and must tear it down
   */
  public boolean leave(int slot, long entered, boolean used) {
    boolean useful = used && MetaWord.releases(entered) == 0;
    // [exchange] publishes the value to each thread that sees P off; [last-use] as in release.
    long before = store.getAndAddMeta(slot, MetaWord.endOfExchange(useful));
    return !MetaWord.isVisible(before) && slots.takeAbandoned(slot);
  }

  /**
   * Waits until no exchange is under way; the caller holds the entry. An exchange is a few
   * instructions, but its thread may be stopped in between.
   */
  public void await(int slot) {
    while (!awaitBriefly(slot)) {
      Thread.yield();
    }
  }

  /**
   * Waits a moment until no exchange is under way.
   *
   * @return whether the value now stays as it is until the caller's pin ends
   */
  public boolean awaitBriefly(int slot) {
    for (int looks = 0; isUnderWay(slot); looks++) {
      if (looks == PATIENCE) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private boolean isUnderWay(int slot) {
    // [exchange] acquires the value.
    return MetaWord.isExchanging(store.metaAcquire(slot));
  }
}
