/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GeneratedWorkloadTest {
  private static int[] keys(Trace trace) {
    return IntStream.range(0, trace.requests()).map(trace::key).toArray();
  }

  @ParameterizedTest
  @EnumSource(GeneratedWorkload.class)
  void isTheSameForTheSameSeed(GeneratedWorkload workload) {
    int[] keys = keys(workload.generate(10_000, 500, 7));
    assertThat(keys(workload.generate(10_000, 500, 7))).isEqualTo(keys);
    if (workload != GeneratedWorkload.LOOP && workload != GeneratedWorkload.BACK_AND_FORTH) {
      assertThat(keys(workload.generate(10_000, 500, 8))).isNotEqualTo(keys);
    }
  }

  @ParameterizedTest
  @EnumSource(GeneratedWorkload.class)
  void numbersKeysByFirstAppearance(GeneratedWorkload workload) {
    for (int keys : new int[] {2, 3, 500}) {
      Trace trace = workload.generate(10_000, keys, 7);
      int next = 0;
      for (int key : keys(trace)) {
        assertThat(key).isBetween(0, next);
        next = Math.max(next, key + 1);
      }
      assertThat(trace.distinct()).isEqualTo(next).isLessThanOrEqualTo(keys);
      assertThat(trace.requests()).isEqualTo(10_000);
    }
  }

  @Test
  void goesRound() {
    assertThat(keys(GeneratedWorkload.LOOP.generate(7, 3, 1))).containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void goesBackAndForth() {
    assertThat(keys(GeneratedWorkload.BACK_AND_FORTH.generate(9, 4, 1)))
        .containsExactly(0, 1, 2, 3, 2, 1, 0, 1, 2);
  }

  @Test
  void scansBetweenZipf() {
    Trace trace = GeneratedWorkload.SCAN_ZIPF.generate(2000, 1000, 1);
    int[] scan = IntStream.range(50, 100).map(trace::key).toArray();
    assertThat(scan).isSorted().doesNotHaveDuplicates();
    int[] zipf = IntStream.range(0, 50).map(trace::key).toArray();
    assertThat(IntStream.of(zipf).distinct().count()).isLessThan(50);
  }

  @Test
  void shiftsTheHotKeys() {
    Trace trace = GeneratedWorkload.SHIFTING.generate(20_000, 1000, 1);
    long first = IntStream.range(0, 1000).map(trace::key).distinct().count();
    assertThat(first).isLessThan(160);
    assertThat(trace.distinct()).isGreaterThan(900);
  }

  @ParameterizedTest
  @EnumSource(GeneratedWorkload.class)
  void refusesImpossibleNumbers(GeneratedWorkload workload) {
    assertThatThrownBy(() -> workload.generate(0, 10, 1))
        .hasMessage("requests must be >= 1: requests=0");
    assertThatThrownBy(() -> workload.generate(10, 1, 1)).hasMessage("keys must be >= 2: keys=1");
  }
}
