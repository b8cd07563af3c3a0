/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.BlockCache;
import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.keys.KeyStream;
import io.hyperclock.benchmarks.results.ResultFile;
import io.hyperclock.benchmarks.results.TierRun;
import io.hyperclock.benchmarks.tiers.StoredBlocks;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.WarmRestart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How soon a cache is warm again after a restart. */
@Command(
    name = "restart",
    description =
        "Reads blocks of 16 KiB with a Zipf distribution at a fixed rate through a cache above a"
            + " disk tier, closes it, opens it again, and goes on: with the list of the hottest"
            + " keys and without. Counts the lookups that the primary answers.",
    mixinStandardHelpOptions = true)
final class RestartCommand implements Callable<Integer> {
  private static final int KEYS_PER_BLOCK = 8;
  private static final int AFTER_SECONDS = 10;
  private static final int WINDOW_SECONDS = 3;
  private static final String BEFORE = "before";

  @Option(
      names = "--entries",
      defaultValue = "4096",
      description =
          "Blocks that the primary has room for; eight times as many keys"
              + " (default: ${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Lookups a second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--load-micros",
      defaultValue = "500",
      description = "What a load of the storage waits (default: ${DEFAULT-VALUE}).")
  private int loadMicros;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "Seconds to watch after the restart (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(names = "--json", description = "File for the results, for report (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  private int[] stream = {};
  private int next;

  @Override
  public Integer call() throws Exception {
    Main.require(
        spec,
        entries >= 64 && entries <= 1 << 20,
        "--entries must be in [64, 1048576]: entries=" + entries);
    Main.require(
        spec, rate >= 1 && rate <= 1_000_000, "--rate must be in [1, 1000000]: rate=" + rate);
    Main.require(
        spec,
        loadMicros >= 0 && loadMicros <= 1_000_000,
        "--load-micros must be in [0, 1000000]: load-micros=" + loadMicros);
    Main.require(
        spec,
        seconds > AFTER_SECONDS + WINDOW_SECONDS && seconds <= 3600,
        "--seconds must be in [14, 3600]: seconds=" + seconds);
    Main.requireWritable(spec, "json", json);
    stream = KeyStream.of(KEYS_PER_BLOCK * entries, Distribution.ZIPF);
    Map<String, List<double[]>> curves = new LinkedHashMap<>();
    List<List<String>> rows = new ArrayList<>();
    run("without the list", false, curves, rows);
    run("with the list", true, curves, rows);
    TierRun result =
        new TierRun(
            "The first minute after a restart",
            String.format(
                Locale.ROOT,
                "Lookups answered by the primary, in %%, %d a second of a Zipf distribution over %d"
                    + " keys, %d blocks of 16 KiB in the primary, above a disk tier; a load waits"
                    + " %d µs. Before: in the seconds before the close. After: from second %d on,"
                    + " for %d seconds.",
                rate,
                KEYS_PER_BLOCK * entries,
                entries,
                loadMicros,
                AFTER_SECONDS,
                WINDOW_SECONDS),
            List.of("", BEFORE, "first second", "after 10 s", "after 10 s / before", "close, ms"),
            rows,
            curves);
    if (json != null) {
      ResultFile file = ResultFile.start(Main.typed(spec));
      file.addTiers(List.of(result));
      file.write(json);
    }
    return 0;
  }

  private void run(
      String name, boolean warm, Map<String, List<double[]>> curves, List<List<String>> rows)
      throws IOException {
    next = 0;
    try (StoredBlocks stored = new StoredBlocks(KEYS_PER_BLOCK * entries)) {
      double before;
      long closing;
      TieredBlockCache<byte[]> cache = open(stored, warm);
      try (cache) {
        for (int i = 0; i < stream.length / 2; i++) {
          read(cache, false);
        }
        before = average(watch(cache, WINDOW_SECONDS), 0, WINDOW_SECONDS);
        closing = System.nanoTime();
      }
      double closed = (System.nanoTime() - closing) / 1e6;
      List<double[]> points;
      try (TieredBlockCache<byte[]> again = open(stored, warm)) {
        points = watch(again, seconds);
      }
      curves.put(name, points);
      double after = average(points, AFTER_SECONDS, WINDOW_SECONDS);
      List<String> row =
          List.of(
              name,
              shown(before),
              shown(points.get(0)[1]),
              shown(after),
              shown(after / before),
              shown(closed));
      rows.add(row);
      spec.commandLine().getOut().println(row);
    }
  }

  private TieredBlockCache<byte[]> open(StoredBlocks stored, boolean warm) {
    var builder =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder()
                    .capacityBytes((long) entries * StoredBlocks.BLOCK_BYTES)
                    .estimatedEntryCharge(StoredBlocks.BLOCK_BYTES))
            .tier(stored.tier().directory(stored.directory()).build());
    return (warm ? builder.warmRestart(WarmRestart.of(StoredBlocks.BLOCK)) : builder).build();
  }

  /** Hits in percent in each second. */
  private List<double[]> watch(TieredBlockCache<byte[]> cache, int forSeconds) {
    List<double[]> points = new ArrayList<>();
    long begin = System.nanoTime();
    for (int second = 0; second < forSeconds; second++) {
      int hits = 0;
      for (int i = 0; i < rate; i++) {
        long due = begin + (long) ((second + (double) i / rate) * 1e9);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        hits += read(cache, true) ? 1 : 0;
      }
      points.add(new double[] {second, 100.0 * hits / rate});
    }
    return points;
  }

  /** Whether the primary had it. */
  private boolean read(TieredBlockCache<byte[]> cache, boolean waits) {
    int number = stream[next++ & stream.length - 1];
    boolean hit = cache.primary().peek(StoredBlocks.FILE, number) != null;
    cache.get(StoredBlocks.FILE, number, StoredBlocks.BLOCK, null, (hi, lo) -> load(lo, waits));
    return hit;
  }

  private byte[] load(long number, boolean waits) {
    if (waits) {
      LockSupport.parkNanos(loadMicros * 1000L);
    }
    return StoredBlocks.block(number);
  }

  private static double average(List<double[]> points, int from, int count) {
    return points.subList(from, from + count).stream()
        .mapToDouble(point -> point[1])
        .average()
        .orElseThrow();
  }

  private static String shown(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
