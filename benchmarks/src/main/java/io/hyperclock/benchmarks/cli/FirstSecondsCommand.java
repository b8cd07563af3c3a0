/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.hyperclock.BlockCache;
import io.hyperclock.SlotStorage;
import io.hyperclock.benchmarks.caches.BenchmarkBlock;
import io.hyperclock.benchmarks.caches.HyperClockState;
import io.hyperclock.benchmarks.caches.KeyCursor;
import io.hyperclock.benchmarks.keys.Distribution;
import io.hyperclock.benchmarks.keys.KeyObject;
import io.hyperclock.benchmarks.keys.KeyStream;
import io.hyperclock.benchmarks.results.FirstSeconds;
import io.hyperclock.benchmarks.results.ResultFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How fast caches are right after the start of a process. */
@Command(
    name = "first-seconds",
    description =
        "Prints as JSON how many million reads a second run in each half second after the start of"
            + " a process. Caches start empty; half of the reads miss and insert once they are"
            + " full. Each cache has a process of its own.",
    mixinStandardHelpOptions = true)
final class FirstSecondsCommand implements Callable<Integer> {
  private static final int MIN_SIZE = 1024;
  private static final int MAX_SIZE = 20_000_000;
  private static final int MAX_SECONDS = 3600;
  private static final int MAX_THREADS = 1024;
  private static final int BATCH = 256;
  private static final int COUNTS_APART = 16;
  private static final int WAIT_MILLIS = 60_000;

  private enum Contestant {
    HYPERCLOCK,
    CAFFEINE
  }

  @Option(
      names = "--size",
      defaultValue = "65536",
      description = "Entries there is room for; twice as many keys (default: ${DEFAULT-VALUE}).")
  private int size;

  @Option(
      names = "--threads",
      defaultValue = "1",
      description = "Threads (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--seconds",
      defaultValue = "15",
      description = "Seconds to watch (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--step",
      defaultValue = "500",
      description = "Milliseconds of a step (default: ${DEFAULT-VALUE}).")
  private int stepMillis;

  @Option(names = "--json", description = "File for the results, for report (default: none).")
  private @Nullable Path json;

  @Option(names = "--only", hidden = true, description = "The cache that this process runs.")
  private @Nullable Contestant only;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Main.require(
        spec,
        size >= MIN_SIZE && size <= MAX_SIZE,
        "--size must be in [" + MIN_SIZE + ", " + MAX_SIZE + "]: size=" + size);
    Main.require(
        spec,
        threads >= 1 && threads <= MAX_THREADS,
        "--threads must be in [1, " + MAX_THREADS + "]: threads=" + threads);
    Main.require(
        spec,
        seconds >= 1 && seconds <= MAX_SECONDS,
        "--seconds must be in [1, " + MAX_SECONDS + "]: seconds=" + seconds);
    Main.require(
        spec,
        stepMillis >= 1 && stepMillis <= 1000 * seconds,
        "--step must be in [1, " + 1000 * seconds + "]: step=" + stepMillis);
    Main.requireWritable(spec, "json", json);
    if (only != null) {
      print(new Gson(), run(only));
      return 0;
    }
    List<FirstSeconds> runs = new ArrayList<>();
    for (Contestant contestant : Contestant.values()) {
      runs.add(inProcess(contestant));
    }
    print(new GsonBuilder().setPrettyPrinting().create(), runs);
    if (json != null) {
      ResultFile file = ResultFile.start(Main.typed(spec));
      file.addFirstSeconds(runs);
      file.write(json);
    }
    return 0;
  }

  private void print(Gson gson, Object value) {
    spec.commandLine().getOut().println(gson.toJson(value));
    spec.commandLine().getOut().flush();
  }

  private FirstSeconds inProcess(Contestant contestant) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "first-seconds",
                "--only=" + contestant,
                "--size=" + size,
                "--threads=" + threads,
                "--seconds=" + seconds,
                "--step=" + stepMillis)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a process must end well: cache=" + contestant);
    }
    return new Gson().fromJson(printed, FirstSeconds.class);
  }

  private FirstSeconds run(Contestant contestant) throws InterruptedException {
    int[] stream = KeyStream.of(2 * size, Distribution.UNIFORM);
    AtomicLongArray done = new AtomicLongArray(threads * COUNTS_APART);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      KeyCursor cursor = new KeyCursor();
      cursor.start((int) ((long) stream.length * i / threads), i);
      int count = i * COUNTS_APART;
      Runnable reads =
          contestant == Contestant.HYPERCLOCK
              ? hyperclock(stream, cursor, done, count)
              : caffeine(stream, cursor, done, count);
      workers.add(new Thread(reads, "reader " + i));
    }
    List<Double> rates = rates(workers, done);
    for (Thread worker : workers) {
      worker.interrupt();
    }
    for (Thread worker : workers) {
      worker.join(WAIT_MILLIS);
    }
    return new FirstSeconds(
        contestant.toString().toLowerCase(java.util.Locale.ROOT), size, threads, stepMillis, rates);
  }

  private List<Double> rates(List<Thread> workers, AtomicLongArray done) {
    List<Double> rates = new ArrayList<>();
    long started = System.nanoTime();
    workers.forEach(Thread::start);
    long from = started;
    long before = 0;
    for (int step = 1; step <= 1000L * seconds / stepMillis; step++) {
      long until = started + step * stepMillis * 1_000_000L;
      for (long now = System.nanoTime(); now < until; now = System.nanoTime()) {
        LockSupport.parkNanos(until - now);
      }
      long now = System.nanoTime();
      long sum = 0;
      for (int i = 0; i < done.length(); i += COUNTS_APART) {
        sum += done.get(i);
      }
      rates.add((sum - before) * 1e3 / (now - from));
      before = sum;
      from = now;
    }
    return rates;
  }

  private @Nullable BlockCache<BenchmarkBlock> blocks;
  private @Nullable Cache<KeyObject, BenchmarkBlock> objects;

  private Runnable hyperclock(int[] stream, KeyCursor cursor, AtomicLongArray done, int count) {
    if (blocks == null) {
      blocks = HyperClockState.build(size, SlotStorage.HEAP);
    }
    BlockCache<BenchmarkBlock> cache = blocks;
    BenchmarkBlock block = new BenchmarkBlock(0);
    return () -> {
      while (!Thread.currentThread().isInterrupted()) {
        for (int i = 0; i < BATCH; i++) {
          int number = cursor.next(stream);
          long file = KeyObject.file(number);
          long offset = KeyObject.offset(number);
          if (cache.get(file, offset) == null) {
            cache.insert(file, offset, block, BenchmarkBlock.CHARGE_BYTES);
          }
        }
        done.setOpaque(count, done.getOpaque(count) + BATCH);
      }
    };
  }

  private Runnable caffeine(int[] stream, KeyCursor cursor, AtomicLongArray done, int count) {
    if (objects == null) {
      objects = Caffeine.newBuilder().maximumSize(size).build();
    }
    Cache<KeyObject, BenchmarkBlock> cache = objects;
    BenchmarkBlock block = new BenchmarkBlock(0);
    return () -> {
      while (!Thread.currentThread().isInterrupted()) {
        for (int i = 0; i < BATCH; i++) {
          KeyObject key = KeyObject.of(cursor.next(stream));
          if (cache.getIfPresent(key) == null) {
            cache.put(key, block);
          }
        }
        done.setOpaque(count, done.getOpaque(count) + BATCH);
      }
    };
  }
}
