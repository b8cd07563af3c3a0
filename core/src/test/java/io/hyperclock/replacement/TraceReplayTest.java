/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperclock.ReplacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * Replays short traces on the real cache, where a folder of them is there; see {@link Traces}.
 * Reproducible with one thread: the hash seed is fixed.
 */
class TraceReplayTest {
  private static final String SHORT_TRACES = "lirs_.*|corda|c2k_web12";
  private static final int LARGE = 1000;

  private final Traces traces = Traces.configured();

  private List<Traces.Point> points() {
    assumeTrue(traces.exist(), () -> "no traces in " + traces.folder());
    return traces.points(SHORT_TRACES);
  }

  private static String name(Traces.Point point) {
    return point.trace() + ", " + point.capacity() + " entries";
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(d -> d).average().orElseThrow();
  }

  @Test
  void reachesTheReference() {
    SoftAssertions softly = new SoftAssertions();
    List<Double> overCaffeine = new ArrayList<>();
    for (Traces.Point point : points()) {
      int[] keys = traces.keys(point.trace());
      double ratio = Replay.adaptive(keys, point.capacity());
      boolean large = point.capacity() >= LARGE;
      softly
          .assertThat(ratio)
          .as(name(point))
          .isGreaterThanOrEqualTo(point.reference() - (large ? 0.005 : 0.010));
      if (large) {
        overCaffeine.add(ratio - point.caffeine());
        softly
            .assertThat(ratio)
            .as("%s against classic", name(point))
            .isGreaterThanOrEqualTo(Replay.classic(keys, point.capacity()) - 0.025);
      }
    }
    softly.assertThat(mean(overCaffeine)).isGreaterThanOrEqualTo(0.012);
    softly.assertAll();
  }

  /**
   * Threads that replay parts of a trace make another workload of it, so they are compared with one
   * thread that replays the parts in step.
   */
  @Test
  void manyThreadsReachWhatOneDoes() {
    for (int threads : new int[] {2, 8}) {
      List<Double> lost = new ArrayList<>();
      List<Double> lostToWhole = new ArrayList<>();
      for (Traces.Point point : points()) {
        if (point.capacity() >= LARGE) {
          int[] keys = traces.keys(point.trace());
          int entries = point.capacity();
          double together = Replay.hitRatio(keys, entries, ReplacementPolicy.ADAPTIVE, threads);
          lost.add(Replay.adaptive(Workloads.interleaved(keys, threads), entries) - together);
          lostToWhole.add(Replay.adaptive(keys, entries) - together);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "%d threads lose %.2f points to one in step, %.2f to one that replays the whole%n",
          threads,
          100 * mean(lost),
          100 * mean(lostToWhole));
      assertThat(mean(lost)).as("%d threads", threads).isLessThanOrEqualTo(0.005);
    }
  }

  /** The model that generated workloads are compared with is the reference indeed. */
  @Test
  void modelReachesTheReference() {
    for (Traces.Point point : points()) {
      int[] keys = traces.keys(point.trace());
      if (point.capacity() >= LARGE) {
        assertThat(DuelModel.hitRatio(keys, point.capacity()))
            .as(name(point))
            .isBetween(point.reference() - 0.005, point.reference() + 0.005);
      }
      assertThat(Arrays.stream(keys).min()).hasValue(0);
    }
  }
}
