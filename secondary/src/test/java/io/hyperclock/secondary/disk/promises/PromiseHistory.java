/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What was written to a store and what was read from it, by any number of threads.
 *
 * <p>A read of a key may find a value only if it was put for this key, the put began before the
 * read ended, and no other put or erase of the key both began after that put had ended and ended
 * before the read began.
 */
final class PromiseHistory {
  /** No value: an erase. */
  static final int ERASED = 0;

  /** {@code certain}: whether it takes away older values, which one across a close may not. */
  private record Write(int key, int version, long begin, long end, boolean certain) {}

  private record Read(int key, int version, long begin, long end) {}

  private final AtomicLong clock = new AtomicLong();
  private final AtomicIntegerArray versions;
  private final List<Recorder> recorders = new ArrayList<>();

  PromiseHistory(int keys) {
    versions = new AtomicIntegerArray(keys);
  }

  /** A moment later than all before. */
  long tick() {
    return clock.incrementAndGet();
  }

  /** A version that the key never had. */
  int nextVersion(int key) {
    return versions.incrementAndGet(key);
  }

  /** For one thread. */
  synchronized Recorder recorder() {
    Recorder recorder = new Recorder();
    recorders.add(recorder);
    return recorder;
  }

  /** Collects what one thread did. */
  static final class Recorder {
    private final List<Write> writes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();

    void wrote(int key, int version, long begin, long end, boolean certain) {
      writes.add(new Write(key, version, begin, end, certain));
    }

    void read(int key, int version, long begin, long end) {
      reads.add(new Read(key, version, begin, end));
    }
  }

  /** Reads that no order of the writes explains, and how they are wrong. */
  synchronized List<String> wrong() {
    Map<Integer, List<Write>> writesOf = new HashMap<>();
    for (Recorder recorder : recorders) {
      for (Write write : recorder.writes) {
        writesOf.computeIfAbsent(write.key, key -> new ArrayList<>()).add(write);
      }
    }
    Map<Long, Write> put = new HashMap<>();
    Map<Long, Long> deadAt = new HashMap<>();
    writesOf.values().forEach(writes -> bury(writes, put, deadAt));
    List<String> wrong = new ArrayList<>();
    for (Recorder recorder : recorders) {
      for (Read read : recorder.reads) {
        Write write = put.get(id(read.key, read.version));
        if (write == null) {
          wrong.add("never put: " + read);
        } else if (write.begin > read.end) {
          wrong.add("not yet put: " + read + ", " + write);
        } else if (deadAt.get(id(read.key, read.version)) < read.begin) {
          wrong.add("outdated: " + read + ", " + write);
        }
      }
    }
    return wrong;
  }

  /** Finds for each put of one key the first moment at which its value must not be found. */
  private static void bury(List<Write> writes, Map<Long, Write> put, Map<Long, Long> deadAt) {
    writes.sort(Comparator.comparingLong(Write::begin));
    long[] firstEnd = new long[writes.size() + 1];
    firstEnd[writes.size()] = Long.MAX_VALUE;
    for (int i = writes.size() - 1; i >= 0; i--) {
      Write write = writes.get(i);
      firstEnd[i] = Math.min(firstEnd[i + 1], write.certain ? write.end : Long.MAX_VALUE);
    }
    for (Write write : writes) {
      if (write.version != ERASED) {
        put.put(id(write.key, write.version), write);
        deadAt.put(id(write.key, write.version), firstEnd[firstAfter(writes, write.end)]);
      }
    }
  }

  /** Index of the first write that began after {@code moment}. */
  private static int firstAfter(List<Write> sorted, long moment) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).begin > moment) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static long id(int key, int version) {
    return ((long) key << 32) | version;
  }
}
