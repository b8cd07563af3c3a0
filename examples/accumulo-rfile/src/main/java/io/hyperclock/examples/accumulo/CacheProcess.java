/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts {@link CacheRun} in a process with the JVM, class path and JVM options of this one. */
final class CacheProcess {
  private final ClassTable table;
  private final int blockBytes;
  private final int threads;
  private final int lookups;
  private final long seed;
  private final long readDelayNanos;
  private final Progress progress;

  CacheProcess(
      ClassTable table,
      int blockBytes,
      int threads,
      int lookups,
      long seed,
      long readDelayNanos,
      Progress progress) {
    this.table = table;
    this.blockBytes = blockBytes;
    this.threads = threads;
    this.lookups = lookups;
    this.seed = seed;
    this.readDelayNanos = readDelayNanos;
    this.progress = progress;
  }

  /**
   * Measures one cache.
   *
   * @param cache the cache
   * @param budgets sizes of the data cache, at least one
   * @return a measurement for each budget, in their order
   * @throws IOException if the process fails
   * @throws InterruptedException if interrupted; the process is ended
   */
  List<Measurement> run(CacheChoice cache, List<Long> budgets)
      throws IOException, InterruptedException {
    List<Measurement> measurements = measurements(command(cache, budgets), budgets.size());
    measurements.forEach(measurement -> tell(cache, measurement));
    return measurements;
  }

  /**
   * Runs a process and reads what it measures.
   *
   * @param command its command line
   * @param expected how many measurements it must write
   */
  static List<Measurement> measurements(List<String> command, int expected)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      List<Measurement> measurements = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (Measurement.isLine(line)) {
          measurements.add(Measurement.fromLine(line));
        }
      }
      int exitCode = process.waitFor();
      if (exitCode != 0 || measurements.size() != expected) {
        throw new IOException(
            "measuring process must finish: exitCode=" + exitCode + ", command=" + command);
      }
      return measurements;
    } finally {
      process.destroy();
    }
  }

  private void tell(CacheChoice cache, Measurement measurement) {
    progress.step(
        "%-28s %8s  %,9.0f lookups/s  %5.1f %% hits",
        cache.label(),
        measurement.budgetBytes() == 0 ? "" : ByteSize.format(measurement.budgetBytes()),
        measurement.lookupsPerSecond(),
        100 * measurement.hitRatio());
  }

  /** Command line of a process like this one that runs another class. */
  static List<String> java(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    return command;
  }

  private List<String> command(CacheChoice cache, List<Long> budgets) {
    List<String> command = java(CacheRun.class);
    command.add(cache.name());
    command.add(table.file().toString());
    command.add(Integer.toString(blockBytes));
    command.add(Integer.toString(threads));
    command.add(Integer.toString(lookups));
    command.add(Long.toString(seed));
    command.add(Long.toString(readDelayNanos));
    budgets.forEach(budget -> command.add(Long.toString(budget)));
    return command;
  }
}
