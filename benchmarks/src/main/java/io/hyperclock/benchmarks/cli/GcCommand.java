/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.gc.Collector;
import io.hyperclock.benchmarks.gc.Contents;
import io.hyperclock.benchmarks.gc.GcRunner;
import io.hyperclock.benchmarks.results.GcRun;
import io.hyperclock.benchmarks.results.GcSection;
import io.hyperclock.benchmarks.results.ResultFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what full caches cost the garbage collectors. */
@Command(
    name = "gc",
    description = {
      "Measures what full caches cost the garbage collectors, each in a JVM of its own: time of"
          + " full collections and of concurrent marking, heap in use, allocation of hits.",
      "All entries share a few values, so that only the caches differ. A full collection of ZGC is"
          + " a concurrent cycle; its time is that of the whole cycle."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class GcCommand implements Callable<Integer> {
  private static final int MIN_ENTRIES = 1000;
  private static final int MAX_ENTRIES = 50_000_000;

  @Option(
      names = "--entries",
      defaultValue = "10000000",
      description = "Entries of each cache (default: ${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--collectors",
      split = ",",
      defaultValue = "g1,zgc,parallel",
      description = "Collectors (default: ${DEFAULT-VALUE}).")
  private List<String> collectors = List.of();

  @Option(
      names = "--caches",
      split = ",",
      defaultValue = "none,hyperclock,off_heap,caffeine",
      description = "What is filled (default: ${DEFAULT-VALUE}).")
  private List<String> caches = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Collections in each JVM (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--forks",
      defaultValue = "3",
      description = "JVMs for each cache and collector, in turn (default: ${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--heap",
      defaultValue = "8g",
      description = "Heap of each JVM, as for -Xmx (default: ${DEFAULT-VALUE}).")
  private String heap = "";

  @Option(names = "--json", description = "File for the results (default: none).")
  private @Nullable Path json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Main.require(
        spec,
        entries >= MIN_ENTRIES && entries <= MAX_ENTRIES,
        "--entries must be in [" + MIN_ENTRIES + ", " + MAX_ENTRIES + "]: entries=" + entries);
    Main.require(spec, rounds >= 1, "--rounds must be >= 1: rounds=" + rounds);
    Main.require(spec, forks >= 1, "--forks must be >= 1: forks=" + forks);
    Main.require(
        spec,
        heap.matches("[1-9][0-9]*[kKmMgG]"),
        "--heap must be a number and k, m or g: heap=" + heap);
    Main.requireWritable(spec, "json", json);
    Set<Collector> chosenCollectors = new LinkedHashSet<>();
    for (String name : collectors) {
      chosenCollectors.add(
          Main.named(spec, Collector.values(), c -> lower(c.name()), "collectors", name));
    }
    Set<Contents> chosenCaches = new LinkedHashSet<>();
    for (String name : caches) {
      chosenCaches.add(Main.named(spec, Contents.values(), c -> lower(c.name()), "caches", name));
    }
    List<GcRun> runs = measure(chosenCollectors, chosenCaches);
    spec.commandLine().getOut().print(GcSection.table(runs));
    spec.commandLine().getOut().flush();
    if (json != null) {
      ResultFile file = ResultFile.start(Main.typed(spec));
      file.addCollections(runs);
      file.write(json);
    }
    return 0;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private List<GcRun> measure(Set<Collector> chosenCollectors, Set<Contents> chosenCaches)
      throws Exception {
    GcRunner runner = new GcRunner(entries, rounds, heap);
    List<GcRun> runs = new ArrayList<>();
    for (int fork = 1; fork <= forks; fork++) {
      for (Collector collector : chosenCollectors) {
        for (Contents contents : chosenCaches) {
          progress(fork, collector, contents);
          runs.add(runner.run(collector, contents, fork));
        }
      }
    }
    return runs;
  }

  private void progress(int fork, Collector collector, Contents contents) {
    spec.commandLine()
        .getErr()
        .printf("fork %d of %d: %s, %s%n", fork, forks, collector.title(), contents.title());
    spec.commandLine().getErr().flush();
  }
}
