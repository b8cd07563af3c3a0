/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.benchmarks.results.HitRatio;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ReplayTest {
  private static final Simulation ONE_THREAD = new Simulation(1, 1, 1);

  private static Trace trace(int... keys) {
    KeyNumbers numbers = new KeyNumbers();
    int[] numbered = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      numbered[i] = numbers.of(keys[i]);
    }
    return new Trace("some", numbered, numbers.size(), null);
  }

  private static Trace letters(String keys) {
    return trace(keys.chars().toArray());
  }

  private static long hits(Trace trace, long capacity, Policy policy) {
    return ONE_THREAD.run(trace, capacity, policy).hits();
  }

  @ParameterizedTest
  @CsvSource({
    "abcabcabc, 2, 0, 4",
    "abcabcabc, 3, 6, 6",
    "aaaa, 1, 3, 3",
    "abab, 1, 0, 1",
    "abacabad, 2, 3, 4",
    "abcdabeabcde, 3, 2, 5",
    "abcd, 2, 0, 0"
  })
  void countsByHand(String keys, long capacity, long lru, long opt) {
    assertThat(hits(letters(keys), capacity, Policy.LRU)).isEqualTo(lru);
    assertThat(hits(letters(keys), capacity, Policy.OPT)).isEqualTo(opt);
  }

  @Test
  void optIsWhatTryingAllFinds() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 300; round++) {
      int keys = 2 + random.nextInt(5);
      Trace trace = trace(random.ints(14, 0, keys).toArray());
      for (int capacity = 1; capacity <= 4; capacity++) {
        assertThat(hits(trace, capacity, Policy.OPT))
            .isEqualTo(best(trace, capacity, 0, 0, new HashMap<>()));
      }
    }
  }

  private static int best(
      Trace trace, int capacity, int i, int cached, Map<Integer, Integer> known) {
    if (i == trace.requests()) {
      return 0;
    }
    Integer memo = known.get(i << 8 | cached);
    if (memo != null) {
      return memo;
    }
    int key = 1 << trace.key(i);
    int result;
    if ((cached & key) != 0) {
      result = 1 + best(trace, capacity, i + 1, cached, known);
    } else {
      result = best(trace, capacity, i + 1, cached, known);
      if (Integer.bitCount(cached) < capacity) {
        result = Math.max(result, best(trace, capacity, i + 1, cached | key, known));
      }
      for (int rest = cached; rest != 0; rest &= rest - 1) {
        int without = cached & ~Integer.lowestOneBit(rest);
        result = Math.max(result, best(trace, capacity, i + 1, without | key, known));
      }
    }
    known.put(i << 8 | cached, result);
    return result;
  }

  @Test
  void lruIsWhatALinkedHashMapDoes() {
    SplittableRandom random = new SplittableRandom(2);
    int[] keys = random.ints(20_000, 0, 300).map(key -> key * key / 300).toArray();
    int[] sizes = random.ints(keys.length, 0, 40).toArray();
    Trace unit = trace(keys);
    int[] numbered = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      numbered[i] = unit.key(i);
    }
    Trace weighted = new Trace("sized", numbered, unit.distinct(), sizes);
    for (long capacity : new long[] {1, 10, 100, 1000}) {
      assertThat(hits(unit, capacity, Policy.LRU)).isEqualTo(linked(unit, capacity));
      assertThat(hits(weighted, capacity, Policy.LRU)).isEqualTo(linked(weighted, capacity));
    }
  }

  private static long linked(Trace trace, long capacity) {
    LinkedHashMap<Integer, Integer> map = new LinkedHashMap<>(16, 0.75f, true);
    long usage = 0;
    long hits = 0;
    for (int i = 0; i < trace.requests(); i++) {
      if (map.get(trace.key(i)) != null) {
        hits++;
      } else if (trace.size(i) <= capacity) {
        map.put(trace.key(i), trace.size(i));
        usage += trace.size(i);
        while (usage > capacity) {
          usage -= map.remove(map.keySet().iterator().next());
        }
      }
    }
    return hits;
  }

  @ParameterizedTest
  @EnumSource(GeneratedWorkload.class)
  void nothingBeatsOpt(GeneratedWorkload workload) {
    Trace trace = workload.generate(60_000, 5_000, 3);
    for (long capacity : new long[] {20, 300, 1500, 6000}) {
      long opt = hits(trace, capacity, Policy.OPT);
      for (Policy policy : Policy.values()) {
        long hits = hits(trace, capacity, policy);
        assertThat(hits).as("%s %s %d", workload, policy, capacity).isBetween(0L, opt);
        if (capacity > trace.distinct()) {
          assertThat(hits).as("%s %s", workload, policy).isEqualTo(60_000 - trace.distinct());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(GeneratedWorkload.class)
  void classicIsNearLru(GeneratedWorkload workload) {
    Trace trace = workload.generate(100_000, 5_000, 3);
    HitRatio classic = ONE_THREAD.run(trace, 1500, Policy.CLASSIC);
    assertThat(classic.ratio()).isBetween(lru(trace) - 0.05, lru(trace) + 0.05);
  }

  @ParameterizedTest
  @CsvSource({
    "ZIPF, 0.03",
    "LOOP, 0.15",
    "SCAN_ZIPF, 0.05",
    "SHIFTING, -0.15",
    "BACK_AND_FORTH, -0.15"
  })
  void adaptiveIsBetterThanClassicBy(GeneratedWorkload workload, double difference) {
    Trace trace = workload.generate(150_000, 6_000, 3);
    double classic = ONE_THREAD.run(trace, 1500, Policy.CLASSIC).ratio();
    double adaptive = ONE_THREAD.run(trace, 1500, Policy.ADAPTIVE).ratio();
    assertThat(adaptive).isGreaterThan(classic + difference);
  }

  private static double lru(Trace trace) {
    return ONE_THREAD.run(trace, 1500, Policy.LRU).ratio();
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"CLASSIC", "ADAPTIVE"})
  void replaysAlikeWithTheSameSeed(Policy policy) {
    Trace trace = GeneratedWorkload.SHIFTING.generate(50_000, 5_000, 1);
    assertThat(hits(trace, 1500, policy)).isEqualTo(hits(trace, 1500, policy));
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"CLASSIC", "ADAPTIVE", "CAFFEINE", "LRU"})
  void sizesCount(Policy policy) {
    int[] keys = new int[3000];
    int[] sizes = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i % 30;
      sizes[i] = 1 + i % 30;
    }
    Trace trace = new Trace("sized", keys, 30, sizes);
    assertThat(hits(trace, 465, policy)).isEqualTo(2970);
    assertThat(hits(trace, 150, policy)).isLessThan(2970);
  }

  @Test
  void interleavedPartsKeepTheirSizes() {
    Trace trace = new Trace("sized", new int[] {0, 1, 0, 2, 2}, 3, new int[] {10, 20, 11, 30, 31});
    Trace mixed = trace.interleaved(2);
    assertThat(IntStream.range(0, 5).map(mixed::key)).containsExactly(0, 0, 1, 2, 2);
    assertThat(IntStream.range(0, 5).map(mixed::size)).containsExactly(10, 11, 20, 30, 31);
    assertThat(mixed.totalSize()).isEqualTo(60);
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"CLASSIC", "ADAPTIVE", "CAFFEINE"})
  void threadsShareTheRequests(Policy policy) {
    Trace trace = GeneratedWorkload.ZIPF.generate(200_001, 20_000, 1);
    HitRatio two = new Simulation(2, 1, 1).run(trace, 4000, policy);
    assertThat(two.requests()).isEqualTo(200_001);
    assertThat(two.threads()).isEqualTo(2);
    assertThat(two.ratio()).isCloseTo(ONE_THREAD.run(trace, 4000, policy).ratio(), within(0.03));
    HitRatio all = new Simulation(3, 1, 1).run(trace, 20_000, policy);
    // Threads that miss a key at the same time both count a miss.
    assertThat(all.hits()).isBetween(200_001L - 3 * trace.distinct(), 200_001L - trace.distinct());
  }

  private static org.assertj.core.data.Offset<Double> within(double ratio) {
    return org.assertj.core.data.Offset.offset(ratio);
  }
}
