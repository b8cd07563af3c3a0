/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.caches.CacheState;
import io.hyperclock.benchmarks.results.ReportPage;
import io.hyperclock.benchmarks.results.ResultFile;
import io.hyperclock.benchmarks.results.SummaryPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Turns result files into a page. */
@Command(
    name = "report",
    description = "Writes a page with tables and charts from result files.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      defaultValue = "benchmarks/results",
      description =
          "Directory of the result files (default: ${DEFAULT-VALUE}). The pages are README.md and"
              + " SUMMARY.md in it, the charts are in charts.")
  private Path directory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Main.require(
        spec, Files.isDirectory(directory), "--results must be a directory: results=" + directory);
    List<Path> files;
    try (Stream<Path> found = Files.list(directory)) {
      files = found.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    Main.require(spec, !files.isEmpty(), "--results must hold .json files: results=" + directory);
    ReportPage page = new ReportPage(directory);
    SummaryPage summary = new SummaryPage(CacheState.TURNOVERS);
    for (Path file : files) {
      ResultFile results = Main.valid(spec, () -> ResultFile.read(file));
      try {
        page.add(results, file.getFileName().toString());
        summary.add(results);
      } catch (RuntimeException e) {
        String rule = "file must be as a command wrote it: file=" + file + ", " + e;
        throw new ParameterException(spec.commandLine(), rule, e);
      }
    }
    spec.commandLine().getOut().println("Wrote " + page.write());
    spec.commandLine().getOut().println("Wrote " + summary.write(directory));
    return 0;
  }
}
