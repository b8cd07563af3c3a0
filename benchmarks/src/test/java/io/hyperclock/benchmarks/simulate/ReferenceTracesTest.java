/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares with a reference simulation on real traces, where their directory exists; the project
 * carries none.
 */
final class ReferenceTracesTest {
  private static final Path DIRECTORY =
      Path.of(System.getProperty("hyperclock.traces", "../../shared/traces"));
  private static final Simulation ONE_THREAD = new Simulation(1, 1, 1);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lirs_cpp",
        "lirs_loop",
        "lirs_multi1",
        "lirs_multi3",
        "lirs_sprite",
        "corda",
        "c2k_web12"
      })
  void givesTheExpectedRatios(String name) {
    Path file = DIRECTORY.resolve(name + ".bin.gz");
    Path table = DIRECTORY.resolve("expected.csv");
    assumeTrue(Files.exists(file) && Files.exists(table), "trace is there: trace=" + file);
    Trace trace = TraceReader.read(file, null);
    ExpectedRatios expected = ExpectedRatios.read(table);
    assertThat(expected.capacities(name)).isNotEmpty();
    for (long capacity : expected.capacities(name)) {
      assertRatio(expected, trace, capacity, Policy.LRU, 0.0000051);
      assertRatio(expected, trace, capacity, Policy.OPT, 0.0000051);
      assertRatio(expected, trace, capacity, Policy.CLASSIC, 0.01);
    }
  }

  private static void assertRatio(
      ExpectedRatios expected, Trace trace, long capacity, Policy policy, double offset) {
    double ratio = expected.ratio(trace.name(), capacity, policy.column()).orElseThrow();
    assertThat(ONE_THREAD.run(trace, capacity, policy).ratio())
        .as("%s %s %d", policy, trace.name(), capacity)
        .isCloseTo(ratio, within(offset));
  }
}
