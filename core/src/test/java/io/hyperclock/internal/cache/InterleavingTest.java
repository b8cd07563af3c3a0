/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import io.hyperclock.internal.slot.CountingSlotStore;
import io.hyperclock.internal.slot.MetaWord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Operations on one key, in every order of turns with few threads held up: what they return, and
 * what is found afterwards, must be what some order of whole operations gives.
 */
class InterleavingTest extends OneKeyInterleavings {
  private static final int GROUPS = 60;

  /** Each look pins the older entry: a writer that is about to change its word must try again. */
  private static final int MOST_LOOKS = 100;

  @Test
  void eraseAmongOverwrites() {
    sample(RUNS, List.of(replace("b")), List.of(ERASE), List.of(replace("c")));
    sample(RUNS, List.of(move("b")), List.of(eraseIf("a")), List.of(GET, eraseIf("b")));
    sample(RUNS, List.of(compareAndMove("a", "b")), List.of(eraseIf("a")), List.of(ERASE, GET));
    sample(RUNS, List.of(replace("b")), List.of(ERASE), List.of(ERASE));
  }

  @Test
  void pinnedPutsAmongOthers() {
    List<Operation<BlockCache<Object>>> others =
        List.of(
            putPinned("c"), put("c"), insert("c"), compareAndReplace("a", "c"), ERASE, GET, LOOKUP);
    for (Operation<BlockCache<Object>> other : others) {
      displaced.explore(PREEMPTIONS, List.of(List.of(putPinned("b")), List.of(other)));
      displaced.explore(PREEMPTIONS, List.of(List.of(putPinned("b"), GET), List.of(other, GET)));
    }
    sample(RUNS, List.of(putPinned("b")), List.of(putPinned("c")), List.of(ERASE, GET));
    sample(RUNS, List.of(putPinned("b")), List.of(put("c")), List.of(LOOKUP, GET));
  }

  @Test
  void readsAmongOverwrites() {
    sample(RUNS, List.of(GET, LOOKUP), List.of(put("b")), List.of(put("c")));
    sample(RUNS, List.of(LOOKUP, GET), List.of(put("b")), List.of(put("c")));
    sample(RUNS, List.of(GET, GET), List.of(put("b"), put("c")), List.of(replace("d")));
    sample(RUNS, List.of(GET, LOOKUP), List.of(move("b")), List.of(move("c")));
    sample(RUNS, List.of(GET, GET), List.of(move("b"), put("c")), List.of(move("d")));
  }

  /** A read may pass a slot while it is empty that shows the key soon after. */
  @Test
  void readsDoNotGoBackWhileValuesMoveAround() {
    for (Operation<BlockCache<Object>> read : List.of(GET, LOOKUP)) {
      displaced.explore(2, List.of(List.of(read, read), List.of(move("b"), move("c"))));
      displaced.explore(2, List.of(List.of(read, read), List.of(move("b"), put("c"))));
      inSecondBucket.explore(2, List.of(List.of(read, read), List.of(move("b"), move("c"))));
    }
  }

  /** A newer entry may be in the first bucket, an older one in the second. */
  @Test
  void readsOfTheSecondBucket() {
    for (Interleavings<BlockCache<Object>> far :
        List.of(inSecondBucket, pastARival, behindItsDouble)) {
      far.explore(2, List.of(List.of(LOOKUP, GET), List.of(move("b"), move("c"))));
      far.explore(2, List.of(List.of(GET, GET), List.of(move("b"), move("c"))));
      far.sample(RUNS, List.of(List.of(GET, GET), List.of(move("b")), List.of(move("c"))));
      far.sample(RUNS, List.of(List.of(GET, GET), List.of(move("b"), put("c")), List.of(ERASE)));
      far.sample(RUNS, List.of(List.of(GET, GET), List.of(ERASE, insert("b")), List.of(GET)));
    }
  }

  /** [one-entry] Whichever of the two has the lower slot. */
  @Test
  void overwritesTakeEffectWhenTheOlderEntryIsHidden() {
    for (List<Rival> rivals : List.of(FULL_BUCKET, List.of(BEFORE_IT), List.<Rival>of())) {
      CountingSlotStore[] store = new CountingSlotStore[1];
      List<HyperClockCache<Object>> open = new ArrayList<>();
      int[] looks = {0};
      boolean[] looking = {false};
      Runnable look =
          () -> {
            if (open.isEmpty() || looking[0] || looks[0] == MOST_LOOKS) {
              return;
            }
            looking[0] = true;
            if (visible(store[0]).containsAll(List.of("a", "b"))) {
              looks[0]++;
              assertThat(open.get(0).get(HI, KEY)).isEqualTo("a");
              try (Handle<Object> handle = open.get(0).lookup(HI, KEY)) {
                assertThat(handle.value()).isEqualTo("a");
              }
            }
            looking[0] = false;
          };
      try (HyperClockCache<Object> cache = start(rivals, look, store)) {
        open.add(cache);
        move("b").call().apply(cache);
      }
      assertThat(looks[0]).as("accesses while both were visible").isPositive();
    }
  }

  private static List<Object> visible(CountingSlotStore store) {
    List<Object> values = new ArrayList<>();
    for (int slot = 0; slot < store.slots(); slot++) {
      if (MetaWord.isVisible(store.metaAcquire(slot))) {
        values.add(store.valueOpaque(slot));
      }
    }
    return values;
  }

  /** What a write does not find although it was there, it has not missed: it was invalidated. */
  @Test
  void writesFindWhatMovesAround() {
    for (Operation<BlockCache<Object>> write :
        List.of(replace("d"), compareAndMove("b", "d"), compareAndReplace("b", "d"))) {
      displaced.explore(2, List.of(List.of(write), List.of(move("b"), put("c"), move("e"))));
    }
  }

  @Test
  void everyTwoHeldUp() {
    List<Operation<BlockCache<Object>>> all =
        List.of(
            put("b"),
            move("b"),
            insert("b"),
            compareAndReplace("a", "b"),
            compareAndMove("a", "b"),
            ERASE,
            GET,
            LOOKUP);
    for (int i = 0; i < all.size(); i++) {
      for (int j = i; j < all.size(); j++) {
        List<List<Operation<BlockCache<Object>>>> two =
            List.of(List.of(all.get(i)), List.of(all.get(j)));
        displaced.explore(PREEMPTIONS, two);
        atHome.explore(PREEMPTIONS, two);
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
    switch (random.nextInt(9)) {
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
      case 6:
        return move(value);
      case 7:
        return compareAndMove("a", value);
      default:
        return LOOKUP;
    }
  }
}
