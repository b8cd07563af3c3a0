/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.keys;

/** How often each key is used. */
public enum Distribution {
  /** Zipf with exponent 0.99, the popular keys scattered over all. */
  ZIPF,
  /** All keys alike. */
  UNIFORM,
  /** One key only. */
  ONE_KEY
}
