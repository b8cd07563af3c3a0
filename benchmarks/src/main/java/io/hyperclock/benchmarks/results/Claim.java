/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.ArrayList;
import java.util.List;

/**
 * A comparison with a rival.
 *
 * @param ours what we measured
 * @param rival the rival's benchmark
 * @param atLeast ratio to reach, or {@link #NO_AIM}
 * @param allowanceMicros time that ours may take longer per operation; the ratio is that to a rival
 *     who takes as much longer
 * @param cpuAtMost CPU time of the whole process in proportion to the rival's, or {@link
 *     #NO_CPU_AIM}
 */
record Claim(
    BenchmarkMeasurement.Id ours,
    String rival,
    double atLeast,
    double allowanceMicros,
    double cpuAtMost) {
  /** Least ratio of a comparison that is shown without an aim. */
  static final double NO_AIM = 0;

  /** CPU time of a comparison that is shown without an aim. */
  static final double NO_CPU_AIM = Double.MAX_VALUE;

  private static final double AS_FAST_AS_TOLD = 0.97;
  private static final String SMALL = String.valueOf(1 << 16);

  Claim(BenchmarkMeasurement.Id ours, String rival, double atLeast) {
    this(ours, rival, atLeast, 0, NO_CPU_AIM);
  }

  private Claim cpu(double atMost) {
    return new Claim(ours, rival, atLeast, allowanceMicros, atMost);
  }

  /** The rival's scores, in operations per microsecond, with the allowance. */
  List<Double> allowed(List<Double> scores) {
    double threads = ours.threads();
    return scores.stream().map(s -> threads / (threads / s + allowanceMicros)).toList();
  }

  /**
   * What is asked of a measurement of ours: a steady state has aims of its own.
   *
   * @param ours what we measured
   * @param oneKey whether one key is read
   * @return comparisons, the one with an earlier jar last
   */
  static List<Claim> of(BenchmarkMeasurement.Id ours, boolean oneKey) {
    boolean steady = ours.state().equals("STEADY");
    List<Claim> claims = new ArrayList<>(steady && !oneKey ? steady(ours) : List.of());
    if (claims.isEmpty()) {
      claims.addAll(fresh(ours, oneKey));
    }
    claims.add(new Claim(ours, ours.before().benchmark(), steady ? gain(ours, oneKey) : NO_AIM));
    return claims;
  }

  /**
   * What is asked of a cache that sizes itself: as fast as one that was told the size of entries.
   *
   * @param other what was measured
   * @return comparisons, empty for rivals
   */
  static List<Claim> ofAutomatic(BenchmarkMeasurement.Id other) {
    String told = other.benchmark().replace(".automatic", ".hyperclock");
    return told.equals(other.benchmark())
        ? List.of()
        : List.of(new Claim(other, told, AS_FAST_AS_TOLD));
  }

  private static double gain(BenchmarkMeasurement.Id ours, boolean oneKey) {
    boolean small = ours.param("size").equals(SMALL);
    return switch (name(ours)) {
      case "GetBenchmark" -> oneKey ? NO_AIM : small ? 1.3 : 1.2;
      case "AbsentBenchmark" -> small ? 4.0 : 2.5;
      default -> NO_AIM;
    };
  }

  private static String name(BenchmarkMeasurement.Id ours) {
    return ours.benchmark().split("\\.")[0];
  }

  /** Aims for a full cache that has turned over, where they differ from those for a fresh one. */
  private static List<Claim> steady(BenchmarkMeasurement.Id ours) {
    boolean one = ours.threads() == 1;
    boolean small = ours.param("size").equals(SMALL);
    boolean zipf = ours.param("distribution").equals("ZIPF");
    return switch (name(ours)) {
      case "GetBenchmark" -> {
        double rate = small ? 2.2 : 2.5;
        yield List.of(
            new Claim(ours, "GetBenchmark.caffeine", rate),
            new Claim(ours, "GetBenchmark.caffeineNewKey", rate),
            new Claim(ours, "GetBenchmark.cache2k", NO_AIM),
            new Claim(ours, "GetBenchmark.concurrentHashMap", NO_AIM),
            new Claim(ours, "GetBenchmark.concurrentHashMapNewKey", small && zipf ? 1.0 : 0.8));
      }
      case "PinBenchmark" ->
          List.of(
              new Claim(ours, "PinBenchmark.caffeineCounted", 1.3),
              new Claim(ours, "PinBenchmark.computeIfPresentCounted", 1.3),
              new Claim(ours, "PinBenchmark.caffeine", 1.0));
      case "InsertBenchmark" ->
          List.of(
              new Claim(ours, "InsertBenchmark.caffeine", one ? 1.0 : 1.5).cpu(0.67),
              new Claim(ours, "InsertBenchmark.cache2k", NO_AIM),
              new Claim(ours, "InsertBenchmark.concurrentHashMap", NO_AIM));
      case "GetOrInsertBenchmark" ->
          List.of(new Claim(ours, "GetOrInsertBenchmark.caffeine", one ? 1.0 : 1.5).cpu(0.67));
      default -> List.of();
    };
  }

  private static List<Claim> fresh(BenchmarkMeasurement.Id ours, boolean oneKey) {
    boolean one = ours.threads() == 1;
    boolean small = ours.param("size").equals(SMALL);
    double rate = small ? (one ? 1.8 : 1.4) : one ? 1.4 : 1.25;
    return switch (name(ours)) {
      case "GetBenchmark" ->
          List.of(
              new Claim(ours, "GetBenchmark.caffeine", oneKey ? 1.0 : rate),
              new Claim(ours, "GetBenchmark.caffeineNewKey", oneKey ? NO_AIM : rate),
              new Claim(ours, "GetBenchmark.cache2k", NO_AIM),
              new Claim(ours, "GetBenchmark.concurrentHashMap", oneKey ? NO_AIM : 1.0),
              new Claim(ours, "GetBenchmark.concurrentHashMapNewKey", oneKey ? NO_AIM : 1.0));
      case "AbsentBenchmark" ->
          List.of(
              new Claim(ours, "AbsentBenchmark.caffeineNewKey", NO_AIM),
              new Claim(ours, "AbsentBenchmark.concurrentHashMapNewKey", 1.0));
      case "PinBenchmark" ->
          List.of(
              new Claim(ours, "PinBenchmark.caffeineCounted", oneKey ? NO_AIM : 1.8),
              new Claim(ours, "PinBenchmark.computeIfPresentCounted", oneKey ? NO_AIM : 1.8),
              new Claim(ours, "PinBenchmark.caffeine", oneKey ? NO_AIM : 1.0));
      case "InsertBenchmark" ->
          List.of(
              new Claim(ours, "InsertBenchmark.caffeine", 2.0),
              new Claim(ours, "InsertBenchmark.cache2k", NO_AIM),
              new Claim(ours, "InsertBenchmark.concurrentHashMap", NO_AIM));
      case "GetOrInsertBenchmark" -> List.of(new Claim(ours, "GetOrInsertBenchmark.caffeine", 1.5));
      case "EvictionBenchmark" ->
          List.of(new Claim(ours, "EvictionBenchmark.caffeine", 1.0).cpu(1.0));
      case "GrowthBenchmark" -> List.of(new Claim(ours, "GrowthBenchmark.rawReads", 0.4));
      case "LoadBenchmark" ->
          List.of(new Claim(ours, ours.benchmark().replace(".hyperclock", ".caffeine"), NO_AIM));
      case "OffHeapValueBenchmark" ->
          List.of(new Claim(ours, ours.benchmark().replace(".hyperclock", ".ohc"), NO_AIM));
      case "VersionedGetBenchmark" ->
          List.of(
              new Claim(
                  ours,
                  "VersionedGetBenchmark.plain",
                  ours.benchmark().endsWith("Prepared") ? 0.99 : NO_AIM));
      case "FindBenchmark", "MutateBenchmark" -> List.of();
      case "GetAllBenchmark" -> List.of(new Claim(ours, "GetAllBenchmark.singleGets", 1.5));
      case "DiskTierBenchmark" ->
          ours.benchmark().endsWith("WaitAll")
              ? List.of(new Claim(ours, "DiskTierBenchmark.sequential", NO_AIM))
              : List.of(
                  new Claim(ours, "DiskTierBenchmark.originFileChecked", one ? 0.67 : 0.5),
                  new Claim(ours, "DiskTierBenchmark.originFile", NO_AIM));
      case "RemoteTierBenchmark" -> List.of(new Claim(ours, "RemoteTierBenchmark.sequential", 4.0));
      case "TierBenchmark" ->
          List.of(new Claim(ours, "TierBenchmark.decompress", 1.0, 0.7, NO_CPU_AIM));
      case "TierEvictionBenchmark" ->
          List.of(new Claim(ours, "TierEvictionBenchmark.primaryAlone", 1.0, 0.06, NO_CPU_AIM));
      case "ScopeBenchmark" ->
          List.of(
              new Claim(ours, "ScopeBenchmark.pinFree", 0.85),
              new Claim(ours, "ScopeBenchmark.pinned", one ? NO_AIM : 1.5));
      case "PinnedInsertBenchmark" ->
          List.of(
              new Claim(
                  ours,
                  "PinnedInsertBenchmark.unpinned",
                  ours.param("mode").equals("NON_STRICT") ? 0.5 : NO_AIM));
      default -> {
        // The methods of Caffeine's set-ups are called alike.
        String rival = ours.benchmark().replace(".hyperclock", ".caffeine");
        boolean aim = !rival.contains("Absent");
        yield List.of(new Claim(ours, rival, aim ? 1.0 : NO_AIM).cpu(aim ? 1.0 : NO_CPU_AIM));
      }
    };
  }
}
