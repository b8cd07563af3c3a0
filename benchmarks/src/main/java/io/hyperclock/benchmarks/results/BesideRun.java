/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

/**
 * One run of a workload by one program.
 *
 * @param workload options of the workload, as both programs take them
 * @param threads number of threads
 * @param program name of the program, with its version if it is not ours
 * @param cache which of its caches
 * @param ours whether it is ours
 * @param round number of this run among equal ones
 * @param opsPerSecond operations of all threads by the clock on the wall
 * @param hitRatio share of the lookups that found their key
 */
public record BesideRun(
    String workload,
    int threads,
    String program,
    String cache,
    boolean ours,
    int round,
    double opsPerSecond,
    double hitRatio) {
  String name() {
    return program + " " + cache;
  }
}
