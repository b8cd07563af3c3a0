/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.SlotStorage;
import io.hyperclock.entry.Priority;
import io.hyperclock.internal.shard.InvariantsChecker;
import io.hyperclock.model.parity.ParityCache.Pin;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations on the cache in parity mode and on the oracle side by side: every answer, every
 * eviction in its order, usage and occupancy after every step.
 */
class ParityDifferentialTest {
  private static final int OPERATIONS = 40_000;

  @ParameterizedTest(name = "{0} {1} bytes of {2}, {3} shards, {4} pins, {5} keys")
  @CsvSource({
    "HEAP,       20000,  1000, 1,   4,    40",
    "HEAP,       20000,  1000, 1,  30,    60",
    "OFF_HEAP,   20001,   300, 1,  10,   200",
    "HEAP,      100003,  1000, 2,  20,   300",
    "HEAP,      100000,  1000, 4, 150,   300",
    "OFF_HEAP,  100000, 10000, 4,   4,    50",
    "HEAP,     1000000,   100, 8, 500, 20000",
    "HEAP,     1000000, 10000, 1, 120,   500",
    "HEAP,     1000000,  4096, 1,   0,  1000",
    "OFF_HEAP, 7654321,   777, 16, 900, 30000",
    "HEAP,    70000000, 50000, 0, 100,  5000"
  })
  void agreesWithTheOracleAtEveryStep(
      SlotStorage storage, long capacity, long estimate, int shards, int maxPins, int keys) {
    for (long seed = 1; seed <= 3; seed++) {
      try (RealParityCache cache =
          new RealParityCache(capacity, estimate, shards, seed * 77, storage)) {
        ParityOracle oracle = new ParityOracle(capacity, estimate, shards, seed * 77);
        assertThat(cache.slots()).as("slots").isEqualTo(oracle.slots());
        assertThat(cache.usageBytes()).as("usage when empty").isEqualTo(oracle.usageBytes());
        Pair pair = new Pair(cache, oracle, new SplittableRandom(seed), estimate, maxPins, keys);
        for (int i = 0; i < OPERATIONS; i++) {
          pair.step("seed=" + seed + ", step=" + i);
        }
        pair.finish("seed=" + seed);
      }
    }
  }

  private record Pins(Pin real, Pin expected) {}

  private record Pair(
      RealParityCache cache,
      ParityOracle oracle,
      SplittableRandom random,
      long estimate,
      int maxPins,
      int keys,
      List<Pins> held) {

    Pair(
        RealParityCache cache,
        ParityOracle oracle,
        SplittableRandom random,
        long estimate,
        int maxPins,
        int keys) {
      this(cache, oracle, random, estimate, maxPins, keys, new ArrayList<>());
    }

    void step(String when) {
      String what = when + ": " + operate(when);
      assertThat(cache.drainEvicted()).as(what + ": evicted").isEqualTo(oracle.drainEvicted());
      if (cache.occupancy() != oracle.occupancy() || cache.usageBytes() != oracle.usageBytes()) {
        assertThat(cache.occupancy()).as(what + ": occupancy").isEqualTo(oracle.occupancy());
        assertThat(cache.usageBytes()).as(what + ": usage").isEqualTo(oracle.usageBytes());
      }
      if (random.nextInt(500) == 0) {
        assertThat(cache.pinnedUsageBytes())
            .as(what + ": pinned usage")
            .isEqualTo(oracle.pinnedUsageBytes());
      }
    }

    private String operate(String when) {
      int number = Math.min(random.nextInt(keys), random.nextInt(keys));
      BenchKey key = new BenchKey(number * 0x9E3779B97F4A7C15L, number % 3);
      int kind = random.nextInt(100);
      if (kind < 45) {
        Pin real = cache.lookup(key);
        Pin expected = oracle.lookup(key);
        assertThat(real != null).as(when + ": lookup found").isEqualTo(expected != null);
        if (real != null) {
          hold(when, real, expected);
        }
        return "lookup";
      }
      if (kind < 70) {
        long charge = charge();
        Priority priority = Priority.values()[random.nextInt(3)];
        assertThat(cache.insert(key, charge, priority))
            .as(when + ": insert")
            .isEqualTo(oracle.insert(key, charge, priority));
        return "insert of " + charge + " bytes";
      }
      if (kind < 85) {
        long charge = charge();
        Priority priority = Priority.values()[random.nextInt(3)];
        hold(
            when,
            cache.insertPinned(key, charge, priority),
            oracle.insertPinned(key, charge, priority));
        return "insertPinned of " + charge + " bytes";
      }
      if (kind < 92) {
        assertThat(cache.erase(key)).as(when + ": erase").isEqualTo(oracle.erase(key));
        return "erase";
      }
      for (int i = random.nextInt(4); i > 0 && !held.isEmpty(); i--) {
        release(when);
      }
      return "release";
    }

    private long charge() {
      return switch (random.nextInt(10)) {
        case 0 -> 0;
        case 1 -> estimate * random.nextInt(1, 12);
        case 2, 3, 4 -> random.nextLong(2 * estimate);
        default -> estimate;
      };
    }

    private void hold(String when, Pin real, Pin expected) {
      assertThat(real.key()).as(when + ": value").isEqualTo(expected.key());
      assertThat(real.isStandalone()).as(when + ": standalone").isEqualTo(expected.isStandalone());
      held.add(new Pins(real, expected));
      while (held.size() > maxPins) {
        release(when);
      }
    }

    private void release(String when) {
      Pins pins = held.remove(random.nextInt(held.size()));
      boolean useful = random.nextInt(4) > 0;
      boolean eraseIfLast = random.nextInt(10) == 0;
      assertThat(pins.real().release(useful, eraseIfLast))
          .as(when + ": freed by release")
          .isEqualTo(pins.expected().release(useful, eraseIfLast));
    }

    void finish(String when) {
      while (!held.isEmpty()) {
        release(when);
      }
      assertThat(cache.usageBytes()).as("usage").isEqualTo(oracle.usageBytes());
      assertThat(cache.occupancy()).as("occupancy").isEqualTo(oracle.occupancy());
      assertThat(cache.pinnedUsageBytes()).as("pinned usage").isZero();
      assertThat(InvariantsChecker.violations(cache.cache())).isEmpty();
    }
  }
}
