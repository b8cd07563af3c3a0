/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.results.Footprint;
import io.hyperclock.benchmarks.results.FootprintSection;
import io.hyperclock.benchmarks.results.Machine;
import io.hyperclock.benchmarks.results.ResultFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jol.info.GraphLayout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Weighs full caches that hold nothing but one shared value. */
@Command(
    name = "footprint",
    description =
        "Weighs full caches: bytes of overhead per entry, keys included, values not. Caffeine's"
            + " keys are objects of two longs, HyperClock's two longs in the slot.",
    mixinStandardHelpOptions = true)
final class FootprintCommand implements Callable<Integer> {
  private static final int MAX_SIZE = 20_000_000;
  private static final int COLLECTIONS = 20;
  private static final int MOST_CLASSIC = 64;
  private static final int MOST_ADAPTIVE = 76;

  /** Of a cache that sizes itself: that depends on how it has grown. */
  private static final int NO_BAR = 0;

  @Option(
      names = "--size",
      split = ",",
      defaultValue = "1048576",
      description = "Entries there is room for (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(names = "--json", description = "File for the results (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    for (int size : sizes) {
      Main.require(
          spec,
          size >= 1024 && size <= MAX_SIZE,
          "--size must be in [1024, " + MAX_SIZE + "]: size=" + size);
    }
    Main.requireWritable(spec, "json", json);
    System.setProperty("jol.magicFieldOffset", "true");
    List<Footprint> footprints = new ArrayList<>();
    for (int size : sizes) {
      for (ReplacementPolicy policy : ReplacementPolicy.values()) {
        for (SlotStorage storage : SlotStorage.values()) {
          footprints.add(hyperclock(size, policy, storage, true));
        }
      }
      footprints.add(hyperclock(size, ReplacementPolicy.ADAPTIVE, SlotStorage.HEAP, false));
      footprints.add(caffeine(size));
    }
    spec.commandLine().getOut().print(FootprintSection.table(footprints));
    spec.commandLine().getOut().flush();
    if (json != null) {
      ResultFile file = ResultFile.start(Main.typed(spec));
      file.addFootprints(footprints);
      file.write(json);
    }
    return 0;
  }

  private static Footprint hyperclock(
      int size, ReplacementPolicy policy, SlotStorage storage, boolean isEstimated) {
    BenchmarkBlock block = new BenchmarkBlock(0);
    long direct = directBytesOfOthers();
    // Else the common pool and its threads would be weighed too.
    BlockCacheBuilder<BenchmarkBlock> builder =
        BlockCache.<BenchmarkBlock>builder()
            .capacityBytes(size * BenchmarkBlock.CHARGE_BYTES)
            .executor(Runnable::run)
            .metadataCharge(MetadataCharge.NONE)
            .replacementPolicy(policy)
            .storage(storage);
    if (isEstimated) {
      builder.estimatedEntryCharge(BenchmarkBlock.CHARGE_BYTES);
    }
    try (BlockCache<BenchmarkBlock> cache = builder.build()) {
      for (int i = 0; i < 2 * size; i++) {
        cache.insert(KeyObject.file(i), KeyObject.offset(i), block, BenchmarkBlock.CHARGE_BYTES);
      }
      return new Footprint(
          "HyperClock, %s, %s%s"
              .formatted(
                  policy,
                  storage == SlotStorage.HEAP ? "heap" : "off heap",
                  isEstimated ? "" : ", sizes itself")
              .replace("CLASSIC", "classic")
              .replace("ADAPTIVE", "adaptive"),
          size,
          cache.monitor().occupancy(),
          heapBytes(cache, block),
          Machine.directBytes() - direct,
          !isEstimated
              ? NO_BAR
              : policy == ReplacementPolicy.CLASSIC ? MOST_CLASSIC : MOST_ADAPTIVE);
    }
  }

  /** Direct memory in use once the buffers of caches measured before are gone. */
  private static long directBytesOfOthers() {
    for (int i = 0; i < COLLECTIONS && Machine.directBytes() > 0; i++) {
      System.gc();
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    return Machine.directBytes();
  }

  private static Footprint caffeine(int size) {
    BenchmarkBlock block = new BenchmarkBlock(0);
    // Else the common pool and its threads would be weighed too.
    Cache<KeyObject, BenchmarkBlock> cache =
        Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
    for (int i = 0; i < 2 * size; i++) {
      cache.put(KeyObject.of(i), block);
    }
    cache.cleanUp();
    return new Footprint("Caffeine", size, cache.estimatedSize(), heapBytes(cache, block), 0, 0);
  }

  private static long heapBytes(Object cache, BenchmarkBlock block) {
    return GraphLayout.parseInstance(cache).totalSize()
        - GraphLayout.parseInstance(block).totalSize();
  }
}
