/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reads of many keys, in one call and one by one. Scores count keys. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GetAllBenchmark {
  private static final int KEYS = 32;

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public @Nullable BenchmarkBlock[] hyperclockGetAll(
      HyperClockState state, KeyCursor cursor, Batch batch) {
    long[] keys = batch.keys;
    for (int i = 0; i < KEYS; i++) {
      int number = cursor.next(state.stream);
      keys[2 * i] = KeyObject.file(number);
      keys[2 * i + 1] = KeyObject.offset(number);
    }
    state.cache.getAll(keys, batch.values);
    return batch.values;
  }

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public @Nullable BenchmarkBlock[] singleGets(
      HyperClockState state, KeyCursor cursor, Batch batch) {
    @Nullable BenchmarkBlock[] values = batch.values;
    for (int i = 0; i < KEYS; i++) {
      int number = cursor.next(state.stream);
      values[i] = state.cache.get(KeyObject.file(number), KeyObject.offset(number));
    }
    return values;
  }

  /** A thread's arrays. */
  @State(Scope.Thread)
  public static class Batch {
    final long[] keys = new long[2 * KEYS];
    final @Nullable BenchmarkBlock[] values = new BenchmarkBlock[KEYS];
  }
}
