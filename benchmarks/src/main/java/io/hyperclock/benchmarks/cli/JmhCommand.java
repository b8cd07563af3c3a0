/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import io.hyperclock.benchmarks.results.ResultFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs benchmarks with the options of JMH. */
@Command(
    name = "jmh",
    description = "Runs benchmarks. Takes the options of JMH (jmh -h shows them, jmh -l lists).",
    footer = {
      "",
      "All benchmarks for a moment, to see that they work:",
      "  jmh -f 1 -wi 1 -i 2 -w 200ms -r 200ms -foe true"
    })
final class JmhCommand implements Callable<Integer> {
  @Option(names = "--help", usageHelp = true, description = "Shows this text.")
  private boolean help;

  @Option(
      names = "--json",
      defaultValue = "jmh-result.json",
      description = "File for the results (default: ${DEFAULT-VALUE}).")
  private Path json;

  @Parameters(paramLabel = "ARG", description = "Options of JMH.")
  private List<String> args = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandLineOptions options;
    try {
      options = new CommandLineOptions(args.toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    if (options.shouldHelp()) {
      options.showHelp();
      return 0;
    }
    Runner runner = new Runner(options);
    if (options.shouldList()) {
      runner.list();
    } else if (options.shouldListWithParams()) {
      runner.listWithParams(options);
    } else if (options.shouldListProfilers()) {
      options.listProfilers();
    } else if (options.shouldListResultFormats()) {
      options.listResultFormats();
    } else {
      run(runner);
    }
    return 0;
  }

  private void run(Runner runner) throws Exception {
    Main.requireResultFile(spec, json);
    ResultFile file = ResultFile.start(Main.typed(spec));
    try {
      file.add(runner.run(), 1);
    } catch (NoBenchmarksException e) {
      throw new ParameterException(
          spec.commandLine(),
          "arguments must name a benchmark (jmh -l lists them): arguments=" + args,
          e);
    } catch (PatternSyntaxException e) {
      throw new ParameterException(
          spec.commandLine(), "benchmarks must be named by patterns: " + e.getMessage(), e);
    } catch (RunnerException e) {
      throw new IllegalStateException("benchmarks must not fail: " + e.getMessage(), e);
    }
    file.write(json);
  }
}
