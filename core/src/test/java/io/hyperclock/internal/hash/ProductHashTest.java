/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductHashTest {
  private static final int KEYS = 1 << 16;
  private static final int BINS = 1 << 12;

  /** Files and offsets as engines have them must spread like random numbers, in both halves. */
  @ParameterizedTest(name = "{0} files, blocks {1} bytes apart, seed {2}")
  @CsvSource({
    "1, 1, 0",
    "1, 4096, 1",
    "1, 65536, 2",
    "256, 16384, 3",
    "65536, 4096, 4",
    "3, 1048576, 5"
  })
  void spreadsFilesAndOffsetsEvenly(int files, long stride, long seed) {
    long seedHi = ProductHash.seedHi(seed);
    long seedLo = ProductHash.seedLo(seed);
    long[] low = new long[BINS];
    long[] high = new long[BINS];
    for (int i = 0; i < KEYS; i++) {
      long h =
          ProductHash.hash((0x123456L << 40 | i % files) ^ seedHi, i / files * stride ^ seedLo);
      low[(int) ((h & 0xffffffffL) * BINS >>> 32)]++;
      high[(int) ((h >>> 32) * BINS >>> 32)]++;
    }
    assertThat(chiSquare(low)).as("low half").isLessThan(limit());
    assertThat(chiSquare(high)).as("high half").isLessThan(limit());
  }

  private static double chiSquare(long[] bins) {
    double expected = (double) KEYS / BINS;
    return LongStream.of(bins).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
  }

  /** Six standard deviations above the mean of a chi-square with BINS - 1 degrees of freedom. */
  private static double limit() {
    return BINS - 1 + 6 * Math.sqrt(2.0 * (BINS - 1));
  }
}
