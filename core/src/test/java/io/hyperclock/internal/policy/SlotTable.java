/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** A table that is nothing but slots; tells which of them were evicted, in which order. */
public final class SlotTable implements EvictableEntries {
  public final CountingSlotStore store;
  public final SlotProtocol slots;
  public final List<Integer> evicted = new ArrayList<>();
  public final Set<Integer> dead = new HashSet<>();

  private Runnable before = () -> {};

  /** Called when a policy asks whether an entry is dead, and may change it. */
  public IntConsumer looked = slot -> {};

  public SlotTable(int count, int maxCountdown) {
    this.store = new CountingSlotStore(count, () -> before.run());
    this.slots = new SlotProtocol(store, maxCountdown);
  }

  /** Puts an entry into an empty slot whose charge is its slot and one. */
  public void fill(int slot, int countdown) {
    assertThat(slots.claim(slot)).isTrue();
    slots.fill(slot, 0, slot, "value", ChargeWord.of(0, slot + 1L));
    set(slot, MetaWord.visible(countdown, false, true, 0));
  }

  public void set(int slot, long meta) {
    store.words().compareAndSetMeta(slot, meta(slot), meta);
    assertThat(meta(slot)).isEqualTo(meta);
  }

  public long meta(int slot) {
    return store.words().metaAcquire(slot);
  }

  int countdown(int slot) {
    return MetaWord.releases(meta(slot));
  }

  /** What another thread does before the access of this number, counted from 1. */
  public void before(int access, Runnable step) {
    int[] accesses = {0};
    before =
        () -> {
          if (++accesses[0] == access) {
            step.run();
          }
        };
  }

  public void hold(int slot) {
    assertThat(slots.pinAny(slot)).isEqualTo(SlotProtocol.PINNED);
  }

  @Override
  public long hash(int slot) {
    return store.keyLoOpaque(slot);
  }

  @Override
  public boolean isDead(int slot) {
    looked.accept(slot);
    return dead.contains(slot);
  }

  @Override
  public long deaths() {
    return dead.size();
  }

  @Override
  public long evict(int slot, long meta, EvictionRequest request) {
    evicted.add(slot);
    slots.beginTearDown(slot);
    long cold = store.getAndSetCold(slot, ChargeWord.GONE);
    slots.finishTearDown(slot);
    return ChargeWord.chargeBytes(cold);
  }
}
