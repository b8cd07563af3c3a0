/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.keys;

import java.util.SplittableRandom;

/**
 * A fixed sequence of key numbers, the same in every process. Readers go round it from places of
 * their own, so its length is a power of two and at least twice the number of keys where memory
 * allows.
 */
public final class KeyStream {
  private static final int MIN_LENGTH = 1 << 20;
  private static final int MAX_LENGTH = 1 << 24;
  private static final double ZIPF_EXPONENT = 0.99;
  private static final long SEED = 20260101;

  private KeyStream() {}

  /**
   * Makes the sequence.
   *
   * @param keys number of keys, at least 1
   * @param distribution how often each is used
   * @return numbers in [0, keys)
   */
  public static int[] of(int keys, Distribution distribution) {
    long wanted = Math.min(MAX_LENGTH, Math.max(MIN_LENGTH, 2L * keys));
    int[] stream = new int[Integer.highestOneBit((int) wanted - 1) << 1];
    SplittableRandom random = new SplittableRandom(SEED);
    int[] shuffled = shuffle(keys, random);
    ZipfGenerator zipf = new ZipfGenerator(keys, ZIPF_EXPONENT, random);
    for (int i = 0; i < stream.length; i++) {
      stream[i] =
          switch (distribution) {
            case ZIPF -> shuffled[zipf.next()];
            case UNIFORM -> random.nextInt(keys);
            case ONE_KEY -> shuffled[0];
          };
    }
    return stream;
  }

  /**
   * Makes the sequence from given key numbers.
   *
   * @param numbers of the keys, at least one
   * @param distribution how often each is used
   * @return elements of {@code numbers}
   */
  public static int[] among(int[] numbers, Distribution distribution) {
    int[] stream = of(numbers.length, distribution);
    for (int i = 0; i < stream.length; i++) {
      stream[i] = numbers[stream[i]];
    }
    return stream;
  }

  private static int[] shuffle(int n, SplittableRandom random) {
    int[] shuffled = new int[n];
    for (int i = 1; i < n; i++) {
      int j = random.nextInt(i + 1);
      shuffled[i] = shuffled[j];
      shuffled[j] = i;
    }
    return shuffled;
  }
}
