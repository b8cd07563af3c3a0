/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.List;
import java.util.SortedMap;
import java.util.StringJoiner;

/**
 * What one benchmark with one set of parameters gave.
 *
 * @param id what was measured
 * @param unit unit of the scores
 * @param forks score of each fork, the median of its iterations, in order of the rounds
 * @param cpuNanos CPU time of the whole process per operation in each fork, in the same order;
 *     empty if it was not measured
 */
public record BenchmarkMeasurement(Id id, String unit, List<Double> forks, List<Double> cpuNanos) {
  /** Name under which JMH keeps the CPU time of the whole process per operation. */
  public static final String CPU = "cpu.ns/op";

  /** Stands before the method's name where an earlier jar of the code under test ran. */
  static final String BEFORE = "before:";

  /**
   * What was measured.
   *
   * @param benchmark class and method, without packages
   * @param params parameters by name
   * @param threads number of threads
   */
  public record Id(String benchmark, SortedMap<String, String> params, int threads) {
    /**
     * The same with another benchmark.
     *
     * @param other class and method
     * @return an id
     */
    Id with(String other) {
      return new Id(other, params, threads);
    }

    /**
     * The same, run with an earlier jar of the code under test.
     *
     * @return an id
     */
    Id before() {
      return with(benchmark.replace(".", "." + BEFORE));
    }

    /**
     * What the cache went through before it was measured.
     *
     * @return STEADY or FRESH; what was recorded without it was fresh
     */
    String state() {
      return params.getOrDefault("state", "FRESH");
    }

    /**
     * A parameter.
     *
     * @param name its name
     * @return its value, empty if there is none
     */
    String param(String name) {
      return params.getOrDefault(name, "");
    }

    /**
     * The parameters but for the size, in words.
     *
     * @return the distribution, then names and values
     */
    String variant() {
      StringJoiner words = new StringJoiner(" ");
      words.add(param("distribution"));
      params.forEach(
          (name, value) -> {
            if (!name.equals("distribution") && !name.equals("size")) {
              words.add(name + " " + value);
            }
          });
      return words.toString().strip();
    }

    /**
     * The parameters in words.
     *
     * @return {@code name=value} pairs
     */
    String settings() {
      return params.toString().replaceAll("[{}]", "");
    }
  }

  /**
   * Median of the forks.
   *
   * @return the score to quote
   */
  double median() {
    return Ratio.median(forks);
  }

  /**
   * Lowest fork.
   *
   * @return the score
   */
  double min() {
    return forks.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /**
   * Highest fork.
   *
   * @return the score
   */
  double max() {
    return forks.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }
}
