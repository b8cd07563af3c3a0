/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import io.hyperclock.benchmarks.keys.ZipfGenerator;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/** Traces made up, the same for the same seed. */
public enum GeneratedWorkload {
  /** Zipf with exponent 0.99. */
  ZIPF,
  /** All keys in order, again and again. */
  LOOP,
  /** Zipf over half of the keys, one time in two interrupted by a scan of some of the others. */
  SCAN_ZIPF,
  /**
   * Nine of ten requests go to a twentieth of the keys, which is another one every now and then.
   */
  SHIFTING,
  /** All keys up and down, again and again. */
  BACK_AND_FORTH;

  private static final double EXPONENT = 0.99;
  private static final int SHIFTS = 20;

  /**
   * Makes a trace.
   *
   * @param requests how long, at least 1
   * @param keys number of keys to draw from, at least 2
   * @param seed start of the random numbers
   * @return the trace
   */
  public Trace generate(int requests, int keys, long seed) {
    if (requests < 1) {
      throw new IllegalArgumentException("requests must be >= 1: requests=" + requests);
    }
    if (keys < 2) {
      throw new IllegalArgumentException("keys must be >= 2: keys=" + keys);
    }
    IntUnaryOperator key = keys(requests, keys, new SplittableRandom(seed));
    KeyNumbers numbers = new KeyNumbers();
    int[] trace = new int[requests];
    for (int i = 0; i < requests; i++) {
      trace[i] = numbers.of(key.applyAsInt(i));
    }
    return new Trace(label(), trace, numbers.size(), null);
  }

  private IntUnaryOperator keys(int requests, int keys, SplittableRandom random) {
    return switch (this) {
      case ZIPF -> {
        ZipfGenerator zipf = new ZipfGenerator(keys, EXPONENT, random);
        yield i -> zipf.next();
      }
      case LOOP -> i -> i % keys;
      case SCAN_ZIPF -> {
        int half = keys / 2;
        int run = Math.max(1, half / 10);
        ZipfGenerator zipf = new ZipfGenerator(half, EXPONENT, random);
        yield i ->
            i / run % 2 == 0 ? zipf.next() : half + (i / run / 2 * run + i % run) % (keys - half);
      }
      case SHIFTING -> {
        int hot = Math.max(1, keys / SHIFTS);
        int phase = Math.max(1, requests / SHIFTS);
        yield i ->
            random.nextInt(10) == 0
                ? random.nextInt(keys)
                : (int) (((long) i / phase * hot + random.nextInt(hot)) % keys);
      }
      case BACK_AND_FORTH -> {
        int period = 2 * (keys - 1);
        yield i -> Math.min(i % period, period - i % period);
      }
    };
  }

  /**
   * Its name on the command line.
   *
   * @return lower case with hyphens
   */
  public String label() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
