/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperclock.BlockCache;
import io.hyperclock.ReplacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hit ratios on workloads that are hard for one policy or another. */
class GeneratedWorkloadsTest {
  private static final int ROUNDS = 60;
  private static final int TRIES = 10;

  private record Workload(String name, int entries, int[] keys) {
    @Override
    public String toString() {
      return name + ", " + entries + " entries";
    }
  }

  private static Workload[] workloads(int entries) {
    int requests = ROUNDS * entries;
    int[] zipf = Workloads.zipf(1, requests, 10 * entries, 0.9);
    return new Workload[] {
      new Workload("Zipf 0.8", entries, Workloads.zipf(2, requests, 20 * entries, 0.8)),
      new Workload("Zipf 1.0", entries, Workloads.zipf(3, requests, 10 * entries, 1.0)),
      new Workload("loop 1.02", entries, Workloads.loop(requests, entries * 51 / 50)),
      new Workload("loop 1.2", entries, Workloads.loop(requests, entries * 6 / 5)),
      new Workload("loop 2", entries, Workloads.loop(requests, 2 * entries)),
      new Workload("scan", entries, Workloads.scan(requests, 0)),
      new Workload(
          "scan and Zipf",
          entries,
          Workloads.mixed(4, entries / 2, zipf, Workloads.scan(requests / 2, 10 * entries))),
      new Workload(
          "shifting hot set",
          entries,
          Workloads.shiftingHotSet(5, requests, entries / 2, 5 * entries, 20 * entries)),
      new Workload("recency", entries, Workloads.recent(6, requests, 2 * entries, 0.1)),
      new Workload("long recency", entries, Workloads.recent(7, requests, 4 * entries, 0.1)),
      new Workload("hot key in scan", entries, Workloads.hotKeyInScan(requests, 50)),
      new Workload("back and forth", entries, Workloads.backAndForth(requests, entries * 3 / 2)),
      new Workload(
          "loop, then Zipf",
          entries,
          Workloads.sequence(
              Workloads.loop(requests / 2, 2 * entries), Workloads.shifted(zipf, 2 * entries))),
    };
  }

  static Stream<Arguments> all() {
    return Stream.of(1000, 2000, 4000).flatMap(n -> Stream.of(workloads(n))).map(Arguments::of);
  }

