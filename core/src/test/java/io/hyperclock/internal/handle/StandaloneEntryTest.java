/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.SilentCallbacks;
import io.hyperclock.internal.observe.StatsRecorder;
import io.hyperclock.internal.observe.TypeRegistry;
import io.hyperclock.internal.observe.UserCallbacks;
import io.hyperclock.internal.policy.ClassicClock;
import io.hyperclock.internal.scope.ReadEpochs;
import io.hyperclock.internal.scope.Reclaimer;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.HeapSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.internal.slot.SlotProtocol;
import io.hyperclock.internal.table.Buckets;
import io.hyperclock.internal.table.ClockTable;
import io.hyperclock.internal.table.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Entries outside of a table, without a cache around them, and what changes their charge. */
class StandaloneEntryTest {
  private static final long CAPACITY = 1000;

  private final List<String> disposed = new ArrayList<>();
  private final EntryType<String> type =
      EntryType.<String>named("alone").disposer((hi, lo, value) -> disposed.add(value)).build();
  private final TypeRegistry types = new TypeRegistry();
  private final long cold = ChargeWord.of(types.idOf(type), 5);
  private final CapacityLedger ledger = new CapacityLedger(CAPACITY, true, 0);
  private final CapacityEnforcer enforcer = ofEmptyTable();
  private final IncidentLog doubleCloses = new IncidentLog("closed twice on purpose");
  private final HandleSupport shard =
      new HandleSupport(
          types,
          new UserCallbacks(types, new StatsRecorder(types), new DroppedFiles(), null),
          ledger,
          () -> enforcer,
          doubleCloses,
          null);

  /** Makes the room of a table without entries. */
  private CapacityEnforcer ofEmptyTable() {
    Buckets buckets = new Buckets(4, 7);
    SlotProtocol slots = new SlotProtocol(new HeapSlotStore(8 * buckets.count()), 1);
    SilentCallbacks callbacks = new SilentCallbacks();
    ValueRelease release =
        new ValueRelease(ledger, callbacks, new Reclaimer(new ReadEpochs(1), () -> {}));
    ClassicClock clock = new ClassicClock(slots);
    ClockTable table =
        new ClockTable(buckets, slots, release, clock, callbacks, null, TableView.FIXED, null);
    return new CapacityEnforcer(ledger, release, clock, table, slots, 8, 1, new Figure(), null);
  }

  @Test
  void anEntryHasAsManyReferencesAsASlotHasPins() {
    StandaloneEntry entry = new StandaloneEntry(shard, 1, 2, null, cold);
    for (int references = 1; references < MetaWord.MAX_PINS; references++) {
      entry.ref(0);
    }
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> entry.ref(0)).isInstanceOf(IllegalStateException.class);
    }
    entry.release(0, true, false);
    entry.ref(0);
    assertThatThrownBy(() -> entry.ref(0)).isInstanceOf(IllegalStateException.class);
  }

  /** The collector owns its value: nobody is charged for it, and nobody frees it. */
  @Test
  void whatWasOverwrittenIsNotChargedAndFreesNothing() {
    StandaloneEntry entry = new StandaloneEntry(shard, 1, 2, null, cold);
    assertThat(entry.isStandalone()).isFalse();
    assertThat(entry.keyHi(0)).isEqualTo(1);
    assertThat(entry.keyLo(0)).isEqualTo(2);
    assertThat(entry.type(0)).isSameAs(type);
    assertThat(entry.chargeBytes(0)).isEqualTo(5);
    assertThat(entry.adjustCharge(0, 2 * CAPACITY)).isTrue();
    assertThat(entry.chargeBytes(0)).isEqualTo(2 * CAPACITY);
    assertThat(entry.type(0)).isSameAs(type);
    assertThatThrownBy(() -> entry.adjustCharge(0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("chargeBytes=-1");
    assertThat(entry.chargeBytes(0)).isEqualTo(2 * CAPACITY);
    entry.ref(0);
    assertThat(entry.release(0, true, true)).isFalse();
    assertThat(entry.release(0, true, true)).isFalse();
    assertThat(disposed).isEmpty();
    assertThat(ledger.usage()).isZero();
    assertThat(ledger.standaloneUsage()).isZero();
  }

  @Test
  void anEntryIsOnBothSumsUntilItsLastRelease() {
    ledger.addUsage(5);
    Handle<String> handle = StandaloneEntry.create(shard, 1, 2, "value", cold);
    assertThat(handle.isStandalone()).isTrue();
    assertThat(handle).hasToString("Handle[" + type + ", key=1:2]");
    assertThat(ledger.standaloneUsage()).isEqualTo(5);
    Handle<String> another = handle.ref();
    assertThat(handle.adjustCharge(9)).isTrue();
    assertThat(another.chargeBytes()).isEqualTo(9);
    assertThat(ledger.usage()).isEqualTo(9);
    assertThat(ledger.standaloneUsage()).isEqualTo(9);
    assertThat(another.adjustCharge(3)).isTrue();
    assertThat(ledger.usage()).isEqualTo(3);
    assertThat(ledger.standaloneUsage()).isEqualTo(3);
    assertThat(another.adjustCharge(CAPACITY + 1)).isFalse();
    assertThat(another.adjustCharge(CAPACITY)).isTrue();
    assertThat(handle.discard()).isFalse();
    assertThat(disposed).isEmpty();
    assertThat(another.discard()).isTrue();
    assertThat(disposed).containsExactly("value");
    assertThat(ledger.usage()).isZero();
    assertThat(ledger.standaloneUsage()).isZero();
    assertThat(another.discard()).isFalse();
    assertThat(doubleCloses.count()).isEqualTo(1);
    assertThat(another).hasToString("Handle[released]");
  }

  /** Adds no more to the sums than what the exchange that succeeded changed. */
  private void adjustWhileAnotherThread(long otherCharge, long newCharge) {
    AtomicLong word = new AtomicLong(cold);
    boolean adjusted =
        shard.adjustCharge(
            word::get,
            (expected, changed) -> {
              if (expected == cold) {
                word.set(ChargeWord.withCharge(cold, otherCharge));
              }
              return word.compareAndSet(expected, changed);
            },
            newCharge);
    assertThat(adjusted).isTrue();
    assertThat(word).hasValue(ChargeWord.withCharge(cold, newCharge));
    assertThat(ledger.usage())
        .as("without what the other added")
        .isEqualTo(newCharge - otherCharge);
  }

  @Test
  void aChargeThatRisesWhileAnotherThreadChangesItIsExact() {
    adjustWhileAnotherThread(20, 100);
  }

  @Test
  void aChargeThatFallsWhileAnotherThreadChangesItIsExact() {
    adjustWhileAnotherThread(20, 1);
  }
}
