/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.hyperclock.benchmarks.results.BenchmarkMeasurement;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;
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

  private static final long SPENT_NANOS = 100_000_000;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final CpuProfiler profiler = new CpuProfiler();

  private Collection<? extends Result<?>> endIteration(long operations) {
    return profiler.afterIteration(
        null,
        null,
        new IterationResult(null, null, new IterationResultMetaData(operations, operations)));
  }

  /** The bounds are looks at the same clock, so they hold on a machine of any speed. */
  @Test
  void dividesTheCpuTimeOfTheProcessByTheOperations() {
    long before = system.getProcessCpuTime();
    profiler.beforeIteration(null, null);
    long begun = system.getProcessCpuTime();
    while (system.getProcessCpuTime() - begun < SPENT_NANOS) {
      Thread.onSpinWait();
    }
    Collection<? extends Result<?>> results = endIteration(1_000);
    long after = system.getProcessCpuTime();

    assertThat(results)
        .singleElement()
        .satisfies(
            cpu -> {
              assertThat(cpu.getLabel()).isEqualTo(BenchmarkMeasurement.CPU);
              assertThat(cpu.getScore())
                  .isBetween(SPENT_NANOS / 1_000.0, (after - before) / 1_000.0);
            });
  }

  @Test
  void givesNothingForNoOperation() {
    profiler.beforeIteration(null, null);

    assertThat(endIteration(0)).isEmpty();
  }

  @Test
  void takesPartInARun() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("\\.InsertBenchmark\\.hyperclock$")
                    .param("size", "4096")
                    .forks(0)
                    .threads(1)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(500))
                    .addProfiler(CpuProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build())
            .run();

    assertThat(results)
        .singleElement()
        .satisfies(
            run -> {
              Result<?> cpu = run.getSecondaryResults().get(BenchmarkMeasurement.CPU);
              assertThat(cpu.getScoreUnit()).isEqualTo("ns/op");
              // 0 where the machine gave this process no time: the clock ticks every 10 ms.
              assertThat(cpu.getScore()).isNotNegative();
            });
  }
}
