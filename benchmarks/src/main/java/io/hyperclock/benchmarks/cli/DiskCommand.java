/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.Handle;
import io.hyperclock.benchmarks.results.ResultFile;
import io.hyperclock.benchmarks.results.TierRun;
import io.hyperclock.benchmarks.tiers.SlowDevice;
import io.hyperclock.benchmarks.tiers.StoredBlocks;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.disk.FileDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How many threads and reads at a time keep a device busy. */
@Command(
    name = "disk",
    description =
        "Measures 32 blocks of 16 KiB from the disk tier: one lookup after the other, and all"
            + " started and waited for together, on devices whose reads take longer and with"
            + " different numbers of threads that read.",
    mixinStandardHelpOptions = true)
final class DiskCommand implements Callable<Integer> {
  private static final int BATCH = 32;
  private static final long SEED = 22;

  @Option(
      names = "--read-micros",
      split = ",",
      defaultValue = "0,100,1000",
      description = "What a read of the device waits (default: ${DEFAULT-VALUE}).")
  private int[] readMicros = {};

  @Option(
      names = "--readers",
      split = ",",
      defaultValue = "4,16,32,64",
      description = "Threads of the tier that may read (default: ${DEFAULT-VALUE}).")
  private int[] readers = {};

  @Option(
      names = "--blocks",
      defaultValue = "4096",
      description = "Blocks in the tier (default: ${DEFAULT-VALUE}).")
  private int blocks;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Rounds; the medians are reported (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--time",
      defaultValue = "1000",
      description = "Milliseconds of each measurement (default: ${DEFAULT-VALUE}).")
  private int timeMillis;

  @Option(names = "--json", description = "File for the results, for report (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Override
  public Integer call() throws Exception {
    for (int micros : readMicros) {
      Main.require(
          spec,
          micros >= 0 && micros <= 1_000_000,
          "--read-micros must be in [0, 1000000]: read-micros=" + micros);
    }
    for (int count : readers) {
      Main.require(
          spec, count >= 1 && count <= 64, "--readers must be in [1, 64]: readers=" + count);
    }
    Main.require(
        spec,
        blocks >= 1024 && blocks <= 1 << 20,
        "--blocks must be in [1024, 1048576]: blocks=" + blocks);
    Main.require(spec, rounds >= 1, "--rounds must be >= 1: rounds=" + rounds);
    Main.require(spec, timeMillis >= 1, "--time must be >= 1: time=" + timeMillis);
    Main.requireWritable(spec, "json", json);
    List<List<String>> rows = new ArrayList<>();
    try (StoredBlocks stored = new StoredBlocks(blocks)) {
      stored.fill();
      for (int micros : readMicros) {
        for (int count : readers) {
          rows.add(measure(stored, micros, count));
          spec.commandLine().getOut().println(rows.get(rows.size() - 1));
        }
      }
    }
    TierRun run =
        new TierRun(
            "32 blocks from disk",
            "µs a block of 16 KiB that is not in the primary, by one caller. Medians of "
                + rounds
                + " rounds; the ratio is the median of those within a round.",
            List.of("a read waits, µs", "readers", "one by one", "`waitAll` of 32", "ratio"),
            rows,
            Map.of());
    if (json != null) {
      ResultFile file = ResultFile.start(Main.typed(spec));
      file.addTiers(List.of(run));
      file.write(json);
    }
    return 0;
  }

  private List<String> measure(StoredBlocks stored, int micros, int count) throws IOException {
    var tier =
        stored
            .tier()
            .device(new SlowDevice(FileDevice.open(stored.directory()), micros * 1000L))
            .readThreads(count)
            .build();
    try (TieredBlockCache<byte[]> cache = StoredBlocks.smallCache(tier)) {
      int[] numbers = micros == 0 ? stored.present(tier) : all();
      double[] single = new double[rounds];
      double[] together = new double[rounds];
      double[] ratio = new double[rounds];
      for (int round = -1; round < rounds; round++) {
        double one = microsABlock(() -> oneByOne(cache, numbers));
        double many = microsABlock(() -> waitAll(cache, numbers));
        if (round >= 0) {
          single[round] = one;
          together[round] = many;
          ratio[round] = one / many;
        }
      }
      return List.of(
          String.valueOf(micros),
          String.valueOf(count),
          shown(single),
          shown(together),
          shown(ratio));
    }
  }

  private int[] all() {
    int[] numbers = new int[blocks];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }

  private double microsABlock(Runnable batch) {
    long begin = System.nanoTime();
    long end = begin;
    long done = 0;
    while (end - begin < timeMillis * 1_000_000L) {
      batch.run();
      done += BATCH;
      end = System.nanoTime();
    }
    return (end - begin) / 1e3 / done;
  }

  private void oneByOne(TieredBlockCache<byte[]> cache, int[] numbers) {
    for (int i = 0; i < BATCH; i++) {
      release(cache.lookup(StoredBlocks.FILE, draw(numbers), StoredBlocks.BLOCK));
    }
  }

  private void waitAll(TieredBlockCache<byte[]> cache, int[] numbers) {
    long[] keys = new long[2 * BATCH];
    for (int i = 0; i < keys.length; i += 2) {
      keys[i] = StoredBlocks.FILE;
      keys[i + 1] = draw(numbers);
    }
    List<AsyncLookup<byte[]>> lookups = cache.startLookups(keys, StoredBlocks.BLOCK, null);
    cache.waitAll(lookups);
    lookups.forEach(lookup -> release(lookup.await()));
  }

  private int draw(int[] numbers) {
    return numbers[random.nextInt(numbers.length)];
  }

  private static void release(@Nullable Handle<byte[]> handle) {
    if (handle != null) {
      Objects.checkIndex(StoredBlocks.BLOCK_BYTES - 1, handle.value().length);
      handle.discard();
    }
  }

  private static String shown(double[] rounds) {
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f–%.2f)",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
