/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.caches;

import io.hyperclock.MetadataCharge;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.VersionedCache;
import java.time.Duration;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** HyperClock with two versions of each key, none of them prepared. */
@State(Scope.Benchmark)
public class VersionedState extends Workload {
  private final int preparedOneIn;

  /** The cache. */
  public VersionedCache<BenchmarkBlock> cache;

  /** Key numbers in the order of reads. */
  public int[] stream;

  private int[] resident;

  /** For JMH. */
  public VersionedState() {
    this(0);
  }

  VersionedState(int preparedOneIn) {
    this.preparedOneIn = preparedOneIn;
  }

  /** Fills the cache. */
  @Setup
  public void fill() {
    cache =
        VersionedCache.<BenchmarkBlock>builder()
            .capacityBytes(capacity() * BenchmarkBlock.CHARGE_BYTES)
            .estimatedEntryCharge(BenchmarkBlock.CHARGE_BYTES)
            .metadataCharge(MetadataCharge.NONE)
            .maxPreparedShare(1)
            .lease(Duration.ofDays(1))
            .build();
    int inserts = inserts();
    state.fill(
        size,
        size,
        i ->
            cache.put(
                KeyObject.file(i),
                KeyObject.offset(i),
                new BenchmarkBlock(i),
                BenchmarkBlock.CHARGE_BYTES),
        i -> cache.get(KeyObject.file(i), KeyObject.offset(i)),
        i -> cache.erase(KeyObject.file(i), KeyObject.offset(i)));
    resident =
        IntStream.range(0, inserts)
            .filter(i -> cache.get(KeyObject.file(i), KeyObject.offset(i)) != null)
            .toArray();
    state.requireFull(resident.length, size);
    stream = KeyStream.among(resident, distribution);
    for (int i = 0; preparedOneIn > 0 && i < resident.length; i += preparedOneIn) {
      int number = resident[i];
      cache
          .prepare(
              KeyObject.file(number),
              KeyObject.offset(number),
              new BenchmarkBlock(-1),
              0,
              PrepareMode.PLAIN)
          .orThrow();
    }
    requireAllCached();
  }

  /** Checks that no read can have missed. */
  @TearDown
  public void requireAllCached() {
    for (int i : resident) {
      BenchmarkBlock block = cache.get(KeyObject.file(i), KeyObject.offset(i));
      requireHit(block != null && block.number() == i, i);
    }
  }

  /** The same with every second key prepared. */
  @State(Scope.Benchmark)
  public static class Half extends VersionedState {
    /** For JMH. */
    public Half() {
      super(2);
    }
  }
}
