/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.CountedBlock;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.caches.ObjectKeyState.CaffeineState;
import io.hyperclock.benchmarks.caches.ObjectKeyState.CountedCaffeineState;
import io.hyperclock.benchmarks.caches.ObjectKeyState.CountedMapState;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reads that keep the value from being freed while it is used, all of them hits, against what
 * storage engines do on other caches; {@link #caffeine} does not pin and is there for comparison.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC", NativeAccess.OPTION})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PinBenchmark {
  @Benchmark
  public void hyperclock(HyperClockState.Freed state, KeyCursor cursor, Blackhole uses) {
    pin(state.cache, cursor.next(state.stream), uses);
  }

  @Benchmark
  public void hyperclockOffHeap(
      HyperClockState.FreedOffHeap state, KeyCursor cursor, Blackhole uses) {
    pin(state.cache, cursor.next(state.stream), uses);
  }

  @Benchmark
  public void automatic(HyperClockState.FreedAutomatic state, KeyCursor cursor, Blackhole uses) {
    pin(state.cache, cursor.next(state.stream), uses);
  }

  private static void pin(BlockCache<BenchmarkBlock> cache, int number, Blackhole uses) {
    try (Handle<BenchmarkBlock> handle =
        cache.lookup(KeyObject.file(number), KeyObject.offset(number))) {
      uses.consume(handle.value());
    }
  }

  /** A count raised by CAS unless it is zero; another read if it is. */
  @Benchmark
  public void caffeineCounted(CountedCaffeineState state, KeyCursor cursor, Blackhole uses) {
    KeyObject key = cursor.next(state.keys);
    CountedBlock block;
    do {
      block = state.cache.getIfPresent(key);
    } while (!block.tryRetain());
    uses.consume(block);
    block.release();
  }

  /** A count raised under the lock of the map's bin. */
  @Benchmark
  public void computeIfPresentCounted(CountedMapState state, KeyCursor cursor, Blackhole uses) {
    CountedBlock block =
        state.map.computeIfPresent(
            cursor.next(state.keys),
            (key, found) -> {
              found.retain();
              return found;
            });
    uses.consume(block);
    block.release();
  }

  @Benchmark
  public void caffeine(CaffeineState state, KeyCursor cursor, Blackhole uses) {
    uses.consume(state.cache.getIfPresent(cursor.next(state.keys)));
  }
}
