/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks;

import io.hyperclock.benchmarks.results.ReportPage;
import io.hyperclock.benchmarks.results.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
          "Directory of the result files (default: ${DEFAULT-VALUE}). The page is README.md in it,"
              + " the charts are in charts.")
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
    for (Path file : files) {
      page.add(ResultFile.read(file), file.getFileName().toString());
    }
    spec.commandLine().getOut().println("Wrote " + page.write());
    return 0;
  }
}
