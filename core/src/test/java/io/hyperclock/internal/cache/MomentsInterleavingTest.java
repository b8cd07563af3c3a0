/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.internal.slot.CountingSlotStore;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What {@link Moments} asks for, before each access of operations on one key that take turns. */
class MomentsInterleavingTest extends OneKeyInterleavings {
  private static final List<Operation<BlockCache<Object>>> OVERWRITES =
      List.of(
          put("b"), move("b"), insert("b"), compareAndReplace("a", "b"), compareAndMove("a", "b"));

  private static final Operation<BlockCache<Object>> RIVAL_COMES =
      new Operation<>("insert rival", cache -> cache.insert(HI, RIVAL, "rival", 1));
  private static final Operation<BlockCache<Object>> RIVAL_GOES =
      new Operation<>("erase rival", cache -> cache.erase(HI, RIVAL));

  /** Between the start of a cache and its end. */
  private volatile boolean running;

  private Interleavings<BlockCache<Object>> watched(List<Rival> rivals, boolean isAlwaysThere) {
    return watched(
        new Moments(TABLE, HI, KEY),
        isAlwaysThere,
        (before, store) -> start(rivals, before, store),
        cache -> {
          Object last = cache.peek(HI, KEY);
          return last == null ? "nothing" : last;
        });
  }

  private interface Start {
    HyperClockCache<Object> start(Runnable before, CountingSlotStore[] store);
  }

  private Interleavings<BlockCache<Object>> watched(
      Moments moments,
      boolean isAlwaysThere,
      Start start,
      Function<BlockCache<Object>, Object> left) {
    return new Interleavings<>(
        before -> {
          CountingSlotStore[] store = new CountingSlotStore[1];
          Runnable look =
              () -> {
                before.run();
                int visible = store[0] == null ? 0 : moments.check(store[0]);
                if (isAlwaysThere && running && visible == 0) {
                  throw new AssertionError("nobody has removed the key");
                }
              };
          HyperClockCache<Object> cache = start.start(look, store);
          running = true;
          return cache;
        },
        cache -> {
          running = false;
          assertThat(InvariantsChecker.violations(cache)).isEmpty();
          Object last = left.apply(cache);
          cache.close();
          return last;
        },
        seed);
  }

  private static final List<List<Rival>> LAYOUTS =
      List.of(List.of(), List.of(BEFORE_IT), FULL_BUCKET);

  @Test
  void whateverTwoDo() {
    List<Operation<BlockCache<Object>>> all =
        List.of(move("b"), put("b"), insert("b"), ERASE, GET, LOOKUP, RIVAL_COMES);
    for (List<Rival> layout : LAYOUTS) {
      Interleavings<BlockCache<Object>> watched = watched(layout, false);
      for (int i = 0; i < all.size(); i++) {
        for (int j = i; j < all.size(); j++) {
          watched.explore(PREEMPTIONS, List.of(List.of(all.get(i)), List.of(all.get(j))));
        }
      }
    }
  }

  /** Slots change their tenants, and the tags of neighbours are in the same word. */
  @Test
  void tenantsOfOneBucket() {
    List<Operation<BlockCache<Object>>> rival = List.of(RIVAL_COMES, RIVAL_GOES);
    for (List<Rival> layout : LAYOUTS) {
      Interleavings<BlockCache<Object>> watched = watched(layout, false);
      watched.explore(PREEMPTIONS, List.of(rival, List.of(ERASE, insert("b"))));
      watched.explore(PREEMPTIONS, List.of(rival, List.of(move("b"), ERASE)));
      watched.sample(RUNS / 2, List.of(rival, List.of(ERASE, insert("b")), List.of(insert("c"))));
      watched.sample(RUNS / 2, List.of(rival, List.of(move("b")), List.of(ERASE, move("c"))));
    }
  }

  @Test
  void aKeyThatIsOnlyOverwrittenIsAlwaysThere() {
    for (List<Rival> layout : LAYOUTS) {
      Interleavings<BlockCache<Object>> watched = watched(layout, true);
      for (Operation<BlockCache<Object>> one : OVERWRITES) {
        for (Operation<BlockCache<Object>> other : List.of(move("c"), put("d"))) {
          watched.explore(PREEMPTIONS, List.of(List.of(one), List.of(other)));
        }
        watched.sample(RUNS / 10, List.of(List.of(one), List.of(move("c")), List.of(move("d"))));
      }
    }
  }

  /** Another entry leaves for the newer one, whatever it is worth. */
  @Test
  void aKeyOverwrittenByLocalEvictionIsAlwaysThere() {
    long lo = FullBuckets.key(0);
    Operation<BlockCache<Object>> overwrite =
        new Operation<>("put", cache -> cache.put(FullBuckets.HI, lo, "b", 2));
    Operation<BlockCache<Object>> get =
        new Operation<>("get", cache -> cache.get(FullBuckets.HI, lo) != null);
    for (ReplacementPolicy policy : ReplacementPolicy.values()) {
      Interleavings<BlockCache<Object>> full =
          watched(
              new Moments(FullBuckets.TABLE, FullBuckets.HI, lo),
              true,
              (before, store) -> startFull(policy, before, store),
              cache -> cache.peek(FullBuckets.HI, lo));
      full.explore(PREEMPTIONS, List.of(List.of(overwrite), List.of(get, get)));
    }
  }

  private static HyperClockCache<Object> startFull(
      ReplacementPolicy policy, Runnable before, CountingSlotStore[] store) {
    HyperClockCache<Object> cache =
        FullBuckets.open(policy, slots -> store[0] = new CountingSlotStore(slots, before));
    FullBuckets.fill(cache, i -> "a", FullBuckets.COLLECTED);
    return cache;
  }
}
