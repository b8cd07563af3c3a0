/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.errors.StackReserve;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.Prefetch;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The way of all entries of one table to the next, a block of slots at a time, by the threads that
 * write. None waits for another.
 *
 * <p>An entry is moved as if it were overwritten by its own value: the mover claims a slot of the
 * next table, pins the entry, announces it there, publishes it as superseding unless another writer
 * of the key has come between, forwards the old slot, and hides it. Two things differ from an
 * overwrite. The value has two slots for a moment, of which the one that is not forwarded frees it.
 * And the holders of the old slot stay there: as long as there are any, that slot holds a pin of
 * the new one, which ends with the last of them. So pins hold no migration up. See [move] and
 * [forward] in {@code core/docs/memory-ordering.md}.
 *
 * <p>The table is <em>drained</em> when one pass over its slots has found in each that nothing is
 * visible, and that nothing was announced or is invalidated. What could not be moved, because a
 * writer was inside or every place was held, is left to the next pass.
 */
public final class Migration {
  /** Slots of a block. */
  public static final int BLOCK = 16;

  private final ClockTable from;
  private final ClockTable to;
  private final SlotStore store;
  private final Replacement replacement;
  private final int blocks;
  private final Pass first = new Pass();
  private final AtomicReference<Pass> pass = new AtomicReference<>(first);
  private final Figure moved = new Figure();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean holdsSome;

  /** Whether nothing is visible in the old table, and nothing will be. */
  volatile boolean drained;

  /** One round over all slots. */
  private static final class Pass {
    final AtomicInteger next = new AtomicInteger();
    final AtomicInteger done = new AtomicInteger();
    volatile boolean leavesSome;
  }

  /** From a table that was left for the other. */
  public Migration(ClockTable from, ClockTable to) {
    this.from = from;
    this.to = to;
    this.store = from.store;
    this.replacement = to.replacement;
    this.blocks = (store.slots() + BLOCK - 1) / BLOCK;
  }

  /** Whether the caller is the one to end it. */
  public boolean end() {
    // Says whose turn it is, and publishes nothing.
    return ended.compareAndSet(false, true);
  }

  /** The caller of {@link #end} could not: another thread is to end it. */
  public void endLater() {
    ended.set(false);
  }

  /** Whether an entry was held in the old table when it was looked at. */
  public boolean holdsSome() {
    return holdsSome;
  }

  /** Entries moved so far. */
  public long moved() {
    return moved.sum();
  }

  /** Share of the old table that is still to be looked at for the first time, in 64ths. */
  public int left() {
    long next = Math.min(blocks, first.next.get());
    return (int) (64 - 64 * next / blocks);
  }

  /**
   * Moves the entries of some blocks.
   *
   * @param most blocks
   * @param mostEntries entries from which on no other block is begun
   * @param request takes what is evicted for them
   * @return whether the old table is drained
   */
  public boolean help(int most, int mostEntries, EvictionRequest request) {
    int visited = 0;
    for (int i = 0; i < most && visited < mostEntries && !drained; i++) {
      try {
        StackReserve.require();
      } catch (StackOverflowError e) {
        return drained;
      }
      Pass present = pass.get();
      int block = present.next.getAndIncrement();
      if (block < blocks) {
        visited += moveBlock(present, block, request);
      } else if (block >= 2 * blocks) {
        // A thread has stopped inside a block: others look at all blocks again.
        pass.compareAndSet(present, new Pass());
      }
    }
    return drained;
  }

  /** Returns how many entries there were. */
  private int moveBlock(Pass present, int block, EvictionRequest request) {
    int begin = block * BLOCK;
    int end = Math.min(store.slots(), begin + BLOCK);
    boolean settled = false;
    try {
      int visible = touch(begin, end);
      settled = settleBlock(begin, end, request);
      return visible;
    } finally {
      end(present, settled);
    }
  }

  private void end(Pass present, boolean settled) {
    if (!settled) {
      present.leavesSome = true;
    }
    if (present.done.incrementAndGet() == blocks) {
      // The last one to end sees what all others wrote before they counted.
      if (present.leavesSome) {
        pass.compareAndSet(present, new Pass());
      } else {
        drained = true;
      }
    }
  }

  private boolean settleBlock(int begin, int end, EvictionRequest request) {
    int firstBucket = begin / SlotStore.BUCKET_SLOTS;
    int lastBucket = (end - 1) / SlotStore.BUCKET_SLOTS;
    // [start] behind the look at the next table: what was announced before it left its tag here.
    Prefetch.use(from.tentativeInserts.candidates(firstBucket, lastBucket, 0));
    boolean settled = true;
    for (int slot = begin; slot < end; slot++) {
      settled &= settle(slot, request);
      if (!MetaWord.isEmpty(store.metaAcquire(slot))) {
        holdsSome = true;
      }
    }
    return settled;
  }

