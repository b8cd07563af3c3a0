/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.caches.ObjectKeyState.CaffeineState;
import io.hyperclock.benchmarks.caches.ObjectKeyState.MapState;
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

/** Reads of keys that were never inserted, without a pin. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC", NativeAccess.OPTION})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AbsentBenchmark {
  @Benchmark
  public @Nullable Object hyperclock(HyperClockState state, AbsentKeys absent, KeyCursor cursor) {
    int number = cursor.next(absent.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object hyperclockOffHeap(
      HyperClockState.OffHeap state, AbsentKeys absent, KeyCursor cursor) {
    int number = cursor.next(absent.stream);
    return state.cache.get(KeyObject.file(number), KeyObject.offset(number));
  }

  @Benchmark
  public @Nullable Object caffeineNewKey(CaffeineState state, AbsentKeys absent, KeyCursor cursor) {
    return state.cache.getIfPresent(KeyObject.of(cursor.next(absent.stream)));
  }

  @Benchmark
  public @Nullable Object concurrentHashMapNewKey(
      MapState state, AbsentKeys absent, KeyCursor cursor) {
    return state.map.get(KeyObject.of(cursor.next(absent.stream)));
  }

  /** As many keys as are cached, none of which is. */
  @State(Scope.Benchmark)
  public static class AbsentKeys extends Workload {
    /** Key numbers in the order of reads; those that are inserted are not negative. */
    int[] stream;

    /** Draws the keys. */
    @Setup
    public void draw() {
      stream = KeyStream.of(size, distribution);
      for (int i = 0; i < stream.length; i++) {
        stream[i] |= Integer.MIN_VALUE;
      }
    }
  }
}
