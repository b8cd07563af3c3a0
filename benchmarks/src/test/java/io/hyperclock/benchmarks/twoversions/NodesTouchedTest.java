/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that a hit looks at in a chained table, as counted for the original. */
class NodesTouchedTest {
  private static final int BUCKETS = 100_000;

  @ParameterizedTest
  @CsvSource({"1, false, 3.07", "8, false, 14.45", "1, true, 2.03", "8, true, 7.73"})
  void areThoseOfTheOriginal(int threads, boolean stopsEarly, double expected) {
    int keys = threads * TextKeys.PER_THREAD;
    ChainedTable table = new ChainedTable(BUCKETS, keys, stopsEarly);
    for (int number = 0; number < keys; number++) {
      table.put(number, "x");
    }
    long nodes = 0;
    for (int number = 0; number < keys; number++) {
      nodes += table.nodesTouched(number);
    }
    assertThat(nodes / (double) keys).isCloseTo(expected, within(0.0051));
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void bothVersionsAreFound(boolean stopsEarly) {
    ChainedTable table = new ChainedTable(7, 20, stopsEarly);
    for (int number = 0; number < 20; number++) {
      table.put(number, "c" + number);
      table.prepare(number, "p" + number);
    }
    assertThat(table.findForRead(5)).isEqualTo("c5");
    assertThat(table.findForWrite(5)).isEqualTo("p5");
    table.delete(5);
    assertThat(table.findForRead(5)).isNull();
    assertThat(table.findForRead(6)).isEqualTo("c6");
  }
}
