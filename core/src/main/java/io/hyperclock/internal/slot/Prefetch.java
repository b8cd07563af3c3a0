/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.slot;

/**
 * Lets a processor wait for several cache lines at once: load a word of each, add the words up, and
 * hand the sum in here. A read-modify-write waits for all loads before it, so lines first met
 * between such steps are waited for one by one.
 */
public final class Prefetch {
  private static final long UNLIKELY = 0x5DEECE66D1234567L;

  private Prefetch() {}

  /** Uses a sum, so that the compiler keeps the loads. */
  public static void use(long sum) {
    if (sum == UNLIKELY) {
      Thread.onSpinWait();
    }
  }
}
