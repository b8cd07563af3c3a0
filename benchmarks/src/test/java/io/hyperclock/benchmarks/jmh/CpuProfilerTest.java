/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.benchmarks.results.BenchmarkMeasurement;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

final class CpuProfilerTest {
  static {
    // Other builds on this machine may run JMH too.
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void givesTheCpuTimeOfAnOperation() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("\\.InsertBenchmark\\.hyperclock$")
                    .param("size", "4096")
                    .forks(0)
                    .threads(1)
                    .warmupIterations(1)
                    .warmupTime(TimeValue.milliseconds(100))
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(1000))
                    .addProfiler(CpuProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build())
            .run();

    assertThat(results)
        .singleElement()
        .satisfies(
            run -> {
              double cpu = run.getSecondaryResults().get(BenchmarkMeasurement.CPU).getScore();
              assertThat(run.getSecondaryResults().get(BenchmarkMeasurement.CPU).getScoreUnit())
                  .isEqualTo("ns/op");
              // An insert that evicts; a machine that gives this process little time changes that
              // little.
              assertThat(cpu).isBetween(20.0, 500_000.0);
            });
  }
}
