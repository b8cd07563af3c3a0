/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectorTest {
  @Test
  void asksForGenerationsWhereTheyAreAnOption() {
    String option = "-XX:+ZGenerational";
    assertThat(Collector.ZGC.flags(17, false)).contains("-XX:+UseZGC").doesNotContain(option);
    assertThat(Collector.ZGC.flags(21, false)).contains("-XX:+UseZGC", option);
    assertThat(Collector.ZGC.flags(25, false)).contains("-XX:+UseZGC").doesNotContain(option);
  }

  @Test
  void explicitCollectionsAreConcurrentWhereMarkingIsMeasured() {
    String option = "-XX:+ExplicitGCInvokesConcurrent";
    assertThat(Collector.G1.flags(17, false)).containsExactly("-XX:+UseG1GC");
    assertThat(Collector.G1.flags(17, true)).containsExactly("-XX:+UseG1GC", option);
    assertThat(Collector.PARALLEL.flags(25, true)).containsExactly("-XX:+UseParallelGC");
  }
}
