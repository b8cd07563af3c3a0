/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.interleaving.Scenario;
import io.hyperclock.interleaving.Scenario.Part;
import io.hyperclock.interleaving.Woven;
import io.hyperclock.internal.slot.HeapSlotStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Everything that may be done to a key while its entry is moved to another table, in every order of
 * turns with few threads held up: what is answered, and what is found afterwards, is what some
 * order of whole operations gives; values are freed once, and never while held.
 */
@Woven({"table", "capacity", "slot", "cache", "handle", "observe", "sizing"})
class ResizeInterleavingTest {
  private static final int RUNS = Integer.getInteger("interleaving.runs", 2_000);
  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);

  /** So little that a table has two buckets, where each key may lie. */
  private static final long CAPACITY = 5_000;

  private static final long HI = OneKeyInterleavings.HI;
  private static final long KEY = OneKeyInterleavings.KEY;
  private static final long ANOTHER = KEY + 1;

  /** Not there at first. */
  private static final long NEWCOMER = KEY + 2;

  private static final Operation<BlockCache<Object>> RESIZE =
      new Operation<>(
          "resize",
          cache -> {
            Resizing resizing = resizing(cache);
            resizing.start(resizing.newest(), resizing.newest().store.slots());
            resizing.finish();
            return "resized";
          });

  private static final Operation<BlockCache<Object>> START =
      new Operation<>(
          "start",
          cache -> {
            Resizing resizing = resizing(cache);
            resizing.start(resizing.newest(), resizing.newest().store.slots());
            return "started";
          });

  /** Goes over all slots of the table that is left, unless none is. */
  private static final Operation<BlockCache<Object>> FINISH =
      new Operation<>(
          "finish",
          cache -> {
            resizing(cache).finish();
            return "finished";
          });

  private static final Operation<BlockCache<Object>> PEEK_BOTH =
      new Operation<>(
          "presence", cache -> cache.peek(HI, KEY) != null && cache.peek(HI, ANOTHER) != null);

  private final long seed = Long.getLong("interleaving.seed", System.nanoTime());
  private final Interleavings<BlockCache<Object>> one =
      Interleavings.ofWovenCode(() -> open(OneKeyInterleavings.TYPE, false), this::end, seed);
  private final Interleavings<BlockCache<Object>> halfWay =
      Interleavings.ofWovenCode(() -> open(OneKeyInterleavings.TYPE, true), this::end, seed);

  private static Resizing resizing(BlockCache<Object> cache) {
    return ((HyperClockCache<Object>) cache).shards.resizing(0);
  }

  private static HyperClockCache<Object> empty(EntryType<Object> type) {
    return AutomaticCaches.open(CAPACITY, type, HeapSlotStore::new);
  }

  /** A cache with two entries, the older one in the lower slot. */
  private static BlockCache<Object> open(EntryType<Object> type, boolean isMoving) {
    HyperClockCache<Object> cache = empty(type);
    assertThat(cache.monitor().slots()).isEqualTo(16);
    cache.insert(HI, ANOTHER, "another", 1);
    cache.insert(HI, KEY, "a", 1);
    if (isMoving) {
      START.call().apply(cache);
    }
    return cache;
  }

  /** As {@link #open}; the slots below those of the two entries are free. */
  private static BlockCache<Object> openAboveFreeSlots() {
    HyperClockCache<Object> cache = empty(OneKeyInterleavings.TYPE);
    for (long below = KEY + 3; below < KEY + 5; below++) {
      cache.insert(HI, below, "below", 1);
    }
    cache.insert(HI, ANOTHER, "another", 1);
    cache.insert(HI, KEY, "a", 1);
    for (long below = KEY + 3; below < KEY + 5; below++) {
      cache.erase(HI, below);
    }
    return cache;
  }

  private static final Operation<BlockCache<Object>> INSERT_NEWCOMER =
      new Operation<>("insert another", cache -> cache.insert(HI, NEWCOMER, "i", 1));

  private static final Operation<BlockCache<Object>> PUT_NEWCOMER =
      new Operation<>("put another", cache -> cache.put(HI, NEWCOMER, "p", 1));

  private static final Operation<BlockCache<Object>> ERASE_NEWCOMER =
      new Operation<>("erase another", cache -> cache.erase(HI, NEWCOMER));

  private static final Operation<BlockCache<Object>> GET_NEWCOMER =
      new Operation<>("get another", cache -> cache.get(HI, NEWCOMER));

  private Object end(BlockCache<Object> cache) {
    Object last = cache.peek(HI, KEY) + ", " + cache.peek(HI, NEWCOMER);
    assertThat(cache.peek(HI, ANOTHER)).isEqualTo("another");
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    return last;
  }

  @Test
  void aNewKeyBesideAMove() {
    List<Operation<BlockCache<Object>>> all =
        List.of(INSERT_NEWCOMER, PUT_NEWCOMER, ERASE_NEWCOMER, GET_NEWCOMER);
    for (Operation<BlockCache<Object>> operation : all) {
      one.explore(PREEMPTIONS, List.of(List.of(operation), List.of(RESIZE)));
      one.explore(PREEMPTIONS, List.of(List.of(operation), List.of(RESIZE, RESIZE)));
      for (Operation<BlockCache<Object>> other : all) {
        one.sample(
            RUNS / 10, List.of(List.of(operation), List.of(other, GET_NEWCOMER), List.of(RESIZE)));
        halfWay.sample(
            RUNS / 10, List.of(List.of(operation), List.of(other, GET_NEWCOMER), List.of(FINISH)));
      }
    }
  }

  private static List<Operation<BlockCache<Object>>> onTheKey() {
    return List.of(
        OneKeyInterleavings.put("b"),
        OneKeyInterleavings.move("b"),
        OneKeyInterleavings.insert("b"),
        OneKeyInterleavings.compareAndReplace("a", "b"),
        OneKeyInterleavings.compareAndMove("a", "b"),
        OneKeyInterleavings.ERASE,
        OneKeyInterleavings.eraseIf("a"),
        OneKeyInterleavings.GET,
        OneKeyInterleavings.LOOKUP);
  }

  @Test
  void oneOperationBesideAMove() {
    for (Operation<BlockCache<Object>> operation : onTheKey()) {
      one.explore(PREEMPTIONS, List.of(List.of(operation), List.of(RESIZE)));
      halfWay.explore(PREEMPTIONS, List.of(List.of(operation), List.of(FINISH)));
    }
  }

  @Test
  void oneOperationBesideTwoMovesInARow() {
    for (Operation<BlockCache<Object>> operation : onTheKey()) {
      one.explore(PREEMPTIONS, List.of(List.of(operation), List.of(RESIZE, RESIZE)));
      one.sample(RUNS / 4, List.of(List.of(operation), List.of(RESIZE), List.of(RESIZE)));
    }
  }

  @Test
  void twoOperationsBesideAMove() {
    for (Operation<BlockCache<Object>> operation : onTheKey()) {
      for (Operation<BlockCache<Object>> other : onTheKey()) {
        one.sample(RUNS / 20, List.of(List.of(operation), List.of(other), List.of(RESIZE)));
        halfWay.sample(RUNS / 20, List.of(List.of(operation), List.of(other), List.of(FINISH)));
      }
    }
  }

  @Test
  void twoMoversBesideAnOperation() {
    for (Operation<BlockCache<Object>> operation : onTheKey()) {
      halfWay.sample(RUNS / 4, List.of(List.of(operation), List.of(FINISH), List.of(FINISH)));
    }
  }

  @Test
  void readsOfWhatStays() {
    one.explore(PREEMPTIONS + 1, List.of(List.of(PEEK_BOTH), List.of(RESIZE)));
    one.explore(PREEMPTIONS, List.of(List.of(PEEK_BOTH, PEEK_BOTH), List.of(RESIZE, RESIZE)));
    one.explore(PREEMPTIONS + 1, List.of(List.of(OneKeyInterleavings.LOOKUP), List.of(RESIZE)));
    one.sample(
        RUNS,
        List.of(
            List.of(OneKeyInterleavings.GET, OneKeyInterleavings.LOOKUP),
            List.of(OneKeyInterleavings.move("b")),
            List.of(RESIZE, RESIZE)));
  }

  @Test
  void readsBesideAnOverwriteThatBeganBeforeTheMove() {
    Interleavings<BlockCache<Object>> above =
        Interleavings.ofWovenCode(ResizeInterleavingTest::openAboveFreeSlots, this::end, seed);
    List<Operation<BlockCache<Object>>> overwrite = List.of(OneKeyInterleavings.move("b"));
    // Two threads, of which one starts the move and then reads, take no turns that these do not.
    above.explore(
        PREEMPTIONS + 1, List.of(overwrite, List.of(OneKeyInterleavings.GET), List.of(START)));
  }

  /** A value, and how often it was freed. */
  private static final class Value {
    private int disposals;

    void requireUnfreed() {
      assertThat(disposals).as("disposals of what is held").isZero();
    }
  }

  private static final EntryType<Object> FREED =
      EntryType.named("freed").disposer((hi, lo, value) -> ((Value) value).disposals++).build();

  /** A cache of values that are freed, and all that were offered to it. */
  private static final class Freed {
    final HyperClockCache<Object> cache = empty(FREED);
    final List<Value> values = new ArrayList<>();

    Freed() {
      cache.insert(HI, ANOTHER, value(), FREED, 1, Priority.LOW);
      cache.insert(HI, KEY, value(), FREED, 1, Priority.LOW);
    }

    Value value() {
      Value value = new Value();
      values.add(value);
      return value;
    }

    void check() {
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      int[] visible = new int[2];
      cache.monitor().forEachEntry((hi, lo, value, type, charge) -> visible[(int) (lo - KEY)]++);
      assertThat(visible[1]).isEqualTo(1);
      assertThat(visible[0]).isIn(0, 1);
      assertThat(cache.monitor().pinnedUsageBytes()).isZero();
      cache.close();
      assertThat(InvariantsChecker.violations(cache)).isEmpty();
      assertThat(values).allMatch(value -> value.disposals == 1);
    }
  }

  private static Part<Freed> part(Operation<BlockCache<Object>> operation) {
    return freed -> operation.call().apply(freed.cache);
  }

  /** Pins what is there, and looks at it until it lets go. */
  private static void hold(Freed freed) {
    try (Handle<Object> handle = freed.cache.lookup(HI, KEY)) {
      if (handle != null) {
        for (int i = 0; i < 3; i++) {
          assertThat(handle.keyLo()).isEqualTo(KEY);
          assertThat(handle.chargeBytes()).isIn(1L, 2L, 3L);
          assertThat(handle.type()).isSameAs(FREED);
          ((Value) handle.value()).requireUnfreed();
        }
      }
    }
  }

  private static void recharge(Freed freed) {
    try (Handle<Object> handle = freed.cache.lookup(HI, KEY)) {
      if (handle != null) {
        handle.adjustCharge(3);
        assertThat(handle.chargeBytes()).isEqualTo(3);
        handle.ref().close();
      }
    }
  }

  private static void releaseAndErase(Freed freed) {
    Handle<Object> handle = freed.cache.lookup(HI, KEY);
    if (handle != null) {
      ((Value) handle.value()).requireUnfreed();
      handle.eraseIfLast();
    }
  }

  private static void put(Freed freed) {
    freed.cache.put(HI, KEY, freed.value(), FREED, 2, Priority.LOW);
  }

  private static void putAndHold(Freed freed) {
    Value value = freed.value();
    try (Handle<Object> handle = freed.cache.putPinned(HI, KEY, value, FREED, 2, Priority.LOW)) {
      assertThat(handle.value()).isSameAs(value);
      assertThat(handle.chargeBytes()).isIn(2L, 3L);
      assertThat(handle.isStandalone()).isFalse();
      value.requireUnfreed();
    }
  }

  private static void eraseIdle(Freed freed) {
    freed.cache.erase(HI, KEY);
  }

  @SafeVarargs
  private static void play(int preemptions, int runs, Part<Freed>... parts) {
    Scenario<Freed> scenario = new Scenario<>("values", Freed::new, Freed::check, parts);
    scenario.explore(preemptions);
    scenario.sample(runs, System.nanoTime());
  }

  @Test
  void handlesBesideAMove() {
    List<Part<Freed>> all =
        List.of(
            ResizeInterleavingTest::hold,
            ResizeInterleavingTest::recharge,
            ResizeInterleavingTest::releaseAndErase,
            ResizeInterleavingTest::put,
            ResizeInterleavingTest::eraseIdle);
    for (Part<Freed> part : all) {
      play(PREEMPTIONS, RUNS / 4, part, part(RESIZE));
      for (Part<Freed> other : all) {
        play(0, RUNS / 10, part, other, part(RESIZE));
      }
    }
  }

  @Test
  void aPinnedPutBesideAMove() {
    play(PREEMPTIONS, RUNS / 4, ResizeInterleavingTest::putAndHold, part(RESIZE));
    for (Part<Freed> other :
        List.<Part<Freed>>of(
            ResizeInterleavingTest::putAndHold,
            ResizeInterleavingTest::hold,
            ResizeInterleavingTest::recharge,
            ResizeInterleavingTest::eraseIdle)) {
      play(0, RUNS / 10, ResizeInterleavingTest::putAndHold, other, part(RESIZE));
    }
  }

  @Test
  void handlesBesideTwoMovesInARow() {
    play(PREEMPTIONS, RUNS / 2, ResizeInterleavingTest::hold, part(RESIZE), part(RESIZE));
    play(PREEMPTIONS, RUNS / 2, ResizeInterleavingTest::recharge, part(RESIZE), part(RESIZE));
    play(0, RUNS / 2, ResizeInterleavingTest::releaseAndErase, part(RESIZE), part(RESIZE));
  }
}
