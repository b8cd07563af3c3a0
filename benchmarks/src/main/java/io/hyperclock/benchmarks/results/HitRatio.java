/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

/**
 * How many requests of a trace a cache answered.
 *
 * @param trace name of the trace
 * @param capacity capacity of the cache, in entries or in the sum of their sizes
 * @param policy what decided who leaves
 * @param requests requests in all
 * @param hits requests answered
 * @param threads how many threads made them
 */
public record HitRatio(
    String trace, long capacity, String policy, long requests, long hits, int threads) {
  /**
   * Share of the requests that were answered.
   *
   * @return in [0, 1]
   */
  public double ratio() {
    return (double) hits / requests;
  }
}
