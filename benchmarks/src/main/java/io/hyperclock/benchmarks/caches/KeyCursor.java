/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A thread's place in the stream of keys, and its way through it. No two threads go the same way: a
 * thread that came close behind another would find what that has just inserted, be faster for it,
 * and then follow it for ever, key by key.
 */
@State(Scope.Thread)
public class KeyCursor {
  private int next;
  private int step;

  /**
   * Starts anywhere.
   *
   * @param threads which of the threads this is
   */
  @Setup
  public void start(ThreadParams threads) {
    start(ThreadLocalRandom.current().nextInt(), threads.getThreadIndex());
  }

  /**
   * Starts at a place.
   *
   * @param place in the stream, or beyond it
   * @param thread number of the thread
   */
  public final void start(int place, int thread) {
    next = place;
    // Odd, so that it comes by all places: 1, -1, 3, -3, 5, …
    int width = thread / 2 * 2 + 1;
    step = thread % 2 == 0 ? width : -width;
  }

  private int place(int length) {
    int place = next & (length - 1);
    next += step;
    return place;
  }

  /**
   * Takes the next key number.
   *
   * @param stream numbers, a power of two of them
   * @return the number
   */
  public int next(int[] stream) {
    return stream[place(stream.length)];
  }

  /**
   * Takes the next key object.
   *
   * @param stream keys, a power of two of them
   * @param <K> type of the keys
   * @return the key
   */
  public <K> K next(K[] stream) {
    return stream[place(stream.length)];
  }
}
