/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time per operation of the whole process: the benchmark's threads, those of the cache, the
 * garbage collector's and the compilers'. The clock of a process ticks every 10 ms on Linux with
 * JDK 17, so iterations should last half a second or longer.
 */
public final class CpuProfiler implements InternalProfiler {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long started;

  /** For JMH. */
  public CpuProfiler() {}

  @Override
  public String getDescription() {
    return "CPU time of the whole process per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    started = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long nanos = system.getProcessCpuTime() - started;
    long operations = result.getMetadata().getAllOps();
    return operations == 0
        ? List.of()
        : List.of(
            new ScalarResult(
                io.hyperclock.benchmarks.results.BenchmarkMeasurement.CPU,
                (double) nanos / operations,
                "ns/op",
                AggregationPolicy.AVG));
  }
}
