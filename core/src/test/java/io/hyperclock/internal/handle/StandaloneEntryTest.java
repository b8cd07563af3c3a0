/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.entry.EntryType;
import io.hyperclock.internal.capacity.CapacityEnforcer;
import io.hyperclock.internal.capacity.CapacityLedger;
import io.hyperclock.internal.capacity.ValueRelease;
import io.hyperclock.internal.drops.DroppedFiles;
import io.hyperclock.internal.errors.Figure;
import io.hyperclock.internal.observe.IncidentLog;
import io.hyperclock.internal.observe.ObserverNotifier;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Entries outside of a table, without a cache around them, and what changes their charge. */
class StandaloneEntryTest {
  private static final long CAPACITY = 1000;

  private final List<String> disposed = new ArrayList<>();
  private final EntryType<String> type =
      EntryType.<String>named("alone").disposer((hi, lo, value) -> disposed.add(value)).build();
  private final TypeRegistry types = withAnotherType();
  private final long cold = ChargeWord.of(types.idOf(type), 5);
  private final CapacityLedger ledger = new CapacityLedger(CAPACITY, true, 0);
  private final CapacityEnforcer enforcer = ofEmptyTable();
  private final IncidentLog doubleCloses = new IncidentLog("closed twice on purpose");
  private final HandleSupport shard = shard(() -> enforcer, null);

  /** The type of the tests is not the first one, so that its number tells it. */
  private static TypeRegistry withAnotherType() {
    TypeRegistry types = new TypeRegistry();
    types.idOf(EntryType.of("first"));
    return types;
  }

  private HandleSupport shard(
      Supplier<CapacityEnforcer> enforcer, @Nullable HandleTracker tracker) {
    UserCallbacks callbacks =
        new UserCallbacks(types, new StatsRecorder(types), new DroppedFiles(), null);
    return new HandleSupport(types, callbacks, ledger, enforcer, doubleCloses, tracker);
  }

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

  @Test
  void aHandleThatCannotBeTrackedLeavesNoChargeAndNoReference() {
    ObserverNotifier.Settings settings =
        new ObserverNotifier.Settings(null, LeakDetection.all(), Duration.ofDays(1));
    AtomicBoolean throwing = new AtomicBoolean();
    HandleTracker tracker =
        new HandleTracker(
            settings,
            new ObserverNotifier(settings, new IncidentLog("failed")),
            doubleCloses,
            () -> {
              if (throwing.get()) {
                throw new IllegalStateException("clock");
              }
              return 0;
            });
    HandleSupport tracking = shard(() -> enforcer, tracker);
    throwing.set(true);
    ledger.addUsage(5);
    assertThatThrownBy(() -> StandaloneEntry.create(tracking, 1, 2, "value", cold))
        .hasMessage("clock");
    assertThat(ledger.usage()).isZero();
    assertThat(ledger.standaloneUsage()).isZero();
    throwing.set(false);
    ledger.addUsage(5);
    Handle<String> handle = StandaloneEntry.create(tracking, 1, 2, "value", cold);
    assertThat(handle.isStandalone()).isTrue();
    try (Handle<String> another = handle.ref()) {
      assertThat(another).isInstanceOf(TrackedHandle.class);
    }
    throwing.set(true);
    assertThatThrownBy(handle::ref).hasMessage("clock");
    assertThat(handle.discard()).isTrue();
    assertThat(ledger.usage()).isZero();
  }

  /** The entries went to another table while room was made in this one, where there is none. */
  @Test
  void roomThatCouldNotBeMadeInATableThatWasLeftIsMadeInTheNext() {
    AtomicInteger asked = new AtomicInteger();
    CapacityEnforcer next = ofEmptyTable();
    HandleSupport moving =
        shard(
            () -> {
              if (asked.incrementAndGet() == 1) {
                return enforcer;
              }
              ledger.addUsage(ledger.usage() > CAPACITY ? -CAPACITY : 0);
              return next;
            },
            null);
    AtomicLong word = new AtomicLong(cold);
    ledger.addUsage(CAPACITY + 5);
    assertThat(moving.adjustCharge(word::get, word::compareAndSet, 9)).isTrue();
    assertThat(asked).hasValue(3);
    assertThat(ledger.usage()).isEqualTo(9);
    assertThat(word).hasValue(ChargeWord.withCharge(cold, 9));
  }
}
