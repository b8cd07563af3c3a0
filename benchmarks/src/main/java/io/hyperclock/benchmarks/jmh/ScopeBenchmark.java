/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.ReadScope;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Sixteen reads in a scope of values freed explicitly, all of them hits, beside as many pinned
 * reads of such values and as many pin-free reads of values that the collector owns. A score is
 * that of one read.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC", NativeAccess.OPTION})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@OperationsPerInvocation(ScopeBenchmark.READS)
public class ScopeBenchmark {
  static final int READS = 16;

  @Benchmark
  public void hyperclock(HyperClockState.Freed state, KeyCursor cursor, Blackhole uses) {
    read(state.cache, state.stream, cursor, uses);
  }

  @Benchmark
  public void hyperclockOffHeap(
      HyperClockState.FreedOffHeap state, KeyCursor cursor, Blackhole uses) {
    read(state.cache, state.stream, cursor, uses);
  }

  private static void read(
      BlockCache<BenchmarkBlock> cache, int[] stream, KeyCursor cursor, Blackhole uses) {
    try (ReadScope<BenchmarkBlock> scope = cache.openScope()) {
      for (int i = 0; i < READS; i++) {
        int number = cursor.next(stream);
        uses.consume(scope.get(KeyObject.file(number), KeyObject.offset(number)));
      }
    }
  }

  @Benchmark
  public void pinFree(HyperClockState state, KeyCursor cursor, Blackhole uses) {
    for (int i = 0; i < READS; i++) {
      int number = cursor.next(state.stream);
      uses.consume(state.cache.get(KeyObject.file(number), KeyObject.offset(number)));
    }
  }

  @Benchmark
  public void pinned(HyperClockState.Freed state, KeyCursor cursor, Blackhole uses) {
    for (int i = 0; i < READS; i++) {
      int number = cursor.next(state.stream);
      try (Handle<BenchmarkBlock> handle =
          state.cache.lookup(KeyObject.file(number), KeyObject.offset(number))) {
        uses.consume(handle.value());
      }
    }
  }
}
