/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.jmh;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.CacheState;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.jmh.InsertBenchmark.NewKeys;
import io.hyperclock.benchmarks.keys.KeyObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Inserts of new keys into a full cache of which 95 % is pinned, beside one without pins. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseG1GC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PinnedInsertBenchmark {
  @Benchmark
  public InsertResult hyperclockPinned(Pinned state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, BenchmarkBlock.CHARGE_BYTES);
  }

  @Benchmark
  public InsertResult unpinned(Unpinned state, NewKeys keys) {
    return state.cache.insert(keys.file, keys.offset++, state.block, BenchmarkBlock.CHARGE_BYTES);
  }

  /** A full cache. */
  @State(Scope.Benchmark)
  public static class Unpinned {
    final BenchmarkBlock block = new BenchmarkBlock(0);
    BlockCache<BenchmarkBlock> cache;

    /** Entries there is room for. */
    @Param("65536")
    public int size;

    /** What happens when room cannot be made. */
    @Param public CapacityMode mode;

    /** What the cache went through before. */
    @Param("STEADY")
    public CacheState state;

    /** Fills the cache. */
    @Setup
    public void fill() {
      cache = HyperClockState.build(size, SlotStorage.HEAP);
      cache.setCapacityMode(mode);
      state.fill(
          size,
          2 * size,
          i ->
              cache.insert(
                  KeyObject.file(i), KeyObject.offset(i), block, BenchmarkBlock.CHARGE_BYTES),
          i -> cache.get(KeyObject.file(i), KeyObject.offset(i)),
          i -> cache.erase(KeyObject.file(i), KeyObject.offset(i)));
      state.requireFull(cache.monitor().occupancy(), size);
    }
  }

  /** A full cache of which 95 % is pinned. */
  @State(Scope.Benchmark)
  public static class Pinned extends Unpinned {
    private final List<Handle<BenchmarkBlock>> pins = new ArrayList<>();

    @Override
    public void fill() {
      super.fill();
      for (int number : HyperClockState.residents(cache)) {
        if (pins.size() < 0.95 * size) {
          pins.add(cache.lookup(KeyObject.file(number), KeyObject.offset(number)));
        }
      }
      if (cache.monitor().pinnedUsageBytes() < 0.94 * cache.monitor().capacityBytes()) {
        throw new IllegalStateException("95 % must be pinned: pins=" + pins.size());
      }
    }

    /** Releases the pins. */
    @TearDown
    public void release() {
      pins.forEach(Handle::close);
      pins.clear();
    }
  }
}
