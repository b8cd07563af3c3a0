/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.OffHeapValues;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads of values off the heap, all of them hits, beside OHC: eight bytes of a value in place while
 * it cannot be freed, and a copy of the whole value.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OffHeapValueBenchmark {
  @Benchmark
  public long hyperclockInPlace(OffHeapValues.HyperClockValues state, KeyCursor cursor) {
    return state.read(cursor.next(state.stream));
  }

  @Benchmark
  public long ohcInPlace(OffHeapValues.OhcValues state, KeyCursor cursor) {
    return state.read(cursor.next(state.stream));
  }

  @Benchmark
  public byte[] hyperclockCopy(OffHeapValues.HyperClockValues state, KeyCursor cursor) {
    int number = cursor.next(state.stream);
    try (var handle = state.cache.lookup(KeyObject.file(number), KeyObject.offset(number))) {
      ByteBuffer buffer = handle.value();
      byte[] copy = new byte[buffer.capacity()];
      buffer.get(0, copy);
      return copy;
    }
  }

  @Benchmark
  public byte[] ohcCopy(OffHeapValues.OhcValues state, KeyCursor cursor) {
    return state.cache.get(KeyObject.of(cursor.next(state.stream)));
  }
}
