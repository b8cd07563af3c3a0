/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.Block;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.keys.BlockKey;
import java.io.PrintWriter;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import org.openjdk.jol.info.GraphLayout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Weighs full caches that hold nothing but one shared value. */
@Command(
    name = "footprint",
    description = "Prints the bytes that full caches take per entry, keys included, values not.",
    mixinStandardHelpOptions = true)
final class FootprintCommand implements Callable<Integer> {
  private static final int MAX_SIZE = 20_000_000;

  @Option(
      names = "--size",
      defaultValue = "1048576",
      description = "Entries there is room for (default: ${DEFAULT-VALUE}).")
  private int size;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Main.require(
        spec,
        size >= 1024 && size <= MAX_SIZE,
        "--size must be in [1024, " + MAX_SIZE + "]: size=" + size);
    System.setProperty("jol.magicFieldOffset", "true");
    Block block = new Block(0);
    hyperclock(SlotStorage.HEAP, block);
    hyperclock(SlotStorage.OFF_HEAP, block);
    Cache<BlockKey, Block> caffeine = Caffeine.newBuilder().maximumSize(size).build();
    for (int i = 0; i < 2 * size; i++) {
      caffeine.put(BlockKey.of(i), block);
    }
    caffeine.cleanUp();
    print("Caffeine", GraphLayout.parseInstance(caffeine).totalSize(), caffeine.estimatedSize());
    return 0;
  }

  private void hyperclock(SlotStorage storage, Block block) {
    long direct = directBytes();
    try (BlockCache<Block> cache = HyperClockState.build(size, storage)) {
      for (int i = 0; i < 2 * size; i++) {
        cache.insert(BlockKey.file(i), BlockKey.offset(i), block, Block.CHARGE_BYTES);
      }
      long bytes = GraphLayout.parseInstance(cache).totalSize() + directBytes() - direct;
      print("HyperClock " + storage, bytes, cache.occupancy());
    }
  }

  private void print(String name, long bytes, long entries) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%-20s %,15d bytes %,12d entries %7.1f bytes/entry%n",
        name, bytes, entries, (double) bytes / entries);
    out.flush();
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
