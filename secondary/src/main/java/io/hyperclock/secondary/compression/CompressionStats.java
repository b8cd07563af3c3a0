/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compression;

/**
 * What compression has done since a tier was made.
 *
 * @param compressed records made of compressed values
 * @param raw records made of values as they were: exempt, small, or not made smaller by an eighth
 * @param rawBytes size of the values of both
 * @param storedBytes size of what was stored of them, without the headers of records
 */
public record CompressionStats(long compressed, long raw, long rawBytes, long storedBytes) {
  /**
   * How much smaller the values became, those stored as they were included.
   *
   * @return stored bytes / raw bytes, or 1 if there were none
   */
  public double ratio() {
    return rawBytes == 0 ? 1.0 : (double) storedBytes / rawBytes;
  }
}
