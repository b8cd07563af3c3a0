/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A sequence of requests for keys that are numbered 0, 1, 2, … by first appearance. Immutable. */
public final class Trace {
  private final String name;
  private final int[] keys;
  private final int distinct;
  private final int @Nullable [] sizes;

  /**
   * Makes a trace of its arrays, which must not change afterwards.
   *
   * @param name what to call it
   * @param keys key number of each request, at least one
   * @param distinct number of different keys
   * @param sizes size asked for by each request, or null if all are 1
   */
  Trace(String name, int[] keys, int distinct, int @Nullable [] sizes) {
    this.name = name;
    this.keys = keys;
    this.distinct = distinct;
    this.sizes = sizes;
  }

  /**
   * What it is called.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * How long it is.
   *
   * @return number of requests
   */
  public int requests() {
    return keys.length;
  }

  /**
   * How many different keys it has.
   *
   * @return a count
   */
  public int distinct() {
    return distinct;
  }

  /**
   * Key of a request.
   *
   * @param request in [0, requests)
   * @return a number in [0, distinct)
   */
  public int key(int request) {
    return keys[request];
  }

  /**
   * Size of a request.
   *
   * @param request in [0, requests)
   * @return its size, 1 unless weighted
   */
  public int size(int request) {
    return sizes == null ? 1 : sizes[request];
  }

  /**
   * Whether its entries have sizes.
   *
   * @return false if all are 1
   */
  public boolean weighted() {
    return sizes != null;
  }

  /**
   * The same requests with size 1.
   *
   * @return a trace that is not weighted
   */
  public Trace unweighted() {
    return sizes == null ? this : new Trace(name, keys, distinct, null);
  }

  /**
   * The requests of contiguous parts in turn, one of each.
   *
   * @param parts number of parts, at least 1
   * @return a trace as long as this
   */
  public Trace interleaved(int parts) {
    if (parts == 1) {
      return this;
    }
    KeyNumbers numbers = new KeyNumbers();
    int[] newKeys = new int[keys.length];
    int[] newSizes = sizes == null ? null : new int[keys.length];
    int[] next = new int[parts];
    Arrays.setAll(next, part -> partStart(part, parts));
    int count = 0;
    while (count < keys.length) {
      for (int part = 0; part < parts; part++) {
        if (next[part] < partStart(part + 1, parts)) {
          newKeys[count] = numbers.of(keys[next[part]]);
          if (newSizes != null) {
            newSizes[count] = size(next[part]);
          }
          next[part]++;
          count++;
        }
      }
    }
    return new Trace(name, newKeys, distinct, newSizes);
  }

  /**
   * Where a contiguous part begins.
   *
   * @param part number of the part, from 0 on
   * @param parts number of parts
   * @return its first request, as many as there are for the part after the last
   */
  int partStart(int part, int parts) {
    return (int) ((long) keys.length * part / parts);
  }

  /**
   * What a cache needs to hold all keys.
   *
   * @return sum of the sizes of each key's first request; the number of keys unless weighted
   */
  public long totalSize() {
    long total = 0;
    int next = 0;
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] == next) {
        next++;
        total += size(i);
      }
    }
    return total;
  }

  /**
   * Size of an entry.
   *
   * @return mean over the keys, rounded down, at least 1
   */
  long meanSize() {
    return Math.max(1, totalSize() / distinct);
  }
}
