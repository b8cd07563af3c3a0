/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Each thread changes 100,000 items of its own, once, in a table made for the iteration. JMH starts
 * all threads together after the table was filled, which is what the original meant to do. A score
 * is the time of one operation of one thread.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 5, batchSize = TextKeys.PER_THREAD)
@Measurement(iterations = 10, batchSize = TextKeys.PER_THREAD)
public class MutateBenchmark {
  /** A table, empty or filled. */
  @State(Scope.Benchmark)
  public abstract static class Items {
    /** Which table. */
    @Param({"VERSIONED", "PLAIN", "CHAINED_FULL", "CHAINED_EARLY"})
    public TableKind table;

    TwoVersionTable items;

    void open(int threads, boolean filled, int namespaces) {
      int keys = threads * TextKeys.PER_THREAD;
      items = table.newTable(keys, namespaces);
      for (int number = 0; filled && number < keys; number++) {
        items.put(number, "old");
      }
    }
  }

  /** A table that is empty. */
  @State(Scope.Benchmark)
  public static class Empty extends Items {
    /** Makes it. */
    @Setup(Level.Iteration)
    public void open(ThreadParams threads) {
      open(threads.getThreadCount(), false, 1);
    }
  }

  /** A table that is empty, with items in several namespaces. */
  @State(Scope.Benchmark)
  public static class Divided extends Items {
    /** Number of namespaces; only tables with two versions count them. */
    @Param({"1", "8", "64", "512", "1000"})
    public int namespaces;

    /** Makes it. */
    @Setup(Level.Iteration)
    public void open(ThreadParams threads) {
      open(threads.getThreadCount(), false, namespaces);
    }
  }

  /** A table with the items of all threads. */
  @State(Scope.Benchmark)
  public static class Filled extends Items {
    /** Fills it. */
    @Setup(Level.Iteration)
    public void fill(ThreadParams threads) {
      open(threads.getThreadCount(), true, 1);
    }
  }

  /** Counters of namespaces and nothing else: what moves here is noise. */
  @State(Scope.Benchmark)
  public static class Counters {
    /** Number of namespaces. */
    @Param({"1", "8", "64", "512", "1000"})
    public int namespaces;

    private LongAdder[] items = {};
    private LongAdder[] bytes = {};

    /** Makes them. */
    @Setup(Level.Iteration)
    public void open() {
      items = new LongAdder[namespaces];
      bytes = new LongAdder[namespaces];
      for (int i = 0; i < namespaces; i++) {
        items[i] = new LongAdder();
        bytes[i] = new LongAdder();
      }
    }
  }

  /** Items of one thread. */
  @State(Scope.Thread)
  public static class Own {
    private int next;

    /** Starts with its first. */
    @Setup(Level.Iteration)
    public void start(ThreadParams thread) {
      next = thread.getThreadIndex() * TextKeys.PER_THREAD;
    }
  }

  @Benchmark
  public void insert(Empty table, Own own) {
    table.items.put(own.next++, "new");
  }

  @Benchmark
  public void multiCollectionInsert(Divided table, Own own) {
    table.items.put(own.next++, "new");
  }

  @Benchmark
  public void replace(Filled table, Own own) {
    table.items.put(own.next++, "new");
  }

  @Benchmark
  public void delete(Filled table, Own own) {
    table.items.delete(own.next++);
  }

  @Benchmark
  public void statsEpilogue(Counters counters, Own own) {
    int namespace = own.next++ % counters.namespaces;
    counters.items[namespace].increment();
    counters.bytes[namespace].add(1);
  }
}
