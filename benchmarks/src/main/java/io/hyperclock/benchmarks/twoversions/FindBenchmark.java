/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * Finding in a table of 100,000 shared items, some of them prepared. {@code FAITHFUL} is the set-up
 * of the original: every thread reads all keys in the same order, and a prepared key has no
 * committed value. {@code SOUND} reads in an order of each thread's own, and a prepared key has
 * both.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FindBenchmark {
  /** How keys are prepared and read. */
  public enum SetUp {
    /** As in the original. */
    FAITHFUL,
    /** Without its flaws. */
    SOUND
  }

  /** The table. */
  @State(Scope.Benchmark)
  public static class Items {
    private static final int PERCENT = 100;

    /** Which table. */
    @Param({"VERSIONED", "PLAIN", "CHAINED_FULL", "CHAINED_EARLY"})
    public TableKind table;

    /** How keys are prepared and read. */
    @Param({"SOUND", "FAITHFUL"})
    public SetUp setUp;

    /** Keys in a hundred that are prepared. */
    @Param({"50", "10", "1", "0"})
    public int preparedPercent;

    /** Reads in a hundred of keys that are there. */
    @Param({"100", "50", "0"})
    public int hitPercent;

    TwoVersionTable items;

    /** Fills the table. */
    @Setup
    public void fill() {
      items = table.newTable(2 * TextKeys.PER_THREAD, 1);
      for (int number = 0; number < TextKeys.PER_THREAD; number++) {
        boolean prepared = isPrepared(number);
        if (!prepared || setUp == SetUp.SOUND || table == TableKind.PLAIN) {
          items.put(number, "committed");
        }
        if (prepared) {
          items.prepare(number, "prepared");
        }
      }
    }

    private boolean isPrepared(int number) {
      // Every even one, if it is half of them.
      return number * (long) preparedPercent % PERCENT < preparedPercent && preparedPercent > 0;
    }
  }

  /** The order in which one thread reads. */
  @State(Scope.Thread)
  public static class Order {
    private static final int LENGTH = 1 << 17;

    private final int[] numbers = new int[LENGTH];
    private int next = 1;

    /** Draws it. */
    @Setup
    public void draw(Items items, ThreadParams thread) {
      SplittableRandom random = new SplittableRandom(thread.getThreadIndex());
      for (int i = 0; i < LENGTH; i++) {
        boolean sound = items.setUp == SetUp.SOUND;
        int number = sound ? random.nextInt(TextKeys.PER_THREAD) : i % TextKeys.PER_THREAD;
        boolean hit = random.nextInt(Items.PERCENT) < items.hitPercent;
        numbers[i] = hit ? number : number + TextKeys.PER_THREAD;
      }
    }

    int next() {
      return numbers[next++ & LENGTH - 1];
    }
  }

  @Benchmark
  public @Nullable Object findForRead(Items items, Order order) {
    return items.items.findForRead(order.next());
  }

  @Benchmark
  public @Nullable Object findForWrite(Items items, Order order) {
    return items.items.findForWrite(order.next());
  }
}
