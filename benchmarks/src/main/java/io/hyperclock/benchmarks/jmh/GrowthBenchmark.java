/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.Workload;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads, all hits, beside bare reads of as many cache lines at random places: one in an array as
 * large as the slots, one in an array as large as the references to values.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GrowthBenchmark {
  @Benchmark
  public @Nullable Object hyperclock(HyperClockState state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object rawReads(Lines state, KeyCursor cursor) {
    int slot = state.slot(cursor.next(state.stream));
    return state.words[slot * Lines.SLOT_WORDS] == 0 ? state.references[slot] : null;
  }

  /** Arrays of the size of HyperClock's. */
  @State(Scope.Benchmark)
  public static class Lines extends Workload {
    static final int SLOT_WORDS = 4;
    private static final double ENTRIES_PER_SLOT = 0.7;
    private static final double FRESH_ENTRIES_PER_SLOT = ENTRIES_PER_SLOT * 8 / 9;

    /** Key numbers in the order of reads. */
    int[] stream;

    /** Slots. */
    long[] words;

    /** Values. */
    @Nullable Object[] references;

    /** Makes the arrays. */
    @Setup
    public void fill() {
      stream = KeyStream.of(size, distribution);
      int slots = (int) (size / (isSteady() ? ENTRIES_PER_SLOT : FRESH_ENTRIES_PER_SLOT));
      words = new long[slots * SLOT_WORDS];
      references = new Object[slots];
      for (int i = 0; i < slots; i++) {
        references[i] = this;
      }
    }

    int slot(int number) {
      long scattered = (number * 0x9E3779B97F4A7C15L) >>> 32;
      return (int) ((scattered * references.length) >>> 32);
    }
  }
}
