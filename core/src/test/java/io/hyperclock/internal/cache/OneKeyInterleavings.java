/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

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
import io.hyperclock.internal.observe.ObserverNotifier;
import io.hyperclock.internal.sizing.AutomaticSizing;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.SlotStore;
import io.hyperclock.internal.slot.Tags;
import io.hyperclock.internal.table.Buckets;
import java.time.Duration;
import java.util.ArrayList;
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

  static Operation<BlockCache<Object>> putPinned(Object value) {
    return new Operation<>(
        "put and pin " + value,
        cache -> {
          try (Handle<Object> handle = cache.putPinned(HI, KEY, value, TYPE, 1, Priority.LOW)) {
            return handle.value() + (handle.isStandalone() ? " alone" : " in the table");
          }
        });
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
            HashSeed.fixed(SEED),
            false,
            TYPE,
            null,
            new ObserverNotifier.Settings(null, LeakDetection.off(), Duration.ZERO),
            AutomaticSizing.DEFAULT),
        slots -> store[0] = new CountingSlotStore(slots, before));
  }

  /** A key that is there before the one under test. */
  record Rival(long hi, long lo, boolean stays) {}

  private static final int BUCKETS = 2;

  private static final long SEED = 7;

  static final Buckets TABLE = new Buckets(BUCKETS, SEED);
  private static final long HASH = TABLE.hash(HI, KEY);

  private static boolean looksAlike(long hi, long lo) {
    long hash = TABLE.hash(hi, lo);
    return TABLE.first(hash) == TABLE.first(HASH) && Tags.pattern(hash) == Tags.pattern(HASH);
  }

  /** A key of the same first bucket and tag. */
  static long rival() {
    long lo = KEY + 1;
    while (!looksAlike(HI, lo)) {
      lo++;
    }
    return lo;
  }

  /** A key of the same first bucket and tag that stays, with the same low word. */
  static Rival doubleOfKey() {
    long hi = HI + 1;
    while (!looksAlike(hi, KEY)) {
      hi++;
    }
    return new Rival(hi, KEY, true);
  }

  /** Keys that leave one slot of the first bucket: the next key goes to its second one. */
  static List<Rival> fullBucket() {
    List<Rival> rivals = new ArrayList<>();
    for (long lo = KEY + 1; rivals.size() < SlotStore.BUCKET_SLOTS - 1; lo++) {
      if (TABLE.first(TABLE.hash(HI, lo)) == TABLE.first(HASH)) {
        rivals.add(new Rival(HI, lo, false));
      }
    }
    return rivals;
  }

  static final long RIVAL = rival();
  static final Rival BEFORE_IT = new Rival(HI, RIVAL, false);
  static final Rival STAYS = new Rival(HI, RIVAL, true);
  static final List<Rival> FULL_BUCKET = fullBucket();

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
  final Interleavings<BlockCache<Object>> displaced = interleavings(List.of(BEFORE_IT), true);
  final Interleavings<BlockCache<Object>> inSecondBucket = interleavings(FULL_BUCKET, true);
  final Interleavings<BlockCache<Object>> pastARival = interleavings(List.of(STAYS), true);
  final Interleavings<BlockCache<Object>> behindItsDouble =
      interleavings(List.of(doubleOfKey()), true);

  /** Whether what is left at the end matters. */
  final Interleavings<BlockCache<Object>> interleavings(List<Rival> rivals, boolean left) {
    return new Interleavings<>(
        before -> start(rivals, before), left ? this::end : OneKeyInterleavings::endOfWhole, seed);
  }

  /** Looks whether a cache is whole, closes it, and tells what is left. */
  final Object end(BlockCache<Object> cache) {
    Object last = cache.peek(HI, KEY);
    endOfWhole(cache);
    return last == null ? "nothing" : last;
  }

  private static Object endOfWhole(BlockCache<Object> cache) {
    assertThat(InvariantsChecker.violations(cache)).isEmpty();
    cache.close();
    return "nothing";
  }

  @SafeVarargs
  final void sample(int runs, List<Operation<BlockCache<Object>>>... threads) {
    atHome.sample(runs, List.of(threads));
    displaced.sample(runs, List.of(threads));
  }
}
