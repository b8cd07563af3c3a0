/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.EntryAttributes;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.slot.AddressSlotStore;
import io.hyperclock.internal.slot.AllMemory;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.OffHeapSlotStore;
import io.hyperclock.stats.SlotAccess;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** What tables are made of. */
class SettingsTest {
  @Test
  void automaticSizingIsChangedOneByOne() {
    Executor executor = Runnable::run;
    AutomaticSizing expecting = AutomaticSizing.DEFAULT.withInitialEntries(5);
    assertThat(expecting)
        .isEqualTo(
            new AutomaticSizing(
                5, null, EntryAttributes.UNKNOWN_CHARGE, ForkJoinPool.commonPool()));
    assertThat(expecting.withExecutor(executor))
        .isEqualTo(new AutomaticSizing(5, null, EntryAttributes.UNKNOWN_CHARGE, executor));
  }

  @Test
  void wordsAreReachedAsTheJvmAllows() {
    assertThat(SlotStores.access(SlotStorage.HEAP)).isEqualTo(SlotAccess.ARRAY);
    assertThat(SlotStores.of(SlotStorage.HEAP).apply(16)).isInstanceOf(HeapSlotStore.class);
    boolean byAddress = AllMemory.isUsable();
    assertThat(SlotStores.access(SlotStorage.OFF_HEAP))
        .isEqualTo(byAddress ? SlotAccess.ADDRESS : SlotAccess.BUFFER);
    assertThat(SlotStores.of(SlotStorage.OFF_HEAP).apply(16))
        .isInstanceOf(byAddress ? AddressSlotStore.class : OffHeapSlotStore.class);
  }
}