  /** Loads where the entries of a block will go to, all at the same time; how many there are. */
  private int touch(int begin, int end) {
    long sum = 0;
    int visible = 0;
    for (int slot = begin; slot < end; slot++) {
      if (MetaWord.isVisible(store.metaOpaque(slot))) {
        visible++;
        long hash = from.hash(slot);
        sum += to.insertion().touch(hash, isSecond(slot, hash));
      }
    }
    Prefetch.use(sum);
    return visible;
  }

  /** Whether a slot is one of the second bucket of the key that it holds. */
  private boolean isSecond(int slot, long hash) {
    return slot / SlotStore.BUCKET_SLOTS != from.buckets.first(hash);
  }

  /** Sees to it that nothing is visible in a slot, nor will be; whether it is so. */
  private boolean settle(int slot, EvictionRequest request) {
    while (MetaWord.isVisible(from.tentativeInserts.invalidate(slot))) {
      if (from.isDead(slot) && evictIfIdle(slot, request)) {
        continue;
      }
      // Before the pin: user code that runs for the eviction may let go of the entry for good.
      long hash = from.hash(slot);
      int own = to.insertion().claimForMoved(hash, isSecond(slot, hash), request);
      if (own >= 0) {
        if (!moveTo(own, slot, hash, request)) {
          return false;
        }
      } else if (!evictIfIdle(slot, request)) {
        return false;
      }
    }
    return true;
  }

  /** Moves an entry to a claimed slot; false if a writer is inside. No thread waits for that. */
  private boolean moveTo(int own, int slot, long hash, EvictionRequest request) {
    // [start] what is pinned is what was seen: no other entry becomes visible here.
    int outcome = from.slots.pinAny(slot);
    boolean isPinned = outcome == SlotProtocol.PINNED;
    if (isPinned && from.exchanges.awaitBriefly(slot)) {
      move(slot, own, hash, request);
      return true;
    }
    to.slots.abandon(own);
    if (isPinned) {
      from.release(slot, false);
    } else {
      from.freeIfOwned(outcome, slot);
    }
    return !isPinned;
  }

  /** Frees an entry for which there is no place; whether it was. */
  private boolean evictIfIdle(int slot, EvictionRequest request) {
    long meta = store.metaAcquire(slot);
    if (!MetaWord.isShareable(meta)
        || MetaWord.refcount(meta) != 0
        || !from.slots().take(slot, meta)) {
      return false;
    }
    from.evict(slot, meta, request);
    return true;
  }

  /** Moves a pinned entry, or sees that it need not be moved; ends the pin in both cases. */
  private void move(int slot, int own, long hash, EvictionRequest request) {
    long hi = store.keyHiOpaque(slot);
    long lo = store.keyLoOpaque(slot);
    // [exchange] no writer exchanges it while it is pinned.
    Object value = Objects.requireNonNull(store.valueAcquire(slot));
    long cold = store.coldAcquire(slot);
    long unsettled = ChargeWord.unsettled(cold);
    to.slots.fill(own, hi, lo, value, unsettled);
    to.tentativeInserts.announce(own, hash);
    while (isCurrent(slot, hi, lo, hash, own, unsettled)) {
      long meta = store.metaAcquire(slot);
      int policy = replacement.inherited(MetaWord.policy(meta));
      long visible = MetaWord.moved(meta, policy, to.slots.maxCountdown());
      if (to.tentativeInserts.publish(own, visible)) {
        forward(slot, own);
        int outcome = from.slots.supersedeAndRelease(slot);
        to.slots.endSuperseding(own);
        moved.increment();
        replacement.moved(own, cold, request);
        to.release(own, false);
        from.freeIfOwned(outcome, slot);
        return;
      }
      to.tentativeInserts.announceAgain(own);
    }
    to.withdraw(own, hash, unsettled);
    from.release(slot, false);
  }

  /** Forwards an entry that has moved, and brings its charge to where it is by now. */
  private void forward(int slot, int own) {
    // [move] from here on the value is the new slot's; before this thread lets go of the old one.
    // [sum] no change of the charge is lost.
    long cold = store.coldAcquire(slot);
    while (!store.compareAndSetCold(slot, cold, ChargeWord.forwarded(cold, own))) {
      cold = store.coldAcquire(slot);
    }
    if (!ChargeWord.isUnsettled(cold)) {
      to.deliver(own, cold);
    }
  }

  /** Whether a pinned entry is that of its key, as seen behind the announcement in the next. */
  private boolean isCurrent(int slot, long hi, long lo, long hash, int own, long cold) {
    // [start] the next table may have been left itself: others have moved the entry long ago.
    if (to.next() != null) {
      return false;
    }
    try {
      int place = to.pendingWrites.findCurrent(hi, lo, hash, own, from);
      return place == (slot | PendingWrites.BEFORE);
    } catch (Throwable e) {
      to.withdraw(own, hash, cold);
      from.release(slot, false);
      throw e;
    }
  }
}
