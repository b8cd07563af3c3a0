/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkLogTest {
  @Test
  void readsTheLogOfG1() {
    assertThat(
            MarkLog.read(
                List.of(
                    "[gc] GC(3) Concurrent Mark Cycle",
                    "[gc,marking] GC(3) Concurrent Scan Root Regions 0.131ms",
                    "[gc,marking] GC(3) Concurrent Mark (0.301s)",
                    "[gc,marking] GC(3) Concurrent Mark From Roots 4.2ms",
                    "[gc,marking] GC(3) Concurrent Mark (0.301s, 0.309s) 8.115ms",
                    "[gc,marking] GC(4) Concurrent Mark 7.5ms",
                    "[gc] GC(3) Concurrent Mark Cycle 12.862ms")))
        .containsExactly(8.115, 7.5);
  }

  @Test
  void addsTheGenerationsOfOneCollection() {
    assertThat(
            MarkLog.read(
                List.of(
                    "[gc,phases] GC(0) Concurrent Mark 1.500ms",
                    "[gc,phases] GC(0) Concurrent Mark Free 0.001ms",
                    "[gc,phases] GC(1) Y: Concurrent Mark 1.250ms",
                    "[gc,phases] GC(1) O: Concurrent Mark 2.500ms",
                    "[gc,phases] GC(1) O: Concurrent Mark Follow 2.000ms")))
        .containsExactly(1.5, 3.75);
  }

  @Test
  void findsNothingInTheLogOfACollectorThatStopsTheWorld() {
    assertThat(MarkLog.read(List.of("[gc] GC(1) Pause Full (System.gc()) 1M->1M(9M) 2.345ms")))
        .isEmpty();
  }
}
