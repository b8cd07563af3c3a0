/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.observe.RemovalCause;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotParts;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.TentativeInserts;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.PinnedReads;
import io.hyperclock.internal.table.TableView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table without the cache around it, where one slot can change its tenant in a few dozen
 * nanoseconds: races that need a whole eviction and insert between two loads show far more often.
 */
final class RawTable {
  private static final long HASH_OF_A = Keys.hash(Keys.A);

  /** The slot of the methods that name none. */
  private static final int SLOT = 0;

  private static final int MAX_COUNTDOWN = 3;

  private final boolean collected;
  private final SlotProtocol slots = new SlotProtocol(new HeapSlotStore(Keys.SLOTS), MAX_COUNTDOWN);
  private final TentativeInserts tentativeInserts = new TentativeInserts(slots);
  private final Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
  private final Callbacks callbacks = new Callbacks();
  private final ClockTable table =
      new ClockTable(
          Keys.BUCKETS,
          slots,
          new ValueRelease(new CapacityLedger(1, false, 0), callbacks, reclaimer),
          new ClassicClock(slots),
          callbacks,
          null,
          TableView.FIXED,
          null);
  private final PinnedReads pinnedReads = table.pinnedReadsOf(this, TableView.FIXED);

  /** Frees blocks; the collector's too, so that a reader can tell. */
  private static final class Callbacks extends SilentCallbacks {
    @Override
    public boolean isHeard(long cold) {
      return true;
    }

    @Override
    public boolean hasDisposer(long cold) {
      return true;
    }

    @Override
    public void end(long hi, long lo, Object value, long cold, RemovalCause ending) {
      ((StressBlock) Objects.requireNonNull(value)).dispose(lo);
    }
  }

  RawTable(boolean collected, StressBlock first) {
    this.collected = collected;
    insert(first);
  }

  private boolean insert(StressBlock block) {
    return insert(SLOT, block);
  }

  /**
   * Inserts where a slot is empty, whatever its tag: as if that had been looked at long ago.
   *
   * @param slot one of the buckets 0 and 1
   */
  boolean insert(int slot, StressBlock block) {
    if (!slots.claim(slot)) {
      return false;
    }
    slots.fill(slot, Keys.HI, block.key, block, 0);
    tentativeInserts.announce(slot, block.hash);
    return tentativeInserts.publish(slot, MetaWord.visible(1, false, collected, 0));
  }

  /** Takes the slot's entry as the clock hand does, unless it is pinned. */
  boolean evict() {
    return evict(SLOT);
  }

  boolean evict(int slot) {
    long meta = slots.store().metaAcquire(slot);
    if (!MetaWord.isShareable(meta) || MetaWord.refcount(meta) != 0 || !slots.take(slot, meta)) {
      return false;
    }
    long key = slots.store().keyLoOpaque(slot);
    slots.clearTag(slot, Keys.hash(key));
    slots.beginTearDown(slot);
    StressBlock block = (StressBlock) Objects.requireNonNull(slots.store().valueOpaque(slot));
    if (!collected) {
      block.dispose(key);
    }
    slots.finishTearDown(slot);
    return true;
  }

  /** Evicts if possible, and inserts where the slot is empty. */
  boolean replace(StressBlock next) {
    evict();
    return insert(next);
  }

  /** Pin-free read of key A. */
  @Nullable Object getA() {
    return table.unpinnedReads().read(Keys.HI, Keys.A, HASH_OF_A, MetaWord.READABLE, false);
  }

  /** Pin-free read. */
  @Nullable Object get(StressBlock block) {
    return table.unpinnedReads().read(Keys.HI, block.key, block.hash, MetaWord.READABLE, false);
  }

  /** Slots whose tag is not that of their entry, 0 if they are empty; for a quiet table. */
  int wrongTags() {
    int wrong = 0;
    for (int slot = 0; slot < Keys.SLOTS; slot++) {
      StressBlock block = (StressBlock) slots.store().valueOpaque(slot);
      boolean isRight =
          block == null
              ? SlotParts.hasNoTag(slots.store(), slot)
              : SlotParts.hasTag(slots.store(), slot, block.hash);
      wrong += isRight ? 0 : 1;
    }
    return wrong;
  }

  /**
   * Pins key A, checks the value and lets go.
   *
   * @return 0 for a miss, 1 for a hit, 2 for a hit on a wrong or freed value
   */
  int lookupA() {
    int found = pinnedReads.lookup(Keys.HI, Keys.A, HASH_OF_A);
    if (found == PinnedReads.ABSENT) {
      return 0;
    }
    int slot = found < 0 ? found - PinnedReads.BEING_EXCHANGED : found;
    StressBlock block = (StressBlock) slots.store().valueOpaque(slot);
    int outcome = block == null || block.isWrongFor(Keys.A) ? 2 : 1;
    table.release(slot, true);
    return outcome;
  }

  /** Takes the slot's entry as the hand does, and lets its value go as the table does. */
  void evictThroughTable() {
    long meta = slots.store().metaAcquire(SLOT);
    if (MetaWord.isShareable(meta) && MetaWord.refcount(meta) == 0 && slots.take(SLOT, meta)) {
      table.evict(SLOT, meta, new EvictionRequest(0));
    }
  }

  /** Evicts through the table if possible, and inserts where the slot is empty. */
  boolean replaceThroughTable(StressBlock next) {
    evictThroughTable();
    return insert(next);
  }

  /**
   * Reads key A in a scope, looks at the value twice and ends the scope.
   *
   * @return 0 for a miss, 1 for a hit, 2 for a hit on a wrong or freed value
   */
  int readAInScope() {
    int cell = reclaimer.enter();
    StressBlock block =
        (StressBlock)
            table.unpinnedReads().read(Keys.HI, Keys.A, HASH_OF_A, MetaWord.VISIBLE, true);
    int outcome = 0;
    if (block != null) {
      outcome = block.isWrongFor(Keys.A) ? 2 : 1;
      block.usedByFirst = 1;
      if (block.disposals() != 0) {
        outcome = 2;
      }
    }
    reclaimer.end(cell);
    reclaimer.ended(cell);
    return outcome;
  }

  /** Values that wait for scopes; 0 once all is quiet. */
  long waiting() {
    return reclaimer.retiredValues();
  }
}
