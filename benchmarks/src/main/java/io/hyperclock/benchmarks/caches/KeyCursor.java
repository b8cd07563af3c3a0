/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A thread's place in the stream of keys. */
@State(Scope.Thread)
public class KeyCursor {
  private int next;

  /** Starts anywhere. */
  @Setup
  public void start() {
    next = ThreadLocalRandom.current().nextInt();
  }

  /**
   * Takes the next key number.
   *
   * @param stream numbers, a power of two of them
   * @return the number
   */
  public int next(int[] stream) {
    return stream[next++ & (stream.length - 1)];
  }

  /**
   * Takes the next key object.
   *
   * @param stream keys, a power of two of them
   * @param <K> type of the keys
   * @return the key
   */
  public <K> K next(K[] stream) {
    return stream[next++ & (stream.length - 1)];
  }
}
