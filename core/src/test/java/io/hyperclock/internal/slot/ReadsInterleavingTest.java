/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Woven;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** [validate] A read without a pin finds the value of its key, whoever comes into the slot. */
@Woven("slot")
class ReadsInterleavingTest {
  private static final int PREEMPTIONS = 2;
  private static final int SLOT = 3;
  private static final long HASH = 0x1234_5678_9abc_def0L;
  private static final long VISIBLE = MetaWord.visible(3, false, true, 0);

  /** A slot whose tenant changes. */
  private static final class Tenants {
    final SlotStore store;
    final SlotProtocol slots;

    Tenants(IntFunction<SlotStore> stores) {
      store = stores.apply(SlotStore.BUCKET_SLOTS);
      slots = new SlotProtocol(store, 3);
      fill(1, "first");
    }

    void fill(long key, String value) {
      assertThat(slots.claim(SLOT)).isTrue();
      slots.fill(SLOT, key, key, value, ChargeWord.of(0, 1));
      TentativeInserts inserts = new TentativeInserts(slots);
      inserts.announce(SLOT, HASH);
      assertThat(inserts.publish(SLOT, VISIBLE)).isTrue();
    }

    void change() {
      long meta;
      do {
        meta = store.metaAcquire(SLOT);
      } while (!slots.take(SLOT, meta));
      slots.clearTag(SLOT, HASH);
      slots.beginTearDown(SLOT);
      slots.finishTearDown(SLOT);
      fill(2, "second");
    }

    void find() {
      long bits = MetaWord.READABLE;
      Object found = store.find(0, 0, Tags.pattern(HASH), 1, 1, bits, bits, MetaWord.hotFrom(3));
      assertThat(found).isIn("first", SlotStore.NOT_FOUND, null);
    }

    void read() {
      assertThat(store.read(SLOT, 1, 1, MetaWord.READABLE)).isIn("first", null);
    }

    void end() {
      assertThat(store.read(SLOT, 2, 2, MetaWord.READABLE)).isEqualTo("second");
    }
  }

  private static void explore(IntFunction<SlotStore> stores, Scenario.Part<Tenants> read) {
    new Scenario<>("tenants", () -> new Tenants(stores), Tenants::end, read, Tenants::change)
        .explore(PREEMPTIONS);
  }

  @Test
  void inTheHeap() {
    explore(HeapSlotStore::new, Tenants::find);
    explore(HeapSlotStore::new, Tenants::read);
  }

  @Test
  void offTheHeap() {
    explore(OffHeapSlotStore::new, Tenants::find);
    explore(OffHeapSlotStore::new, Tenants::read);
  }

  @Test
  @EnabledIf("io.hyperclock.internal.slot.AllMemory#isUsable")
  void atAddresses() {
    explore(AddressSlotStore::new, Tenants::find);
    explore(AddressSlotStore::new, Tenants::read);
  }
}
