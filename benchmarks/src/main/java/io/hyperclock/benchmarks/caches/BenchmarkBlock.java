/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

/**
 * A cached value. It stands for 16 KiB and carries only its number, so that memory goes to the
 * caches under test.
 *
 * @param number number of its key
 */
public record BenchmarkBlock(int number) {
  /** Charge of a block, in bytes. */
  public static final long CHARGE_BYTES = 16 << 10;
}
