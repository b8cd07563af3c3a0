/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Generated sequences of keys; small keys, so that arrays can be indexed by them. */
final class Workloads {
  private Workloads() {}

  /** Keys by a Zipf distribution; the key of a rank follows from the seed. */
  static int[] zipf(long seed, int requests, int keys, double skew) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] sums = new double[keys];
    double sum = 0;
    for (int rank = 0; rank < keys; rank++) {
      sum += Math.pow(rank + 1, -skew);
      sums[rank] = sum;
    }
    int[] keyOfRank = IntStream.range(0, keys).toArray();
    shuffle(keyOfRank, random);
    int[] result = new int[requests];
    for (int i = 0; i < requests; i++) {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sum);
      result[i] = keyOfRank[Math.min(keys - 1, found < 0 ? -found - 1 : found)];
    }
    return result;
  }

  private static void shuffle(int[] values, SplittableRandom random) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  /** 0 to {@code keys} - 1 again and again. */
  static int[] loop(int requests, int keys) {
    return IntStream.range(0, requests).map(i -> i % keys).toArray();
  }

  /** Every key once. */
  static int[] scan(int requests, int first) {
    return IntStream.range(first, first + requests).toArray();
  }

  /** Up and down again and again. */
  static int[] backAndForth(int requests, int keys) {
    return IntStream.range(0, requests)
        .map(i -> i % (2 * keys))
        .map(i -> i < keys ? i : 2 * keys - 1 - i)
        .toArray();
  }

  /** Some uses of a few keys, which are others from time to time. */
  static int[] shiftingHotSet(long seed, int requests, int hot, int every, int keys) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] result = new int[requests];
    for (int i = 0; i < requests; i++) {
      int start = i / every * hot;
      result[i] =
          random.nextInt(10) < 8 ? (start + random.nextInt(hot)) % keys : random.nextInt(keys);
    }
    return result;
  }

  /** Keys chosen by how many others were used since, short distances more often than long ones. */
  static int[] recent(long seed, int requests, int window, double newShare) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] result = new int[requests];
    int[] stack = new int[window];
    int depth = 0;
    int next = 0;
    for (int i = 0; i < requests; i++) {
      boolean fresh = depth == 0 || random.nextDouble() < newShare;
      double u = random.nextDouble();
      int at = fresh ? Math.min(depth, window - 1) : (int) (u * u * depth);
      int key = fresh ? next++ : stack[at];
      System.arraycopy(stack, 0, stack, 1, at);
      stack[0] = key;
      depth = fresh ? Math.min(window, depth + 1) : depth;
      result[i] = key;
    }
    return result;
  }

  /** One key every few requests, the others never again. */
  static int[] hotKeyInScan(int requests, int every) {
    return IntStream.range(0, requests).map(i -> i % every == 0 ? 0 : 1 + i).toArray();
  }

  /** Requests of several workloads in turn; runs of random length. */
  static int[] mixed(long seed, int run, int[]... parts) {
    SplittableRandom random = new SplittableRandom(seed);
    ArrayDeque<Integer> open = new ArrayDeque<>();
    int[] at = new int[parts.length];
    int total = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    int[] result = new int[total];
    for (int part = 0; part < parts.length; part++) {
      open.add(part);
    }
    for (int filled = 0; filled < total; ) {
      int part = open.remove();
      int count = Math.min(1 + random.nextInt(2 * run), parts[part].length - at[part]);
      System.arraycopy(parts[part], at[part], result, filled, count);
      at[part] += count;
      filled += count;
      if (at[part] < parts[part].length) {
        open.add(part);
      }
    }
    return result;
  }

  /** One after another. */
  static int[] sequence(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }

  /** The same with other keys. */
  static int[] shifted(int[] keys, int by) {
    return Arrays.stream(keys).map(key -> key + by).toArray();
  }

  /** Equal parts of a workload in step with each other, as threads would if none were faster. */
  static int[] interleaved(int[] keys, int parts) {
    int[] result = new int[keys.length];
    int[] at = new int[parts];
    for (int part = 0; part < parts; part++) {
      at[part] = (int) ((long) keys.length * part / parts);
    }
    for (int filled = 0; filled < keys.length; ) {
      for (int part = 0; part < parts; part++) {
        if (at[part] < (long) keys.length * (part + 1) / parts) {
          result[filled++] = keys[at[part]++];
        }
      }
    }
    return result;
  }
}
