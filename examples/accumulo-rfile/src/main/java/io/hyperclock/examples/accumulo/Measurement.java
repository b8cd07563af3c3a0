/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Outcome of one run: one cache, one budget, one round.
 *
 * @param budgetBytes size of the data cache, 0 if there is none
 * @param lookupsPerSecond classes looked up and analysed a second, by all threads
 * @param cpuNanos processor time of the process a lookup, garbage collection included
 * @param hits data blocks found in the cache
 * @param requests data blocks asked for
 * @param cachedBytes bytes of the data blocks in the cache at the end
 * @param cachedBlocks number of these blocks
 * @param p50Nanos median time of a lookup
 * @param p99Nanos time that 99 % of the lookups did not exceed
 * @param findings what the analysis saw
 */
record Measurement(
    long budgetBytes,
    double lookupsPerSecond,
    long cpuNanos,
    long hits,
    long requests,
    long cachedBytes,
    long cachedBlocks,
    long p50Nanos,
    long p99Nanos,
    Findings findings) {

  private static final String MARK = "measurement:";

  /** Share of the requests that found their block, 0 if there were none. */
  double hitRatio() {
    return requests == 0 ? 0.0 : (double) hits / requests;
  }

  /** Whether a line was written by {@link #toLine}. */
  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  /** One line from which {@link #fromLine} makes an equal measurement. */
  String toLine() {
    Object[] fields = {
      budgetBytes,
      Double.doubleToLongBits(lookupsPerSecond),
      cpuNanos,
      hits,
      requests,
      cachedBytes,
      cachedBlocks,
      p50Nanos,
      p99Nanos,
      findings.lookups(),
      findings.found(),
      findings.references(),
      findings.bytes(),
      findings.checksum()
    };
    return Arrays.stream(fields).map(Object::toString).collect(Collectors.joining(" ", MARK, ""));
  }

  /**
   * Reads a line.
   *
   * @param line written by {@link #toLine}
   */
  static Measurement fromLine(String line) {
    long[] f =
        Arrays.stream(line.substring(MARK.length()).split(" "))
            .mapToLong(Long::parseLong)
            .toArray();
    return new Measurement(
        f[0],
        Double.longBitsToDouble(f[1]),
        f[2],
        f[3],
        f[4],
        f[5],
        f[6],
        f[7],
        f[8],
        new Findings(f[9], f[10], f[11], f[12], f[13]));
  }
}
