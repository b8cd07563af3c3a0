/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import io.hyperclock.SlotStorage;
import io.hyperclock.internal.slot.AddressSlotStore;
import io.hyperclock.internal.slot.AllMemory;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.OffHeapSlotStore;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.stats.SlotAccess;
import java.util.function.IntFunction;

/** Which class keeps the words of a cache's slots. */
public final class SlotStores {
  private SlotStores() {}

  /** How this JVM reaches the slots of a cache with this setting. */
  public static SlotAccess access(SlotStorage storage) {
    if (storage == SlotStorage.HEAP) {
      return SlotAccess.ARRAY;
    }
    return AllMemory.isUsable() ? SlotAccess.ADDRESS : SlotAccess.BUFFER;
  }

  /** Makes stores. Loads the class of one kind only: with one, calls need no class check. */
  public static IntFunction<SlotStore> of(SlotStorage storage) {
    return switch (access(storage)) {
      case ARRAY -> HeapSlotStore::new;
      case BUFFER -> OffHeapSlotStore::new;
      case ADDRESS -> AddressSlotStore::new;
    };
  }
}
