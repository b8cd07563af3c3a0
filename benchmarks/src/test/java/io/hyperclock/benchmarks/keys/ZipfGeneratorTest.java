/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ZipfGeneratorTest {
  private static final int DRAWS = 1_000_000;

  @ParameterizedTest
  @CsvSource({"1000, 0.99", "1000, 0.5", "1000, 1.5", "2, 0.99", "1, 0.99"})
  void drawsRanksWithTheirProbabilities(int n, double exponent) {
    ZipfGenerator zipf = new ZipfGenerator(n, exponent, new SplittableRandom(7));
    int[] drawn = new int[n];
    for (int i = 0; i < DRAWS; i++) {
      drawn[zipf.next()]++;
    }
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += weight(rank, exponent);
    }
    for (int rank = 0; rank < n; rank++) {
      double expected = DRAWS * weight(rank, exponent) / sum;
      assertThat((double) drawn[rank])
          .as("rank %d", rank)
          .isCloseTo(expected, Offset.offset(5 * Math.sqrt(expected) + 1));
    }
  }

  private static double weight(int rank, double exponent) {
    return Math.pow(rank + 1, -exponent);
  }

  @Test
  void reachesTheLastRankOfMany() {
    int n = 10_000_000;
    ZipfGenerator zipf = new ZipfGenerator(n, 0.99, new SplittableRandom(7));
    int highest = 0;
    for (int i = 0; i < DRAWS; i++) {
      highest = Math.max(highest, zipf.next());
    }
    assertThat(highest).isBetween(n - n / 100, n - 1);
  }

  @Test
  void refusesImpossibleSettings() {
    SplittableRandom random = new SplittableRandom(7);
    assertThatThrownBy(() -> new ZipfGenerator(0, 0.99, random)).hasMessage("n must be >= 1: n=0");
    assertThatThrownBy(() -> new ZipfGenerator(10, 1, random))
        .hasMessage("exponent must be > 0 and not 1: exponent=1.0");
    assertThatThrownBy(() -> new ZipfGenerator(10, Double.NaN, random))
        .hasMessage("exponent must be > 0 and not 1: exponent=NaN");
  }
}
