/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityExceededException;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.InsertResult;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.CountingSlotStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an insert looks at where reservations or pins leave no room. These numbers do not depend on
 * the machine.
 */
class HopelessInsertsTest {
  private static final int ENTRIES = 30_000;
  private static final int EFFORT_CAP = 30;
  private static final long HI = 1;
  private static final EntryType<Object> TYPE = EntryType.of("value");

  /** Slots that one insert may look at: a short sweep, and what it needs for itself. */
  private static final int SHORT = 1024 + 64;

  private CountingSlotStore store;
  private BlockCache<Object> cache;
  private final List<Handle<Object>> pins = new ArrayList<>();
  private long next;

  static Stream<Arguments> settings() {
    return Stream.of(CapacityMode.values())
        .flatMap(
            mode ->
                Stream.of(ReplacementPolicy.values()).map(policy -> Arguments.of(mode, policy)));
  }

  private void open(CapacityMode mode, ReplacementPolicy policy) {
    cache =
        new HyperClockCache<>(
            new CacheConfig<>(
                ENTRIES,
                1,
                mode,
                1,
                EFFORT_CAP,
                MetadataCharge.NONE,
                SlotStorage.HEAP,
                policy,
                HashSeed.fixed(7),
                false,
                TYPE,
                null,
                new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ZERO),
                AutomaticSizing.DEFAULT),
            slots -> store = new CountingSlotStore(slots));
  }

  @AfterEach
  void theCacheIsWhole() {
    pins.forEach(Handle::close);
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    assertThat(cache.monitor().pinnedUsageBytes()).isZero();
    cache.close();
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
  }

  private InsertResult insert(long charge) {
    store.reset();
    return cache.insert(HI, next++, "value", charge);
  }

  private void fill() {
    while (cache.monitor().usageBytes() < ENTRIES) {
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    }
  }

  private void fillPinned(int entries, long charge) {
    for (int i = 0; i < entries; i++) {
      pins.add(cache.insertPinned(HI, next++, "pinned", TYPE, charge, Priority.LOW));
    }
    assertThat(cache.monitor().usageBytes()).isEqualTo(entries * charge);
  }

  private Handle<Object> reserve(long bytes) {
    Handle<Object> handle = cache.createStandalone(HI, -1, "reserved", TYPE, bytes, false);
    assertThat(handle).isNotNull();
    return handle;
  }

  private boolean isStrict() {
    return cache.monitor().capacityMode() == CapacityMode.STRICT;
  }

  @ParameterizedTest
  @MethodSource("settings")
  void reservationsLeaveNoRoom(CapacityMode mode, ReplacementPolicy policy) {
    open(mode, policy);
    fill();
    Handle<Object> reserved = reserve(ENTRIES);
    for (int i = 0; i < 5000; i++) {
      InsertResult result = insert(1);
      assertThat(result).isEqualTo(isStrict() ? InsertResult.REFUSED : InsertResult.INSERTED);
      assertThat(store.slotsTouched()).isLessThanOrEqualTo(isStrict() ? 16 : SHORT);
      assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(isStrict() ? 0 : ENTRIES / 64);
    }
    reserved.close();
    for (int i = 0; i < 1000; i++) {
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void reservationsLeaveTooLittleForALargeInsert(CapacityMode mode, ReplacementPolicy policy) {
    open(mode, policy);
    fill();
    Handle<Object> reserved = reserve(ENTRIES - 100);
    long left = cache.monitor().occupancy();
    for (int i = 0; i < 1000; i++) {
      InsertResult result = insert(200);
      assertThat(result).isEqualTo(isStrict() ? InsertResult.REFUSED : InsertResult.INSERTED);
      assertThat(store.slotsTouched()).isLessThanOrEqualTo(SHORT);
    }
    if (isStrict()) {
      // Nothing was evicted in vain.
      assertThat(cache.monitor().occupancy()).isEqualTo(left);
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    }
    reserved.close();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void aReservationOverTheCapacityEvictsWhatIsThere(CapacityMode mode, ReplacementPolicy policy) {
    open(mode, policy);
    fill();
    Handle<Object> most = reserve(ENTRIES / 2);
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES);
    long left = cache.monitor().occupancy();
    Handle<Object> more = cache.createStandalone(HI, -1, "reserved", TYPE, ENTRIES * 3L / 4, false);
    if (isStrict()) {
      assertThat(more).isNull();
      assertThat(cache.monitor().occupancy()).isEqualTo(left);
    } else {
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES * 5L / 4 + ENTRIES / 64);
      more.close();
    }
    most.close();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void pinsLeaveNoRoom(CapacityMode mode, ReplacementPolicy policy) {
    open(mode, policy);
    fillPinned(ENTRIES, 1);
    // The first one may look at everything.
    insert(1);
    int dropped = 0;
    for (int i = 0; i < 5000; i++) {
      InsertResult result = insert(1);
      if (isStrict()) {
        assertThat(result).isEqualTo(InsertResult.REFUSED);
      } else if (result == InsertResult.DROPPED) {
        dropped++;
      } else {
        assertThat(result).isEqualTo(InsertResult.INSERTED);
      }
      assertThat(store.slotsTouched()).isLessThanOrEqualTo(SHORT);
    }
    // Where both buckets of a key are full of held entries.
    assertThat(dropped).isLessThan(200);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void anEntryWhosePinHasEndedIsFoundWithinATurn(ReplacementPolicy policy) {
    open(CapacityMode.STRICT, policy);
    fillPinned(ENTRIES, 1);
    assertThat(insert(1)).isEqualTo(InsertResult.REFUSED);
    long turn = cache.monitor().slots() / 1024 + 1;
    for (int i = 0; i < 20; i++) {
      pins.remove((i * 7919 + 13) % pins.size()).close();
      int refused = 0;
      while (insert(1) == InsertResult.REFUSED) {
        assertThat(store.slotsTouched()).isLessThanOrEqualTo(SHORT);
        refused++;
      }
      assertThat(refused).isLessThanOrEqualTo((int) turn);
      pins.add(cache.lookup(HI, next - 1));
    }
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void whatTheLedgerShowsIsUsedAtOnce(ReplacementPolicy policy) {
    open(CapacityMode.STRICT, policy);
    fillPinned(ENTRIES - 1000, 1);
    Handle<Object> reserved = reserve(1000);
    assertThat(insert(1)).isEqualTo(InsertResult.REFUSED);
    assertThat(insert(1)).isEqualTo(InsertResult.REFUSED);
    // A reservation ends: the room is there, and what takes it can be evicted again.
    reserved.close();
    for (int i = 0; i < 3000; i++) {
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    }
    // A pinned entry is erased by its last release.
    reserved = reserve(1000);
    assertThat(insert(1)).isEqualTo(InsertResult.REFUSED);
    pins.remove(0).eraseIfLast();
    assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    // The capacity grows.
    cache.setCapacityBytes(ENTRIES + 10);
    for (int i = 0; i < 30; i++) {
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    }
    cache.setCapacityBytes(ENTRIES);
    reserved.close();
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void whenAllPinsHaveEndedThePolicyChoosesAgain(ReplacementPolicy policy) {
    open(CapacityMode.STRICT, policy);
    fillPinned(ENTRIES, 1);
    assertThat(insert(1)).isEqualTo(InsertResult.REFUSED);
    pins.forEach(Handle::close);
    pins.clear();
    assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    // Hot entries, wherever they are, outlive the inserts that follow.
    for (int round = 0; round < 3; round++) {
      for (long lo = 0; lo < 1000; lo++) {
        cache.get(HI, lo);
      }
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
    }
    int hot = 0;
    for (long lo = 0; lo < 1000; lo++) {
      hot += cache.peek(HI, lo) == null ? 0 : 1;
    }
    assertThat(hot).isGreaterThan(950);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void fewLargePinnedEntriesInALargeTable(ReplacementPolicy policy) {
    open(CapacityMode.NON_STRICT, policy);
    fillPinned(10, ENTRIES / 10);
    long looked = 0;
    int inserts = 5000;
    insert(1);
    insert(1);
    for (int i = 0; i < inserts; i++) {
      assertThat(insert(1)).isEqualTo(InsertResult.INSERTED);
      looked += store.slotsTouched();
    }
    assertThat(looked / inserts).isLessThanOrEqualTo(SHORT);
    assertThat(cache.monitor().occupancy()).isLessThanOrEqualTo(ENTRIES / 64);
  }

  /** They are so far apart that short sweeps meet fewer than come. */
  @ParameterizedTest
  @CsvSource({"CLASSIC, 0", "CLASSIC, 5", "ADAPTIVE, 0", "ADAPTIVE, 5"})
  void whatFewLargePinnedEntriesPushedAboveTheCapacityLeaves(ReplacementPolicy policy, int held) {
    open(CapacityMode.NON_STRICT, policy);
    fillPinned(10, ENTRIES / 10);
    for (int i = 0; i < 200; i++) {
      assertThat(insert(ENTRIES / 10)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().usageBytes()).isGreaterThan(ENTRIES);
    while (pins.size() > held) {
      pins.remove(held).close();
    }
    for (int i = 0; i < 300; i++) {
      assertThat(insert(ENTRIES / 10)).isEqualTo(InsertResult.INSERTED);
    }
    assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(ENTRIES);
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void everySlotIsTakenByAPinnedEntry(ReplacementPolicy policy) {
    open(CapacityMode.STRICT, policy);
    cache.setCapacityBytes(10L * ENTRIES);
    while (true) {
      try {
        pins.add(cache.insertPinned(HI, next++, "pinned", TYPE, 1, Priority.LOW));
      } catch (CapacityExceededException e) {
        break;
      }
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(insert(1).callerKeepsValue()).isTrue();
      assertThat(store.slotsTouched()).isLessThanOrEqualTo(SHORT);
    }
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void everySlotIsTakenByAPinnedEntryWithoutACharge(ReplacementPolicy policy) {
    open(CapacityMode.STRICT, policy);
    while (true) {
      try {
        pins.add(cache.insertPinned(HI, next++, "pinned", TYPE, 0, Priority.LOW));
      } catch (CapacityExceededException e) {
        break;
      }
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(insert(0).callerKeepsValue()).isTrue();
      assertThat(store.slotsTouched()).isLessThanOrEqualTo(SHORT);
    }
    // One leaves: its place can be taken, and what takes it can be evicted again.
    pins.remove(0).eraseIfLast();
    for (int i = 0; i < 3; i++) {
      assertThat(insert(0)).isEqualTo(InsertResult.INSERTED);
    }
  }
}
