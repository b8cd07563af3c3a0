/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.BlockCache;
import io.hyperclock.interleaving.Schedules.Chooser;
import io.hyperclock.interleaving.SwitchPoints;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Who goes on until when, by what is in the slots of a cache; for woven code. */
final class WriterScript implements Chooser {
  /** What one thread does before the next goes on. */
  private record Leg(int thread, BooleanSupplier isDone) {}

  private final SlotStore store;
  private final List<Leg> legs = new ArrayList<>();
  private int leg;

  /** For a cache. */
  WriterScript(BlockCache<Object> cache) {
    this.store = ((HyperClockCache<Object>) cache).shards.at(0).store;
  }

  /** A thread makes so many accesses, or goes on to its end if nothing comes behind. */
  WriterScript steps(int thread, int count) {
    int[] left = {count};
    legs.add(new Leg(thread, () -> --left[0] < 0));
    return this;
  }

  /** A thread goes on until an entry with a value is visible. */
  WriterScript untilVisible(int thread, Object value) {
    legs.add(new Leg(thread, () -> isVisible(value)));
    return this;
  }

  /** A thread goes on until no entry with a value is visible. */
  WriterScript untilHidden(int thread, Object value) {
    legs.add(new Leg(thread, () -> !isVisible(value)));
    return this;
  }

  private boolean isVisible(Object value) {
    return IntStream.range(0, store.slots())
        .anyMatch(
            slot ->
                store.valueOpaque(slot) == value && MetaWord.isVisible(store.metaAcquire(slot)));
  }

  @Override
  public int choose(int decision) {
    while (leg < legs.size() - 1 && SwitchPoints.unseen(legs.get(leg).isDone())) {
      leg++;
    }
    return legs.get(leg).thread();
  }
}
