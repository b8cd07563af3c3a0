/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What came out of a comparison with a rival.
 *
 * @param bar what it belongs to
 * @param claim what was asked for
 * @param ours what we measured
 * @param rival what the rival did
 * @param ratio ours against the rival's rate
 * @param cpu our CPU time against the rival's, if both were measured
 */
record Comparison(
    Bar bar,
    Claim claim,
    BenchmarkMeasurement ours,
    BenchmarkMeasurement rival,
    Ratio ratio,
    Optional<Ratio> cpu) {
  /**
   * Compares what a bar asks for.
   *
   * @param bar the bar
   * @param all what was measured in one run
   * @return comparisons whose both sides were measured
   */
  static List<Comparison> of(Bar bar, List<BenchmarkMeasurement> all) {
    Map<BenchmarkMeasurement.Id, BenchmarkMeasurement> byId =
        all.stream().collect(Collectors.toMap(BenchmarkMeasurement::id, Function.identity()));
    List<Comparison> comparisons = new ArrayList<>();
    for (BenchmarkMeasurement ours : all) {
      for (Claim claim : bar.claims(ours.id())) {
        BenchmarkMeasurement rival = byId.get(ours.id().with(claim.rival()));
        if (rival != null) {
          boolean cpu = !ours.cpuNanos().isEmpty() && !rival.cpuNanos().isEmpty();
          comparisons.add(
              new Comparison(
                  bar,
                  claim,
                  ours,
                  rival,
                  Ratio.of(ours.forks(), claim.allowed(rival.forks())),
                  cpu
                      ? Optional.of(Ratio.of(ours.cpuNanos(), rival.cpuNanos()))
                      : Optional.empty()));
        }
      }
    }
    return comparisons;
  }

  boolean hasAim() {
    return claim.atLeast() != Claim.NO_AIM;
  }

  boolean isReached() {
    return ratio.median() >= claim.atLeast();
  }

  boolean hasCpuAim() {
    return cpu.isPresent() && claim.cpuAtMost() != Claim.NO_CPU_AIM;
  }

  boolean isCpuReached() {
    return cpu.orElseThrow().median() <= claim.cpuAtMost();
  }
}
