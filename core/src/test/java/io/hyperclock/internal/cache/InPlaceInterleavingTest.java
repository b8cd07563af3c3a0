/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.interleaving.Interleavings;
import io.hyperclock.interleaving.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Overwrites in place, beside everything that must not cross them. */
class InPlaceInterleavingTest extends OneKeyInterleavings {
  /** What a writer does who goes by what it has seen: a lost one changes the sum. */
  private static final Operation<BlockCache<Object>> GROW =
      new Operation<>(
          "grow",
          cache -> {
            for (; ; ) {
              Object seen = cache.get(HI, KEY);
              if (seen == null
                  || cache.compareAndReplace(HI, KEY, seen, seen + "+", TYPE, 1)
                      == InsertResult.REPLACED) {
                return seen;
              }
            }
          });

  private static final Operation<BlockCache<Object>> EVICT_ALL =
      new Operation<>(
          "evict",
          cache -> {
            for (long lo = 100; lo < 104; lo++) {
              cache.insert(HI, lo, "", CAPACITY);
            }
            return "evicted";
          });

  /** A holder gives its entry another charge; answers whose it was. */
  private static final Operation<BlockCache<Object>> CHARGE =
      new Operation<>(
          "charge",
          cache -> {
            try (Handle<Object> handle = cache.lookup(HI, KEY)) {
              return List.of(handle.value(), handle.adjustCharge(2));
            }
          });

  private static final Operation<BlockCache<Object>> CHARGE_OF =
      new Operation<>(
          "charge of",
          cache -> {
            try (Handle<Object> handle = cache.lookup(HI, KEY)) {
              return List.of(handle.value(), handle.chargeBytes());
            }
          });

  private static Operation<BlockCache<Object>> putThenGet(Object value) {
    return new Operation<>(
        "put and get " + value,
        cache -> {
          cache.put(HI, KEY, value, 1);
          Object found = cache.get(HI, KEY);
          return found == null || found == value;
        });
  }

  @Test
  void exchangesAndReads() {
    sample(RUNS, List.of(put("b")), List.of(put("c")), List.of(GET, GET));
    sample(RUNS, List.of(put("b"), put("c")), List.of(LOOKUP, GET), List.of(GET, LOOKUP));
    both(List.of(put("b")), List.of(put("c")), List.of(GET));
  }

  @Test
  void exchangesAndErases() {
    sample(RUNS, List.of(put("b")), List.of(ERASE), List.of(GET, GET));
    sample(RUNS, List.of(put("b"), put("c")), List.of(ERASE), List.of(ERASE, LOOKUP));
    sample(RUNS, List.of(replace("b")), List.of(ERASE, insert("c")), List.of(GET, GET));
    both(List.of(replace("b")), List.of(ERASE, GET), List.of(GET));
  }

  @Test
  void exchangesAndConditionalErases() {
    sample(RUNS, List.of(put("b")), List.of(eraseIf("a")), List.of(GET, GET));
    sample(RUNS, List.of(put("b"), put("c")), List.of(eraseIf("b")), List.of(eraseIf("b"), LOOKUP));
    sample(RUNS, List.of(eraseIf("a"), insert("b")), List.of(put("c")), List.of(ERASE, GET));
    sample(RUNS, List.of(eraseIf("a")), List.of(eraseIf("a")), List.of(eraseIf("a")));
    both(List.of(eraseIf("a")), List.of(put("b")), List.of(GET));
    both(List.of(eraseIf("a")), List.of(compareAndReplace("a", "b")));
  }

  /** The hard pair: one compares and publishes a new entry, the other exchanges the value. */
  @Test
  void exchangesAndConditionalMoves() {
    sample(RUNS, List.of(put("b")), List.of(compareAndMove("a", "c")), List.of(GET));
    sample(RUNS, List.of(put("b"), GET), List.of(compareAndMove("a", "c")), List.of(put("d")));
    sample(
        RUNS,
        List.of(put("b")),
        List.of(compareAndMove("a", "c")),
        List.of(compareAndMove("a", "d"), GET));
    both(List.of(put("b")), List.of(compareAndMove("a", "c")), List.of(GET));
    both(List.of(compareAndReplace("a", "b")), List.of(compareAndMove("a", "c")), List.of(GET));
  }

  @Test
  void exchangesAndMoves() {
    sample(RUNS, List.of(put("b")), List.of(move("c")), List.of(GET, GET));
    sample(RUNS, List.of(put("b"), GET), List.of(move("c"), put("d")), List.of(LOOKUP, GET));
    sample(RUNS, List.of(replace("b")), List.of(move("c")), List.of(ERASE));
  }

  @Test
  void noConditionalExchangeIsLost() {
    sample(RUNS, List.of(GROW), List.of(GROW), List.of(GROW));
    sample(RUNS, List.of(GROW), List.of(GROW), List.of(put("b")));
    sample(RUNS, List.of(GROW), List.of(ERASE), List.of(put("b"), GET));
    both(List.of(compareAndReplace("a", "b")), List.of(compareAndReplace("a", "c")));
  }

  /**
   * What a holder does to its entry does not meet the value of an exchange. A handle that was taken
   * while a thread was stopped amid one is on the value alone, so the entry may keep its charge.
   */
  @Test
  void exchangesAndCharges() {
    sample(RUNS, List.of(CHARGE), List.of(put("b"), CHARGE_OF));
    sample(RUNS, List.of(CHARGE), List.of(put("b")), List.of(put("c"), CHARGE_OF));
    atHome.explore(2, List.of(List.of(CHARGE), List.of(put("b"), CHARGE_OF)));
  }

  @Test
  void insertsAfterErases() {
    sample(RUNS, List.of(put("b")), List.of(ERASE, insert("c")), List.of(GET, LOOKUP));
    sample(RUNS, List.of(put("b")), List.of(ERASE, put("c")), List.of(put("d"), GET));
    sample(RUNS, List.of(compareAndReplace("a", "b")), List.of(ERASE, insert("a")), List.of(GET));
  }

  /** The slot may have another tenant between the look at the key and the exchange. */
  @Test
  void anotherKeyInTheSlot() {
    Operation<BlockCache<Object>> insertRival =
        new Operation<>("insert rival", cache -> cache.insert(HI, RIVAL, "rival", 1));
    Operation<BlockCache<Object>> getRival =
        new Operation<>("get rival", cache -> cache.get(HI, RIVAL));
    List<Operation<BlockCache<Object>>> change = List.of(ERASE, insertRival, getRival, getRival);
    both(List.of(replace("b")), change);
    both(List.of(compareAndReplace("a", "b")), change);
    sample(RUNS, List.of(put("b")), change, List.of(getRival, getRival));
  }

  /** What is evicted when depends on who holds what, so only the wholeness is looked at. */
  @Test
  void exchangesAndEvictions() {
    for (List<Rival> rivals : List.of(List.of(BEFORE_IT), List.<Rival>of())) {
      Interleavings<BlockCache<Object>> whole = interleavings(rivals, false);
      whole.sample(RUNS, List.of(List.of(putThenGet("b")), List.of(EVICT_ALL)));
      whole.sample(RUNS, List.of(List.of(putThenGet("b")), List.of(EVICT_ALL), List.of(EVICT_ALL)));
    }
  }

  @SafeVarargs
  private void both(List<Operation<BlockCache<Object>>>... threads) {
    displaced.explore(PREEMPTIONS, List.of(threads));
    atHome.explore(PREEMPTIONS, List.of(threads));
  }
}
