/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.HashSeed;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.Meta;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Operations on one key, and what they are made to take turns on. */
abstract class OneKeyInterleavings {
  static final long HI = 1;
  static final long KEY = 1;
  static final int CAPACITY = 10;

  /** Schedules for each group of operations: 4,000 take about a second. */
  static final int RUNS = Integer.getInteger("interleaving.runs", 2_000);

  static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);

  static final Operation<BlockCache<Object>> ERASE =
      new Operation<>("erase", cache -> cache.erase(HI, KEY));
  static final Operation<BlockCache<Object>> GET =
      new Operation<>("get", cache -> cache.get(HI, KEY));
  static final Operation<BlockCache<Object>> LOOKUP =
      new Operation<>(
          "lookup",
          cache -> {
            try (Handle<Object> handle = cache.lookup(HI, KEY)) {
              return handle == null ? null : handle.value();
            }
          });

  static Operation<BlockCache<Object>> eraseIf(Object expected) {
    return new Operation<>("erase " + expected, cache -> cache.erase(HI, KEY, expected));
  }

  static Operation<BlockCache<Object>> put(Object value) {
    return new Operation<>("put " + value, cache -> cache.put(HI, KEY, value, 1));
  }

  /** A put that cannot be done in place: each value has a type of its own. */
  static Operation<BlockCache<Object>> move(Object value) {
    EntryType<Object> type = EntryType.of("type of " + value);
    return new Operation<>(
        "move " + value, cache -> cache.put(HI, KEY, value, type, 1, Priority.LOW));
  }

  static Operation<BlockCache<Object>> compareAndMove(Object expected, Object value) {
    EntryType<Object> type = EntryType.of("type of " + value);
    return new Operation<>(
        "replace " + expected + " with another kind of " + value,
        cache -> cache.compareAndReplace(HI, KEY, expected, value, type, 1));
  }

  static Operation<BlockCache<Object>> insert(Object value) {
    return new Operation<>("insert " + value, cache -> cache.insert(HI, KEY, value, 1));
  }

  static Operation<BlockCache<Object>> compareAndReplace(Object expected, Object value) {
    return new Operation<>(
        "replace " + expected + " with " + value,
        cache -> cache.compareAndReplace(HI, KEY, expected, value, TYPE, 1));
  }

  static Operation<BlockCache<Object>> replace(Object value) {
    return new Operation<>(
        "replace with " + value, cache -> cache.replace(HI, KEY, value, TYPE, 1));
  }

  static final EntryType<Object> TYPE = EntryType.of("value");

  static HyperClockCache<Object> open(Runnable before, CountingSlotStore[] store) {
    return new HyperClockCache<>(
        new CacheConfig<>(
            CAPACITY,
            1,
            CapacityMode.NON_STRICT,
            1,
            30,
            MetadataCharge.NONE,
            SlotStorage.HEAP,
            ReplacementPolicy.CLASSIC,
            HashSeed.fixed(7),
            false,
            false,
            TYPE,
            null,
            new Observation.Settings(null, LeakDetection.off(), Duration.ZERO)),
        slots -> store[0] = new CountingSlotStore(slots, before));
  }

  static int slotOf(CountingSlotStore store, long lo) {
    for (int slot = 0; slot < store.slots(); slot++) {
      if (Meta.isVisible(store.metaAcquire(slot)) && store.keyLoOpaque(slot) == lo) {
        return slot;
      }
    }
    throw new AssertionError("must be present: lo=" + lo);
  }

  /** A key that is there before the one under test. */
  record Rival(long hi, long lo, boolean stays) {}

  static int slotOf(Rival rival) {
    CountingSlotStore[] store = new CountingSlotStore[1];
    try (BlockCache<Object> cache = open(() -> {}, store)) {
      cache.insert(rival.hi, rival.lo, "", 1);
      return slotOf(store[0], rival.lo);
    }
  }

  /** A key of the same home slot. */
  static Rival rival() {
    int home = slotOf(new Rival(HI, KEY, false));
    for (long lo = 2; ; lo++) {
      Rival rival = new Rival(HI, lo, false);
      if (slotOf(rival) == home) {
        return rival;
      }
    }
  }

  /** A key of the same pair that stays, with the same low word. */
  static Rival doubleOfKey() {
    int home = slotOf(new Rival(HI, KEY, false));
    for (long hi = 2; ; hi++) {
      Rival rival = new Rival(hi, KEY, true);
      if (slotOf(rival) == home) {
        return rival;
      }
    }
  }

  /** A key that stands in the other slot of the home pair. */
  static Rival neighbour() {
    int home = slotOf(new Rival(HI, KEY, false));
    for (long lo = 2; ; lo++) {
      Rival rival = new Rival(HI, lo, false);
      if (slotOf(rival) == (home ^ 1)) {
        return rival;
      }
    }
  }

  static final Rival SAME_HOME = rival();
  static final long RIVAL = SAME_HOME.lo;
  static final List<Rival> FULL_PAIR = List.of(SAME_HOME, neighbour());
  static final List<Rival> PAST_A_RIVAL = List.of(new Rival(HI, RIVAL, true), neighbour());
  static final List<Rival> PAIR_WITH_DOUBLE = List.of(doubleOfKey(), neighbour());

  static HyperClockCache<Object> start(List<Rival> rivals, Runnable before) {
    return start(rivals, before, new CountingSlotStore[1]);
  }

  static HyperClockCache<Object> start(
      List<Rival> rivals, Runnable before, CountingSlotStore[] store) {
    HyperClockCache<Object> cache = open(before, store);
    rivals.forEach(rival -> cache.insert(rival.hi, rival.lo, "", 1));
    cache.insert(HI, KEY, "a", 1);
    rivals.stream().filter(rival -> !rival.stays).forEach(rival -> cache.erase(rival.hi, rival.lo));
    return cache;
  }

  final long seed = Long.getLong("interleaving.seed", System.nanoTime());
  final SplittableRandom random = new SplittableRandom(seed);
  final Interleavings<BlockCache<Object>> atHome = interleavings(List.of(), true);
  final Interleavings<BlockCache<Object>> displaced = interleavings(List.of(SAME_HOME), true);
  final Interleavings<BlockCache<Object>> inNextPair = interleavings(FULL_PAIR, true);
  final Interleavings<BlockCache<Object>> pastARival = interleavings(PAST_A_RIVAL, true);
  final Interleavings<BlockCache<Object>> behindItsDouble = interleavings(PAIR_WITH_DOUBLE, true);

  /** Whether what is left at the end matters. */
  final Interleavings<BlockCache<Object>> interleavings(List<Rival> rivals, boolean left) {
    return new Interleavings<>(
        before -> start(rivals, before),
        cache -> {
          assertThat(InvariantsChecker.violations(cache)).isEmpty();
          Object last = left ? cache.peek(HI, KEY) : null;
          cache.close();
          return last == null ? "nothing" : last;
        },
        seed);
  }

  @SafeVarargs
  final void sample(int runs, List<Operation<BlockCache<Object>>>... threads) {
    atHome.sample(runs, List.of(threads));
    displaced.sample(runs, List.of(threads));
  }
}
