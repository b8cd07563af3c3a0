/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.util.Arrays;

/**
 * The best that is possible when all entries have one size: the entry used next after all others
 * leaves, or is not let in. Not thread-safe.
 *
 * <p>Source: L. A. Belady, "A study of replacement algorithms for a virtual-storage computer"
 * (1966).
 */
final class OptReplay implements TraceReplay {
  private static final int NEVER = Integer.MAX_VALUE;

  private final Trace trace;
  private final long capacity;

  OptReplay(Trace trace, long capacity) {
    this.trace = trace;
    this.capacity = capacity;
  }

  @Override
  public int hits(int from, int to) {
    int[] nextUse = nextUses(from, to);
    boolean[] resident = new boolean[trace.distinct()];
    MaxHeap uses = new MaxHeap();
    int hits = 0;
    int size = 0;
    for (int i = from; i < to; i++) {
      int key = trace.key(i);
      if (resident[key]) {
        hits++;
        size--;
        resident[key] = false;
      }
      if (nextUse[i - from] != NEVER) {
        resident[key] = true;
        uses.add(nextUse[i - from]);
        if (++size > capacity) {
          // Uses that have come are in the heap still, but below all that are to come.
          resident[trace.key(uses.removeMax())] = false;
          size--;
        }
      }
    }
    return hits;
  }

  private int[] nextUses(int from, int to) {
    int[] nextUse = new int[to - from];
    int[] nextOfKey = new int[trace.distinct()];
    Arrays.fill(nextOfKey, NEVER);
    for (int i = to - 1; i >= from; i--) {
      nextUse[i - from] = nextOfKey[trace.key(i)];
      nextOfKey[trace.key(i)] = i;
    }
    return nextUse;
  }

  /** A binary heap of ints. */
  private static final class MaxHeap {
    private int[] heap = new int[1024];
    private int size;

    void add(int value) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      int hole = size++;
      while (hole > 0 && heap[(hole - 1) / 2] < value) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
      }
      heap[hole] = value;
    }

    int removeMax() {
      int max = heap[0];
      int last = heap[--size];
      int hole = 0;
      for (int child = 1; child < size; child = 2 * hole + 1) {
        if (child + 1 < size && heap[child + 1] > heap[child]) {
          child++;
        }
        if (heap[child] <= last) {
          break;
        }
        heap[hole] = heap[child];
        hole = child;
      }
      heap[hole] = last;
      return max;
    }
  }
}