  /** WART: a hot set that changes at once costs more than others; so it does in the model. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void isHardlyEverWorseThanClassic(Workload workload) {
    double classic = Replay.classic(workload.keys, workload.entries);
    double adaptive = Replay.adaptive(workload.keys, workload.entries);
    boolean zipf = workload.name.contains("Zipf");
    boolean shifting = workload.name.contains("shifting");
    assertThat(adaptive).isGreaterThanOrEqualTo(classic - (zipf ? 0.005 : shifting ? 0.04 : 0.025));
  }

  /**
   * Points differ by chance and by what main gives up for inserts in transit, the mean by little.
   * Back and forth and changes of the hot set are left out of it: there a request more or less may
   * change the result by points.
   */
  @Test
  void agreesWithTheModel() {
    SoftAssertions softly = new SoftAssertions();
    double sum = 0;
    int count = 0;
    for (int entries : new int[] {1000, 2000, 4000}) {
      for (Workload workload : workloads(entries)) {
        double model = DuelModel.hitRatio(workload.keys, entries);
        double adaptive = Replay.adaptive(workload.keys, entries);
        if (workload.name.equals("back and forth") || workload.name.contains("shifting")) {
          softly.assertThat(adaptive).as("%s", workload).isGreaterThan(model - 0.06);
        } else {
          softly.assertThat(adaptive).as("%s", workload).isCloseTo(model, within(0.015));
          sum += adaptive - model;
          count++;
        }
      }
    }
    softly.assertThat(sum / count).as("mean").isCloseTo(0, within(0.003));
    softly.assertAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 3000})
  void keepsAsMuchOfALoopAsFits(int entries) {
    for (double factor : new double[] {1.02, 1.2, 2}) {
      int[] loop = Workloads.loop(100 * entries, (int) (factor * entries));
      assertThat(Replay.lru(loop, entries)).isZero();
      assertThat(Replay.adaptive(loop, entries))
          .as("loop over %s", factor)
          .isGreaterThanOrEqualTo(0.94 / factor);
    }
  }

  @Test
  void hotKeyStaysInAnEndlessScan() {
    int[] keys = Workloads.hotKeyInScan(200_000, 50);
    assertThat(Replay.adaptive(keys, 1000)).isGreaterThanOrEqualTo(0.02 - 0.0005);
  }

  @Test
  void scanTakesNoMoreFromZipfThanItsProbation() {
    int[] zipf = Workloads.zipf(8, 100_000, 10_000, 1.0);
    int[] scanned = Workloads.mixed(9, 500, zipf, Workloads.scan(50_000, 10_000));
    double alone = Replay.adaptive(zipf, 1000);
    double hitsPerZipf = Replay.adaptive(scanned, 1000) * scanned.length / zipf.length;
    assertThat(hitsPerZipf).isGreaterThanOrEqualTo(alone - 0.02);
  }

  /** After another workload it is as good as a fresh cache once some misses have passed. */
  @Test
  void recoversWhenTheWorkloadChanges() {
    int entries = 1000;
    int[][] parts = {
      Workloads.loop(60 * entries, 2 * entries),
      Workloads.shifted(Workloads.zipf(10, 60 * entries, 10 * entries, 0.9), 100_000),
      Workloads.shifted(Workloads.recent(11, 60 * entries, 2 * entries, 0.1), 200_000),
      Workloads.shifted(Workloads.scan(10 * entries, 0), 300_000),
      Workloads.shifted(Workloads.loop(60 * entries, 6 * entries / 5), 400_000),
      Workloads.shifted(Workloads.zipf(12, 60 * entries, 10 * entries, 0.9), 500_000),
    };
    try (BlockCache<Integer> cache = Replay.cache(entries, ReplacementPolicy.ADAPTIVE)) {
      for (int[] part : parts) {
        int learning = part.length / 2;
        Replay.play(cache, part, 0, learning);
        long hits = Replay.play(cache, part, learning, part.length);
        try (BlockCache<Integer> fresh = Replay.cache(entries, ReplacementPolicy.ADAPTIVE)) {
          Replay.play(fresh, part, 0, learning);
          long wanted = Replay.play(fresh, part, learning, part.length);
          assertThat((hits - wanted) / (double) (part.length - learning))
              .as("part from %d", part[0])
              .isGreaterThanOrEqualTo(-0.05);
        }
      }
    }
  }

  /** Most of its slots are empty after the capacity has become a hundredth. */
  @Test
  void aThinTableChoosesNearlyAsWell() {
    int[] keys = Workloads.shiftingHotSet(1, 400_000, 450, 100_000, 5_000);
    double full = Replay.adaptive(keys, 500);
    try (BlockCache<Integer> cache = Replay.cache(50_000, ReplacementPolicy.ADAPTIVE)) {
      cache.setCapacityBytes(500);
      assertThat(Replay.play(cache, keys)).isGreaterThan(full - 0.03);
    }
  }

  /**
   * All parts of this workload are alike, so threads may share it out in any way. How they meet is
   * up to the machine: what is lost by design is lost every time, so one good time is enough.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void manyThreadsReachWhatOneDoes(int threads) {
    int[] zipf = Workloads.zipf(13, 1_000_000, 40_000, 0.9);
    double one = Replay.adaptive(zipf, 2000);
    List<Double> losses = new ArrayList<>();
    do {
      losses.add(one - Replay.hitRatio(zipf, 2000, ReplacementPolicy.ADAPTIVE, threads));
    } while (Math.abs(losses.get(losses.size() - 1)) > 0.01 && losses.size() < TRIES);
    assertThat(losses).anySatisfy(loss -> assertThat(loss).isBetween(-0.01, 0.01));
  }
}
