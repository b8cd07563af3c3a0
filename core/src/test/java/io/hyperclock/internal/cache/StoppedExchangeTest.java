/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.ValueSwap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What others see and do while the thread of an exchange is stopped inside. */
class StoppedExchangeTest {
  private static final EntryType<Object> TYPE = EntryType.of("stopped");
  private static final long HI = 3;
  private static final long LO = 7;
  private static final long CHARGE = 10;

  /** Where the thread is stopped. */
  enum Stop {
    BEFORE_THE_STORE,
    BEHIND_THE_STORE
  }

  private BlockCache<Object> cache = cache(LeakDetection.off());
  private int slot;
  private ValueSwap exchanges;
  private long entered;

  private static BlockCache<Object> cache(LeakDetection leaks) {
    return BlockCache.builder()
        .capacityBytes(1_000)
        .estimatedEntryCharge(CHARGE)
        .metadataCharge(MetadataCharge.NONE)
        .shards(1)
        .defaultType(TYPE)
        .leakDetection(leaks)
        .build();
  }

  private Shard shard() {
    return ((HyperClockCache<Object>) cache).shards.at(0);
  }

  @AfterEach
  void isWhole() {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
  }

  private void begin(Stop stop) {
    cache.put(HI, LO, "older", CHARGE);
    SlotStore store = shard().store;
    while (store.valueOpaque(slot) != "older") {
      slot++;
    }
    exchanges = new ValueSwap(shard().table.slots());
    entered = exchanges.enter(slot);
    assertThat(entered).isNotZero();
    if (stop == Stop.BEHIND_THE_STORE) {
      exchanges.setValue(slot, "newer");
    }
  }

  private static String seen(Stop stop) {
    return stop == Stop.BEHIND_THE_STORE ? "newer" : "older";
  }

  private void end() {
    exchanges.setValue(slot, "newer");
    assertThat(exchanges.leave(slot, entered, true)).isFalse();
  }

  private void isNewerAsPut() {
    assertThat(cache.peek(HI, LO)).isEqualTo("newer");
    assertThat(cache.monitor().usageBytes()).isEqualTo(CHARGE);
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    try (Handle<Object> handle = cache.lookup(HI, LO)) {
      assertThat(handle).isNotNull();
      assertThat(handle.value()).isEqualTo("newer");
      assertThat(handle.chargeBytes()).isEqualTo(CHARGE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void handleTellsOfTheValueItShows(Stop stop) {
    begin(stop);
    try (Handle<Object> handle = cache.lookup(HI, LO)) {
      end();
      assertThat(handle).isNotNull();
      assertThat(handle.value()).isEqualTo(seen(stop));
      assertThat(handle.keyHi()).isEqualTo(HI);
      assertThat(handle.keyLo()).isEqualTo(LO);
      assertThat(handle.type()).isSameAs(TYPE);
      assertThat(handle.chargeBytes()).isEqualTo(CHARGE);
      assertThat(handle.isStandalone()).isFalse();
      assertThat(HandleOwners.isOverwritten(handle)).isTrue();
      assertThat(cache.monitor().occupancy()).isOne();
      assertThat(cache.monitor().usageBytes()).isEqualTo(CHARGE);
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    }
    isNewerAsPut();
  }

  @ParameterizedTest
  @EnumSource
  void chargeOfTheNewerValueIsThatOfItsPut(Stop stop) {
    begin(stop);
    try (Handle<Object> handle = cache.lookup(HI, LO)) {
      assertThat(handle).isNotNull();
      assertThat(handle.adjustCharge(3 * CHARGE)).isTrue();
      end();
      assertThat(handle.chargeBytes()).isEqualTo(3 * CHARGE);
    }
    isNewerAsPut();
  }

  @ParameterizedTest
  @EnumSource
  void erasingReleaseOfWhatWasOverwrittenErasesNothingElse(Stop stop) {
    begin(stop);
    Handle<Object> handle = cache.lookup(HI, LO);
    assertThat(handle).isNotNull();
    Handle<Object> another = handle.ref();
    assertThat(handle.eraseIfLast()).isFalse();
    end();
    assertThat(another.value()).isEqualTo(seen(stop));
    assertThat(another.eraseIfLast()).isFalse();
    isNewerAsPut();
  }

  @ParameterizedTest
  @EnumSource
  void visitsTellOfOneValue(Stop stop) {
    begin(stop);
    List<Object> seen = new ArrayList<>();
    cache.monitor().forEachEntry((hi, lo, value, type, charge) -> seen.add(value + " " + charge));
    end();
    assertThat(seen).containsExactly(seen(stop) + " " + CHARGE);
    isNewerAsPut();
  }

  @ParameterizedTest
  @EnumSource
  void handleIsClosedOnceAlsoWhereItIsTracked(Stop stop) {
    cache.close();
    cache = cache(LeakDetection.all());
    begin(stop);
    Handle<Object> handle = cache.lookup(HI, LO);
    assertThat(handle).isNotNull();
    end();
    handle.close();
    assertThat(cache.monitor().stats().doubleCloses()).isZero();
    handle.close();
    assertThat(cache.monitor().stats().doubleCloses()).isEqualTo(1);
    isNewerAsPut();
  }

  /** The slot had another tenant by the time the thread came in, and will be left as it was. */
  @Test
  void handleOnAValueFreedExplicitlyKeepsIt() {
    List<Object> freed = new ArrayList<>();
    EntryType<Object> stamped =
        EntryType.named("stamped").disposer((hi, lo, value) -> freed.add(value)).stamped().build();
    cache.insert(HI, LO, "stamped", stamped, CHARGE, Priority.LOW);
    SlotStore store = shard().store;
    while (store.valueOpaque(slot) != "stamped") {
      slot++;
    }
    exchanges = new ValueSwap(shard().table.slots());
    entered = exchanges.enter(slot);
    assertThat(entered).isNotZero();
    Handle<Object> handle = cache.lookup(HI, LO);
    assertThat(exchanges.leave(slot, entered, false)).isFalse();
    assertThat(handle).isNotNull();
    assertThat(handle.value()).isEqualTo("stamped");
    assertThat(cache.monitor().pinnedUsageBytes()).isEqualTo(CHARGE);
    cache.erase(HI, LO);
    assertThat(freed).isEmpty();
    handle.close();
    assertThat(freed).containsExactly("stamped");
    assertThat(cache.monitor().usageBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void keyMayBeErasedAndPutAgainMeanwhile(Stop stop) {
    begin(stop);
    try (Handle<Object> handle = cache.lookup(HI, LO)) {
      assertThat(handle).isNotNull();
      assertThat(cache.erase(HI, LO)).isTrue();
      assertThat(handle.value()).isEqualTo(seen(stop));
    }
    assertThat(shard().table.slots().ref(slot)).isTrue();
    end();
    shard().table.release(slot, false);
    assertThat(cache.peek(HI, LO)).isNull();
    assertThat(cache.monitor().usageBytes()).isZero();
  }
}
