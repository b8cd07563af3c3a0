/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;
import io.hyperclock.versioned.PrepareMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/**
 * What a read does to slots with two versions and without: the same, slot for slot and store for
 * store, whether no key or every second one is prepared. A plain table has the same keys in the
 * same slots.
 */
class VersionedSlotAccessesTest {
  private static final int KEYS = 10_000;
  private static final int LOW_COUNTDOWN = 2;
  private static final long SEED = 7;

  private CountingSlotStore versionedStore;
  private final DefaultVersionedCache<Object> versioned = versioned();
  private final CountingSlotStore plainStore = new CountingSlotStore(versionedStore.slots());
  private final Buckets buckets = new Buckets(plainStore.slots() / SlotStore.BUCKET_SLOTS, SEED);
  private final ClockTable plain = plain();

  private DefaultVersionedCache<Object> versioned() {
    return new DefaultVersionedCache<>(
        new VersionedConfig(
            KEYS * 100,
            100,
            CapacityMode.NON_STRICT,
            1,
            MetadataCharge.NONE,
            SlotStorage.HEAP,
            ReplacementPolicy.CLASSIC,
            HashSeed.fixed(SEED),
            1,
            Duration.ofDays(1),
            System::nanoTime,
            1,
            (hi, lo) -> 0),
        slots -> versionedStore = new CountingSlotStore(slots));
  }

  private ClockTable plain() {
    SlotProtocol slots = new SlotProtocol(plainStore, ClassicClock.MAX_COUNTDOWN);
    SilentCallbacks callbacks = new SilentCallbacks();
    Reclaimer reclaimer = new Reclaimer(new ReadEpochs(1), () -> {});
    CapacityLedger ledger = new CapacityLedger(1, false, 0);
    return new ClockTable(
        buckets,
        slots,
        new ValueRelease(ledger, callbacks, reclaimer),
        new ClassicClock(slots),
        callbacks,
        null,
        TableView.FIXED,
        null);
  }

  private void fill() {
    long meta = MetaWord.visible(LOW_COUNTDOWN, false, true, 0);
    for (long key = 0; key < KEYS; key++) {
      versioned.put(0, key, "value", 1);
      plain
          .insertion()
          .insert(0, key, buckets.hash(0, key), "value", 1, meta, 0, new EvictionRequest(1));
    }
  }

  /** Slots and stores of each read of keys that are there, and of as many that are not. */
  private static List<Long> costs(CountingSlotStore store, LongConsumer read) {
    List<Long> costs = new ArrayList<>();
    for (long key = 0; key < 2 * KEYS; key++) {
      store.reset();
      read.accept(key);
      costs.add((long) store.slotsTouched() << 32 | store.stores() << 16 | store.atomics());
    }
    return costs;
  }

  @Test
  void readsTouchTheSameSlots() {
    fill();
    assertSameCosts();
    for (long key = 0; key < KEYS; key += 2) {
      versioned.prepare(0, key, "prepared", 1, PrepareMode.PLAIN).orThrow();
    }
    assertSameCosts();
  }

  private void assertSameCosts() {
    List<Long> with = costs(versionedStore, key -> versioned.get(0, key));
    List<Long> without =
        costs(
            plainStore,
            key ->
                plain.unpinnedReads().read(0, key, buckets.hash(0, key), MetaWord.READABLE, true));
    assertThat(with).isEqualTo(without);
  }

  @Test
  void writesTouchOneSlotAndWhatHasItsTag() {
    fill();
    long slots = 0;
    for (long key = 0; key < KEYS; key++) {
      versionedStore.reset();
      versioned.put(0, key, "newer", 1);
      slots += versionedStore.slotsTouched();
    }
    assertThat(slots / (double) KEYS).isBetween(1.0, 1.1);
  }
}
