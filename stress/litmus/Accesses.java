/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One method per way in which the cache accesses shared words. {@code accesses.sh} has HotSpot compile them for
 * AArch64 and prints the instructions; the litmus tests are written with these.
 */
public final class Accesses {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final int WARM_UP = 20_000;

  private Accesses() {}

  static long getOpaque(long[] words, int i) {
    return (long) LONGS.getOpaque(words, i);
  }

  static long getAcquire(long[] words, int i) {
    return (long) LONGS.getAcquire(words, i);
  }

  static long getVolatile(long[] words, int i) {
    return (long) LONGS.getVolatile(words, i);
  }

  static void setOpaque(long[] words, int i, long word) {
    LONGS.setOpaque(words, i, word);
  }

  static void setRelease(long[] words, int i, long word) {
    LONGS.setRelease(words, i, word);
  }

  static void setVolatile(long[] words, int i, long word) {
    LONGS.setVolatile(words, i, word);
  }

  static boolean compareAndSet(long[] words, int i, long from, long to) {
    return LONGS.compareAndSet(words, i, from, to);
  }

  static long getAndAdd(long[] words, int i, long delta) {
    return (long) LONGS.getAndAdd(words, i, delta);
  }

  static long getAndSet(long[] words, int i, long word) {
    return (long) LONGS.getAndSet(words, i, word);
  }

  static Object valueOpaque(Object[] values, int i) {
    return VALUES.getOpaque(values, i);
  }

  static Object valueAcquire(Object[] values, int i) {
    return VALUES.getAcquire(values, i);
  }

  static void acquireFence(long[] words) {
    words[0]++;
    VarHandle.acquireFence();
    words[1]++;
  }

  static void releaseFence(long[] words) {
    words[0]++;
    VarHandle.releaseFence();
    words[1]++;
  }

  static void fullFence(long[] words) {
    words[0]++;
    VarHandle.fullFence();
    words[1]++;
  }

  /** Two acquiring loads, two opaque ones, a fence, an opaque one: the shape of a validated read. */
  static Object validatedRead(long[] words, Object[] values, int i) {
    long generation = (long) LONGS.getAcquire(words, i);
    long meta = (long) LONGS.getAcquire(words, i + 1);
    long key = (long) LONGS.getOpaque(words, i + 2);
    Object value = VALUES.getOpaque(values, i);
    VarHandle.acquireFence();
    long again = (long) LONGS.getOpaque(words, i);
    return generation == again && meta > 0 && key == 7 ? value : null;
  }

  /** A read-modify-write, a fence, stores, a releasing store: the shape of a tear-down. */
  static void tearDown(long[] words, Object[] values, int i) {
    LONGS.getAndAdd(words, i, 1L);
    VarHandle.releaseFence();
    LONGS.setOpaque(words, i + 2, 0L);
    VALUES.setOpaque(values, i, null);
    LONGS.setRelease(words, i + 1, 0L);
  }

  /** A store, a full fence, a load: the shape of an announcement. */
  static long announce(long[] words, int mine, int theirs) {
    LONGS.setRelease(words, mine, 1L);
    VarHandle.fullFence();
    return (long) LONGS.getAcquire(words, theirs);
  }

  /** A read-modify-write followed by an acquiring load, which need not stay behind it. */
  static long addThenAcquire(long[] words, int mine, int theirs) {
    LONGS.getAndAdd(words, mine, 1L);
    return (long) LONGS.getAcquire(words, theirs);
  }

  /** A read-modify-write followed by a volatile load, which stays behind it. */
  static long addThenVolatile(long[] words, int mine, int theirs) {
    LONGS.getAndAdd(words, mine, 1L);
    return (long) LONGS.getVolatile(words, theirs);
  }

  public static void main(String[] args) {
    long[] words = new long[16];
    Object[] values = {"a", "b", "c", "d"};
    long sum = 0;
    for (int n = 0; n < WARM_UP; n++) {
      int i = n & 3;
      sum += getOpaque(words, i) + getAcquire(words, i) + getVolatile(words, i);
      setOpaque(words, i, n);
      setRelease(words, i, n);
      setVolatile(words, i, n);
      sum += compareAndSet(words, i, n, n + 1) ? 1 : 0;
      sum += getAndAdd(words, i, 1) + getAndSet(words, i, n);
      sum += valueOpaque(values, i) == valueAcquire(values, i) ? 1 : 0;
      acquireFence(words);
      releaseFence(words);
      fullFence(words);
      sum += validatedRead(words, values, i) == null ? 1 : 0;
      tearDown(words, values, 1);
      values[1] = "b";
      sum += announce(words, i, i + 1) + addThenAcquire(words, i, i + 4) + addThenVolatile(words, i, i + 4);
    }
    System.out.println("sum=" + sum);
  }
}
