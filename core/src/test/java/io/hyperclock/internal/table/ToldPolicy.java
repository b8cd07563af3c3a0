/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.table;

import io.hyperclock.entry.Priority;
import io.hyperclock.internal.policy.EvictableEntries;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.policy.Replacement;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows how much there is, and evicts the first entry that is not pinned. */
final class ToldPolicy implements Replacement {
  final List<String> told = new ArrayList<>();
  long entries;
  long bytes;
  boolean mayEvict = true;

  private void count(long sign, long cold) {
    entries += sign;
    bytes += sign * ChargeWord.chargeBytes(cold);
  }

  @Override
  public int inherited(int policy) {
    return policy + 1;
  }

  @Override
  public int newcomer(long hash, Priority priority, long chargeBytes) {
    return 0;
  }

  @Override
  public int worth(long meta, long cold) {
    return 0;
  }

  @Override
  public int countdown(Priority priority) {
    return 1;
  }

  @Override
  public void admitted(int slot, long cold, EvictionRequest request) {
    told.add("admitted");
    count(1, cold);
  }

  @Override
  public void moved(int slot, long cold, EvictionRequest request) {
    told.add("moved " + ChargeWord.chargeBytes(cold));
  }

  @Override
  public void left(long cold, @Nullable EvictionRequest request) {
    told.add(request == null ? "left" : "left for another");
    count(-1, cold);
  }

  @Override
  public void recharged(long coldBefore, long coldAfter) {
    told.add("recharged" + (coldBefore == coldAfter ? "" : " changed"));
  }

  @Override
  public void makeRoom(EvictableEntries residents, EvictionRequest request) {}

  @Override
  public boolean makeRoomIn(
      EvictableEntries residents, int first, int second, EvictionRequest request) {
    ClockTable table = (ClockTable) residents;
    for (int bucket : new int[] {first, second}) {
      for (int i = 0; mayEvict && i < SlotStore.BUCKET_SLOTS; i++) {
        int slot = bucket * SlotStore.BUCKET_SLOTS + i;
        long meta = table.store.metaAcquire(slot);
        if (MetaWord.isShareable(meta)
            && MetaWord.refcount(meta) == 0
            && table.slots.take(slot, meta)) {
          table.evict(slot, meta, request);
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public long searchedForDead() {
    return 0;
  }

  @Override
  public Replacement resized(SlotProtocol slots, int entries) {
    return this;
  }
}
