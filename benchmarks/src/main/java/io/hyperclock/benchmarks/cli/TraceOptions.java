/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.simulate.GeneratedWorkload;
import io.hyperclock.benchmarks.simulate.Trace;
import io.hyperclock.benchmarks.simulate.TraceFormat;
import io.hyperclock.benchmarks.simulate.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that say what to replay. */
final class TraceOptions {
  @Option(
      names = "--trace",
      split = ",",
      paramLabel = "FILE|DIR",
      description =
          "Traces, gzip or not; of a directory all *.bin, *.arc, *.lis, *.lirs, *.trc, *.trace,"
              + " *.txt and the same with .gz.")
  private List<Path> traces = new ArrayList<>();

  @Option(
      names = "--format",
      description =
          "Format of the traces: bin (little-endian 32-bit words: requests, distinct keys, keys),"
              + " arc (lines: start, count, ignored, number), lirs (a number a line), text (a key"
              + " a line, perhaps with a size). Default: what the name and the first bytes tell.")
  private @Nullable String format;

  @Option(
      names = "--workload",
      split = ",",
      description = "Traces to make up: zipf, loop, scan-zipf, shifting, back-and-forth.")
  private List<String> workloads = new ArrayList<>();

  @Option(
      names = "--requests",
      defaultValue = "1000000",
      description = "Requests of a workload (default: ${DEFAULT-VALUE}).")
  private int requests;

  @Option(
      names = "--keys",
      defaultValue = "100000",
      description = "Keys of a workload (default: ${DEFAULT-VALUE}).")
  private int keys;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of workloads and of HyperClock's key hash (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--interleave",
      defaultValue = "1",
      description =
          "Cuts each trace in so many parts and takes a request of each in turn, as threads in step"
              + " would; for comparison with --threads (default: ${DEFAULT-VALUE}).")
  private int interleave;

  @Option(names = "--weighted", description = "Uses the sizes that text traces have.")
  private boolean weighted;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Seed of workloads and hashes.
   *
   * @return the number given
   */
  long seed() {
    return seed;
  }

  /**
   * The traces, each read or made when asked for.
   *
   * @param note takes what the user should know about them
   * @return sources that throw {@link IllegalArgumentException} if their file is no trace
   */
  List<Supplier<Trace>> sources(Consumer<String> note) throws IOException {
    Main.require(
        spec, !traces.isEmpty() || !workloads.isEmpty(), "--trace or --workload must be given");
    Main.require(
        spec,
        requests >= 1 && requests <= TraceReader.MAX_REQUESTS,
        "--requests must be in [1, " + TraceReader.MAX_REQUESTS + "]: requests=" + requests);
    Main.require(
        spec,
        keys >= 2 && keys <= TraceReader.MAX_REQUESTS,
        "--keys must be in [2, " + TraceReader.MAX_REQUESTS + "]: keys=" + keys);
    Main.require(
        spec,
        interleave >= 1 && interleave <= 1024,
        "--interleave must be in [1, 1024]: interleave=" + interleave);
    TraceFormat known = format == null ? null : format(format);
    List<Supplier<Trace>> sources = new ArrayList<>();
    for (Path path : traces) {
      Main.require(spec, Files.exists(path), "--trace must exist: trace=" + path);
      for (Path file : Files.isDirectory(path) ? list(path) : List.of(path)) {
        sources.add(
            () -> {
              Trace trace = TraceReader.read(file, known);
              if (weighted && !trace.weighted()) {
                note.accept("trace has no sizes, each entry counts 1: " + trace.name());
              }
              return (weighted ? trace : trace.unweighted()).interleaved(interleave);
            });
      }
    }
    for (String name : workloads) {
      GeneratedWorkload workload = workload(name);
      sources.add(() -> workload.generate(requests, keys, seed).interleaved(interleave));
    }
    return sources;
  }

  private List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> found =
          files.filter(Files::isRegularFile).filter(TraceReader::isTrace).sorted().toList();
      Main.require(spec, !found.isEmpty(), "--trace must hold traces: trace=" + directory);
      return found;
    }
  }

  private GeneratedWorkload workload(String name) {
    return Main.named(spec, GeneratedWorkload.values(), GeneratedWorkload::label, "workload", name);
  }

  private TraceFormat format(String name) {
    return Main.named(
        spec, TraceFormat.values(), f -> f.name().toLowerCase(Locale.ROOT), "format", name);
  }
}
