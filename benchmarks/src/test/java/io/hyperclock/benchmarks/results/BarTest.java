/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BarTest {
  @ParameterizedTest
  @CsvSource({
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 1, GetBenchmark.caffeine, 1.8",
    "B1, GetBenchmark.hyperclock, 65536, UNIFORM, 2, GetBenchmark.caffeineNewKey, 1.4",
    "B1, GetBenchmark.hyperclockOffHeap, 1048576, ZIPF, 1, GetBenchmark.caffeine, 1.4",
    "B1, GetBenchmark.hyperclock, 10485760, ZIPF, 2, GetBenchmark.caffeine, 1.25",
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 2, GetBenchmark.concurrentHashMap, 1.0",
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 2, GetBenchmark.concurrentHashMapNewKey, 1.0",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.caffeineCounted, 1.8",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.computeIfPresentCounted, 1.8",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.caffeine, 1.0",
    "B3, GetBenchmark.hyperclock, 65536, ONE_KEY, 2, GetBenchmark.caffeine, 1.0",
    "B3, PinBenchmark.hyperclock, 65536, ONE_KEY, 2, PinBenchmark.caffeine, 0.0",
    "B4, InsertBenchmark.hyperclock, 65536, , 1, InsertBenchmark.caffeine, 2.0",
    "B4, GetOrInsertBenchmark.hyperclockOffHeap, 65536, , 2, GetOrInsertBenchmark.caffeine, 1.5",
    "B5, GetPutBenchmark.hyperclockRead, , , 8, GetPutBenchmark.caffeineRead, 1.0",
    "B5, GetPutBenchmark.hyperclockWrite, , , 8, GetPutBenchmark.caffeineWrite, 1.0",
    "B5, GetPutBenchmark.hyperclockAbsentWrite, , , 8, GetPutBenchmark.caffeineAbsentWrite, 0.0",
    "B5, GetPutBenchmark.hyperclockReadWrite, , , 8, GetPutBenchmark.caffeineReadWrite, 1.0",
    "B5, HotEntryBenchmark.hyperclockHot, , , 2, HotEntryBenchmark.caffeineHot, 1.0",
    "B5, EvictionBenchmark.hyperclock, 65536, , 2, EvictionBenchmark.caffeine, 1.0",
    "B9, GrowthBenchmark.hyperclock, 10000, UNIFORM, 1, GrowthBenchmark.rawReads, 0.4",
    "LOAD, LoadBenchmark.hyperclockHit, 65536, ZIPF, 1, LoadBenchmark.caffeineHit, 0.0",
    "B10, GetAllBenchmark.hyperclockGetAll, 65536, UNIFORM, 1, GetAllBenchmark.singleGets, 1.5",
    "B11, PinnedInsertBenchmark.hyperclockPinned, 65536, , 1, PinnedInsertBenchmark.unpinned, 0.0",
    "B12_REDIS, RemoteTierBenchmark.hyperclockWaitAll, 4096, , 1, RemoteTierBenchmark.sequential,"
        + " 4.0",
    "B15, ScopeBenchmark.hyperclock, 65536, ZIPF, 1, ScopeBenchmark.pinFree, 0.85",
    "B15, ScopeBenchmark.hyperclock, 65536, ZIPF, 1, ScopeBenchmark.pinned, 0.0",
    "B15, ScopeBenchmark.hyperclockOffHeap, 65536, ZIPF, 2, ScopeBenchmark.pinned, 1.5"
  })
  void asksForARatio(
      Bar bar, String ours, String size, String keys, int threads, String rival, double atLeast) {
    TreeMap<String, String> params = new TreeMap<>();
    if (size != null) {
      params.put("size", size);
    }
    if (keys != null) {
      params.put("distribution", keys);
    }
    BenchmarkMeasurement.Id id = new BenchmarkMeasurement.Id(ours, params, threads);
    assertThat(bar.claims(id))
        .filteredOn(claim -> claim.rival().equals(rival))
        .extracting(Claim::atLeast)
        .containsExactly(atLeast);
    assertThat(bar.claims(id.with(rival))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 1, GetBenchmark.caffeine, 2.2",
    "B1, GetBenchmark.hyperclock, 1048576, ZIPF, 1, GetBenchmark.caffeine, 2.5",
    "B1, GetBenchmark.hyperclock, 65536, UNIFORM, 1, GetBenchmark.concurrentHashMapNewKey, 0.8",
    "B1, GetBenchmark.hyperclock, 65536, ZIPF, 2, GetBenchmark.before:hyperclock, 1.3",
    "B2, PinBenchmark.hyperclock, 65536, ZIPF, 2, PinBenchmark.caffeineCounted, 1.3",
    "B3, GetBenchmark.hyperclock, 65536, ONE_KEY, 2, GetBenchmark.before:hyperclock, 0.0",
    "B4, GetOrInsertBenchmark.hyperclock, 65536, , 1, GetOrInsertBenchmark.caffeine, 1.0",
    "B4, GetOrInsertBenchmark.hyperclock, 65536, , 2, GetOrInsertBenchmark.caffeine, 1.5",
    "ABSENT, AbsentBenchmark.hyperclock, 65536, ZIPF, 1, AbsentBenchmark.before:hyperclock, 4.0",
    "ABSENT, AbsentBenchmark.hyperclock, 65536, ZIPF, 1, AbsentBenchmark.concurrentHashMapNewKey,"
        + " 1.0",
    "B15, ScopeBenchmark.hyperclock, 65536, ZIPF, 1, ScopeBenchmark.pinFree, 0.85"
  })
  void asksForMoreOfASteadyCache(
      Bar bar, String ours, String size, String keys, int threads, String rival, double atLeast) {
    TreeMap<String, String> params = new TreeMap<>(Map.of("size", size, "state", "STEADY"));
    if (keys != null) {
      params.put("distribution", keys);
    }
    assertThat(bar.claims(new BenchmarkMeasurement.Id(ours, params, threads)))
        .filteredOn(claim -> claim.rival().equals(rival))
        .extracting(Claim::atLeast)
        .containsExactly(atLeast);
  }

  @Test
  void allowsTheTierSevenTenthsOfAMicrosecondMoreThanDecompressing() {
    BenchmarkMeasurement.Id id =
        new BenchmarkMeasurement.Id("TierBenchmark.hyperclock", new TreeMap<>(), 2);
    Claim claim = Bar.B12.claims(id).get(0);
    assertThat(claim.rival()).isEqualTo("TierBenchmark.decompress");
    assertThat(claim.atLeast()).isEqualTo(1.0);
    assertThat(claim.allowed(List.of(2.0, 1.0))).containsExactly(2 / 1.7, 2 / 2.7);
  }

  @Test
  void asksLittleOfStrictCapacityOnly() {
    String ours = "PinnedInsertBenchmark.hyperclockPinned";
    for (String mode : List.of("STRICT", "NON_STRICT")) {
      BenchmarkMeasurement.Id id =
          new BenchmarkMeasurement.Id(ours, new TreeMap<>(Map.of("mode", mode)), 1);
      assertThat(Bar.B11.claims(id))
          .extracting(Claim::atLeast)
          .containsExactly(mode.equals("STRICT") ? Claim.NO_AIM : 0.5, Claim.NO_AIM);
      assertThat(id.variant()).isEqualTo("mode " + mode);
    }
  }

  @Test
  void bringsItsOwnSizesUnlessOthersAreChosen() {
    assertThat(Bar.B9.sizes()).containsExactly(10_000, 100_000, 1_000_000, 10_000_000);
    assertThat(Bar.B9.sizes(2048, 4096)).containsExactly(2048, 4096);
    assertThat(Bar.B3.sizes(2048, 4096)).containsExactly(2048);
  }

  @Test
  void groupsWithThreadsOfTheirOwnRunOnce() {
    assertThat("x.GetPutBenchmark.hyperclockRead").containsPattern(Bar.B5.benchmarks(true));
    assertThat("x.GetPutBenchmark.hyperclockRead").doesNotContainPattern(Bar.B5.benchmarks(false));
    assertThat("x.EvictionBenchmark.hyperclock").containsPattern(Bar.B5.benchmarks(false));
    assertThat("x.GetBenchmark.caffeine").doesNotContainPattern(Bar.B1.underTest(false));
    assertThat("x.GetBenchmark.hyperclockOffHeap").containsPattern(Bar.B1.underTest(true));
  }
}
