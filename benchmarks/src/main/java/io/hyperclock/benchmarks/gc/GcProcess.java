/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import com.google.gson.Gson;
import com.sun.management.ThreadMXBean;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.results.Machine;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/** Runs in a JVM of its own: fills one cache, reads from it and collects, then prints figures. */
public final class GcProcess {
  private static final int VALUES = 1024;
  private static final int MIN_READS = 200_000;
  private static final int MAX_READS = 2_000_000;
  private static final int STRIDE = 7919;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Collections before the ones that count, so that everything is in the old generation. */
  static final int WARM_UP = 2;

  /** What is printed, as JSON in one line. */
  record Figures(
      List<Double> collectionMillis,
      long entries,
      long heapUsedBytes,
      long directBytes,
      double bytesPerRead) {}

  private GcProcess() {}

  /**
   * Measures.
   *
   * @param args contents, entries and number of collections
   */
  public static void main(String[] args) {
    Contents contents = Contents.valueOf(args[0]);
    int entries = Integer.parseInt(args[1]);
    int rounds = Integer.parseInt(args[2]);
    BenchmarkBlock[] values = new BenchmarkBlock[VALUES];
    for (int i = 0; i < VALUES; i++) {
      values[i] = new BenchmarkBlock(i);
    }
    Contents.Filled filled = contents.fill(entries, values);
    if (filled.entries() != entries) {
      throw new IllegalStateException(
          "all entries must be cached: entries=" + entries + ", cached=" + filled.entries());
    }
    read(filled.reader(), entries);
    double bytesPerRead =
        allocatedBytes(() -> read(filled.reader(), entries)) / (double) reads(entries);
    for (int i = 0; i < WARM_UP; i++) {
      System.gc();
    }
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      System.gc();
      millis.add((System.nanoTime() - start) / NANOS_PER_MILLI);
    }
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Reference.reachabilityFence(filled.root());
    System.out.println(
        new Gson().toJson(new Figures(millis, entries, used, Machine.directBytes(), bytesPerRead)));
  }

  private static int reads(int entries) {
    return Math.max(MIN_READS, Math.min(MAX_READS, entries));
  }

  private static void read(Contents.Reader reader, int entries) {
    int number = 0;
    for (int i = 0; i < reads(entries); i++) {
      if (reader.read(number) == null) {
        throw new IllegalStateException("all entries must be cached: missing=" + number);
      }
      number = (int) (((long) number + STRIDE) % entries);
    }
  }

  private static long allocatedBytes(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
