/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * The state changes of a slot with two versions of its key. Every caller holds a pin, so that the
 * slot keeps its tenant.
 *
 * <p>A writer <em>enters</em>: it sets W, if neither W nor P is set. It then exchanges the value
 * and leaves, or hides the entry, or leaves P behind: the entry is <em>prepared</em>, the writer's
 * pin stays with it, and no other writer enters until the prepare is completed. A writer inside is
 * never waited for by reads, and by other writers for a bounded time only.
 *
 * <p>The order is that of [two-versions]: a value is exchanged before the bits say so. See {@code
 * core/docs/memory-ordering.md}.
 */
public final class WriterLatch {
  /** Result of {@link #enter}: the caller is inside. */
  public static final int ENTERED = 0;

  /** Result of {@link #enter}: the entry is prepared. */
  public static final int PREPARED = 1;

  /** Result of {@link #enter}: another writer is inside and does not come out. */
  public static final int BUSY = 2;

  /** Result of {@link #enter}: the entry is hidden. */
  public static final int GONE = 3;

  private static final int SPINS = 64;
  private static final int YIELDS = 1024;

  private final SlotStore store;

  /** A gate for each slot. */
  public WriterLatch(SlotProtocol slots) {
    this.store = slots.store();
  }

  /** Keeps other writers out, unless another one or a prepared version does so. */
  public int enter(int slot) {
    for (int waits = 0; ; ) {
      long meta = store.metaAcquire(slot);
      if (!MetaWord.isVisible(meta)) {
        return GONE;
      }
      if (MetaWord.isPrepared(meta)) {
        return PREPARED;
      }
      if (MetaWord.isEntered(meta)) {
        if (!mayWait(waits++)) {
          return BUSY;
        }
      } else if (store.compareAndSetMeta(slot, meta, MetaWord.entered(meta))) {
        // [two-versions] acquires what the last writer did; fails if another has entered or
        // prepared.
        return ENTERED;
      }
    }
  }

  /** Waits a little for another writer, unless it was waited for long enough. */
  public static boolean mayWait(int waits) {
    if (waits < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
    return waits < SPINS + YIELDS;
  }

  /** Exchanges the value; the caller is inside or completes the prepared version. */
  public void setValue(int slot, Object value) {
    store.setValueRelease(slot, value);
  }

  /** Lets other writers in again. */
  public void leave(int slot) {
    // [two-versions] publishes what was written to the next writer.
    store.getAndAddMeta(slot, -MetaWord.WRITER);
  }

  /**
   * Leaves a prepared version behind, with the caller's pin.
   *
   * @param readable whether reads go on as if there were none
   */
  public void prepare(int slot, boolean readable) {
    // [two-versions] publishes the prepared version; in one step, so that no writer enters in
    // between.
    store.getAndAddMeta(
        slot, MetaWord.PREPARED - MetaWord.WRITER - (readable ? 0 : MetaWord.READABLE));
  }

  /** Sends reads of a prepared entry, if the slot holds one, to look at the prepared version. */
  public void divertReads(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      // [two-versions] before a mark of doubt or a verdict is seen; in vain on a later one of the
      // slot.
      if (!MetaWord.isPrepared(meta)
          || !MetaWord.isReadable(meta)
          || store.compareAndSetMeta(slot, meta, MetaWord.notReadable(meta))) {
        return;
      }
    }
  }

  /** Makes a prepared entry plain and readable, and ends the prepare's pin. */
  public void complete(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      long step = MetaWord.nearOverflow(meta) ? -MetaWord.ACQUIRE_ONE : MetaWord.RELEASE_ONE;
      // [two-versions] after the value and the prepared version were exchanged; [last-use] as in
      // release.
      if (store.compareAndSetMeta(slot, meta, MetaWord.completed(meta) + step)) {
        return;
      }
    }
  }

  /**
   * Makes an entry invisible with all its versions and ends the caller's pin; the caller is inside
   * or completes the prepared version.
   *
   * @return whether the caller now owns the slot and must tear it down
   */
  public boolean hideAndRelease(int slot) {
    for (; ; ) {
      long meta = store.metaAcquire(slot);
      boolean last = MetaWord.refcount(meta) == 1;
      long next =
          last ? MetaWord.taken(meta) : MetaWord.hiddenWithoutVersions(meta) - MetaWord.ACQUIRE_ONE;
      // [hide] hides the entry from every later pin; [last-use] as in release.
      if (store.compareAndSetMeta(slot, meta, next)) {
        return last;
      }
    }
  }
}
