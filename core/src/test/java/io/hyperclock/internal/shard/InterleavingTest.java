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
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.Meta;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Operations on one key, in every order of turns with few threads held up: what they return, and
 * what is found afterwards, must be what some order of whole operations gives.
 */
class InterleavingTest {
  private static final long HI = 1;
  private static final long KEY = 1;
  private static final int CAPACITY = 10;

  /** Schedules for each group of operations: 4,000 take about a second. */
  private static final int RUNS = Integer.getInteger("interleaving.runs", 2_000);

  private static final int PREEMPTIONS = Integer.getInteger("interleaving.preemptions", 1);
  private static final int GROUPS = 60;

  private static final Operation<BlockCache<Object>> ERASE =
      new Operation<>("erase", cache -> cache.erase(HI, KEY));
  private static final Operation<BlockCache<Object>> GET =
      new Operation<>("get", cache -> cache.get(HI, KEY));
  private static final Operation<BlockCache<Object>> LOOKUP =
      new Operation<>(
          "lookup",
          cache -> {
            try (Handle<Object> handle = cache.lookup(HI, KEY)) {
              return handle == null ? null : handle.value();
            }
          });

  private static Operation<BlockCache<Object>> put(Object value) {
    return new Operation<>("put " + value, cache -> cache.put(HI, KEY, value, 1));
  }

  private static Operation<BlockCache<Object>> insert(Object value) {
    return new Operation<>("insert " + value, cache -> cache.insert(HI, KEY, value, 1));
  }

  private static Operation<BlockCache<Object>> compareAndReplace(Object expected, Object value) {
    return new Operation<>(
        "replace " + expected + " with " + value,
        cache -> cache.compareAndReplace(HI, KEY, expected, value, TYPE, 1));
  }

  private static Operation<BlockCache<Object>> replace(Object value) {
    return new Operation<>(
        "replace with " + value, cache -> cache.replace(HI, KEY, value, TYPE, 1));
  }

  private static final EntryType<Object> TYPE = EntryType.of("value");

  private static HyperClockCache<Object> open(Runnable before, CountingSlotStore[] store) {
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
            false,
            EntryType.of("value"),
            null,
            new Observation.Settings(null, LeakDetection.off(), Duration.ZERO)),
        slots -> store[0] = new CountingSlotStore(slots, before));
  }

  private static int slotOf(CountingSlotStore store, long lo) {
    for (int slot = 0; slot < store.slots(); slot++) {
      if (Meta.isVisible(store.metaAcquire(slot)) && store.keyLoOpaque(slot) == lo) {
        return slot;
      }
    }
    throw new AssertionError("must be present: lo=" + lo);
  }

  /** A key that takes the home slot from the one under test. */
  private static long rival() {
    CountingSlotStore[] store = new CountingSlotStore[1];
    for (long lo = 2; ; lo++) {
      try (BlockCache<Object> alone = open(() -> {}, store)) {
        alone.insert(HI, KEY, "", 1);
        int home = slotOf(store[0], KEY);
        try (BlockCache<Object> both = open(() -> {}, store)) {
          both.insert(HI, lo, "", 1);
          both.insert(HI, KEY, "", 1);
          if (slotOf(store[0], lo) == home) {
            return lo;
          }
        }
      }
    }
  }

  private static final long RIVAL = rival();

  private static HyperClockCache<Object> start(boolean displaced, Runnable before) {
    HyperClockCache<Object> cache = open(before, new CountingSlotStore[1]);
    if (displaced) {
      cache.insert(HI, RIVAL, "", 1);
      cache.insert(HI, KEY, "a", 1);
      cache.erase(HI, RIVAL);
    } else {
      cache.insert(HI, KEY, "a", 1);
    }
    return cache;
  }

  private final long seed = Long.getLong("interleaving.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Interleavings<BlockCache<Object>> atHome = interleavings(false);
  private final Interleavings<BlockCache<Object>> displaced = interleavings(true);

  private Interleavings<BlockCache<Object>> interleavings(boolean displaced) {
    return new Interleavings<>(
        before -> start(displaced, before),
        cache -> {
          assertThat(InvariantsChecker.violations(cache)).isEmpty();
          Object left = cache.peek(HI, KEY);
          cache.close();
          return left == null ? "nothing" : left;
        },
        seed);
  }

  @SafeVarargs
  private void sample(int runs, List<Operation<BlockCache<Object>>>... threads) {
    atHome.sample(runs, List.of(threads));
    displaced.sample(runs, List.of(threads));
  }

  @Test
  void eraseAmongOverwrites() {
    sample(RUNS, List.of(replace("b")), List.of(ERASE), List.of(replace("c")));
    sample(RUNS, List.of(replace("b")), List.of(ERASE), List.of(ERASE));
  }

  @Test
  void readsAmongOverwrites() {
    sample(RUNS, List.of(GET, LOOKUP), List.of(put("b")), List.of(put("c")));
    sample(RUNS, List.of(LOOKUP, GET), List.of(put("b")), List.of(put("c")));
    sample(RUNS, List.of(GET, GET), List.of(put("b"), put("c")), List.of(replace("d")));
  }

  /** A read may pass a slot while it is empty that shows the key soon after. */
  @Test
  void readsDoNotGoBackWhileValuesMoveAround() {
    for (Operation<BlockCache<Object>> read : List.of(GET, LOOKUP)) {
      displaced.explore(2, List.of(List.of(read, read), List.of(put("b"), put("c"))));
    }
  }

  @Test
  void everyTwoHeldUp() {
    List<Operation<BlockCache<Object>>> all =
        List.of(put("b"), insert("b"), compareAndReplace("a", "b"), ERASE, GET, LOOKUP);
    for (int i = 0; i < all.size(); i++) {
      for (int j = i; j < all.size(); j++) {
        List<List<Operation<BlockCache<Object>>>> two =
            List.of(List.of(all.get(i)), List.of(all.get(j)));
        displaced.explore(PREEMPTIONS, two);
      }
    }
  }

  @Test
  void anyFew() {
    for (int i = 0; i < GROUPS; i++) {
      sample(RUNS / 20, some("b"), some("c"), some("d"));
    }
  }

  private List<Operation<BlockCache<Object>>> some(Object value) {
    return random.nextInt(3) == 0 ? List.of(any(value), any(value)) : List.of(any(value));
  }

  private Operation<BlockCache<Object>> any(Object value) {
    switch (random.nextInt(7)) {
      case 0:
        return put(value);
      case 1:
        return insert(value);
      case 2:
        return replace(value);
      case 3:
        return compareAndReplace("a", value);
      case 4:
        return ERASE;
      case 5:
        return GET;
      default:
        return LOOKUP;
    }
  }
}
