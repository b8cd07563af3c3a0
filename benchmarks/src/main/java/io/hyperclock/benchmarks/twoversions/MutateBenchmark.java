/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import java.util.SplittableRandom;
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
 * Each thread changes 100,000 items of its own, once, in a table made for the iteration. {@code
 * FAITHFUL} takes them in the order of the original, {@code SOUND} in a random order of each
 * thread's own. JMH starts all threads together after the table was filled, which is what the
 * original meant to do: its threads start while others still fill, and that is not copied. A score
 * is the time of all operations of one thread.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 5, batchSize = TextKeys.PER_THREAD)
@Measurement(iterations = 10, batchSize = TextKeys.PER_THREAD)
public class MutateBenchmark {
  /** A table that is empty. */
  @State(Scope.Benchmark)
  public static class Empty {
    /** Which table. */
    @Param({"VERSIONED", "PLAIN", "CHAINED_FULL", "CHAINED_EARLY"})
    public TableKind table;

    private TwoVersionTable items;

    /** Makes it. */
    @Setup(Level.Iteration)
    public void open(ThreadParams threads) {
      items = table.newTable(threads.getThreadCount() * TextKeys.PER_THREAD, 1);
    }
  }

  /** A table that is empty, with items in several namespaces, which only ours counts. */
  @State(Scope.Benchmark)
  public static class Divided {
    /** Number of namespaces. */
    @Param({"1", "8", "64", "512", "1000"})
    public int namespaces;

    private TwoVersionTable items;

    /** Makes it. */
    @Setup(Level.Iteration)
    public void open(ThreadParams threads) {
      int keys = threads.getThreadCount() * TextKeys.PER_THREAD;
      items = TableKind.VERSIONED.newTable(keys, namespaces);
    }
  }

  /** A table with the items of all threads. */
  @State(Scope.Benchmark)
  public static class Filled {
    private static final int PERCENT = 100;

    /** Which table. */
    @Param({"VERSIONED", "PLAIN", "CHAINED_FULL", "CHAINED_EARLY"})
    public TableKind table;

    /** Items in a hundred that are there. */
    @Param({"100", "50", "0"})
    public int hitPercent;

    private TwoVersionTable items;

    /** Fills it. */
    @Setup(Level.Iteration)
    public void fill(ThreadParams threads) {
      int keys = threads.getThreadCount() * TextKeys.PER_THREAD;
      items = table.newTable(keys, 1);
      for (int number = 0; number < keys; number++) {
        if (number % PERCENT < hitPercent) {
          items.put(number, "old");
        }
      }
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

  /** Items of one thread, in the order in which it takes them. */
  @State(Scope.Thread)
  public static class Own {
    /** Which order. */
    @Param({"SOUND", "FAITHFUL"})
    public FindBenchmark.SetUp setUp;

    private final int[] numbers = new int[TextKeys.PER_THREAD];
    private int next;

    /** Draws it: the original starts with the second item. */
    @Setup
    public void draw(ThreadParams thread) {
      int first = thread.getThreadIndex() * TextKeys.PER_THREAD;
      SplittableRandom random = new SplittableRandom(first);
      for (int i = 0; i < numbers.length; i++) {
        int at = setUp == FindBenchmark.SetUp.SOUND ? random.nextInt(i + 1) : i;
        numbers[i] = numbers[at];
        numbers[at] = first + (i + 1) % numbers.length;
      }
    }

    /** Starts anew. */
    @Setup(Level.Iteration)
    public void start() {
      next = 0;
    }

    private int next() {
      return numbers[next++];
    }
  }

  @Benchmark
  public void insert(Empty table, Own own) {
    table.items.put(own.next(), "new");
  }

  @Benchmark
  public void multiCollectionInsert(Divided table, Own own) {
    table.items.put(own.next(), "new");
  }

  @Benchmark
  public void replace(Filled table, Own own) {
    table.items.put(own.next(), "new");
  }

  @Benchmark
  public void delete(Filled table, Own own) {
    table.items.delete(own.next());
  }

  @Benchmark
  public void statsEpilogue(Counters counters, Own own) {
    int namespace = own.next() % counters.namespaces;
    counters.items[namespace].increment();
    counters.bytes[namespace].add(1);
  }
}
