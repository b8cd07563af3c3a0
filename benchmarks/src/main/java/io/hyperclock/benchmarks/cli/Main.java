/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The command line: each sub-command explains itself with {@code --help}. */
@Command(
    name = "benchmarks",
    description = "Measures HyperClock beside other caches and reports the results.",
    mixinStandardHelpOptions = true,
    version = "HyperClock benchmarks",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BarsCommand.class,
      JmhCommand.class,
      FirstSecondsCommand.class,
      ReportCommand.class,
      FootprintCommand.class,
      GcCommand.class,
      SimulateCommand.class,
      SizingCommand.class,
      DiskCommand.class,
      RestartCommand.class,
      CacheBenchCommand.class,
      BesideCommand.class,
      SoakCommand.class,
      InspectCommand.class
    })
public final class Main implements Runnable {
  /** Exit code of an option that is unknown or whose value is impossible. */
  public static final int USAGE_ERROR = CommandLine.ExitCode.USAGE;

  @CommandLine.Spec private CommandSpec spec;

  private Main() {}

  /**
   * Runs a sub-command and ends the process with its exit code: 0 for success, 1 for a failure, 2
   * for a wrong option.
   *
   * @param args sub-command and its options
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    line.getSubcommands().get("jmh").setUnmatchedOptionsArePositionalParams(true);
    line.setParameterExceptionHandler((e, args) -> oneLine(e.getCommandLine(), e, USAGE_ERROR));
    line.setExecutionExceptionHandler((e, failed, parsed) -> oneLine(failed, e, 1));
    return line;
  }

  private static int oneLine(CommandLine line, Exception e, int exitCode) {
    String text = saysWhatIsWrong(e) ? e.getMessage().lines().findFirst().orElse("") : e.toString();
    String help =
        exitCode == USAGE_ERROR
            ? " (see " + line.getCommandSpec().qualifiedName() + " --help)"
            : "";
    line.getErr().println(text + help);
    return exitCode;
  }

  /** False of one whose message is empty, or only the name of a file. */
  private static boolean saysWhatIsWrong(Exception e) {
    return e.getMessage() != null
        && !(e instanceof FileSystemException file && file.getReason() == null);
  }

  /**
   * Refuses a value of an option.
   *
   * @param spec command that has the option
   * @param valid whether the value is possible
   * @param rule what is wrong otherwise, then {@code name=value}
   */
  static void require(CommandSpec spec, boolean valid, String rule) {
    if (!valid) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  /**
   * Refuses a file that could not be written.
   *
   * @param spec command that has the option
   * @param option name of the option, without hyphens
   * @param file its value, or null if it was not given
   */
  static void requireWritable(CommandSpec spec, String option, @Nullable Path file) {
    if (file != null) {
      Path directory = file.toAbsolutePath().getParent();
      require(
          spec,
          directory != null && Files.isWritable(directory) && Files.isDirectory(directory),
          "--"
              + option
              + " must be in a directory that exists and can be written: "
              + option
              + "="
              + file);
      require(
          spec,
          !Files.exists(file) || (Files.isRegularFile(file) && Files.isWritable(file)),
          "--" + option + " must be a file that can be written: " + option + "=" + file);
    }
  }

  /**
   * Makes the directory of the results where there is none, and refuses a file that could not be
   * written.
   *
   * @param spec command that has the option {@code --json}
   * @param json its value
   */
  static void requireResultFile(CommandSpec spec, Path json) {
    makeDirectory(spec, "json", json, json.getParent());
    requireWritable(spec, "json", json);
  }

  /**
   * Makes the directory that an option names, or that its file is to be in, where there is none.
   *
   * @param spec command that has the option
   * @param option name of the option, without hyphens
   * @param given its value
   * @param directory what to make, or null for none
   */
  static void makeDirectory(CommandSpec spec, String option, Path given, @Nullable Path directory) {
    try {
      if (directory != null && !Files.isDirectory(directory)) {
        Files.createDirectories(directory);
      }
    } catch (IOException e) {
      String rule = "--" + option + " needs a directory that exists or can be made: ";
      throw new ParameterException(spec.commandLine(), rule + option + "=" + given, e);
    }
  }

  /**
   * Finds what an option names.
   *
   * @param spec command that has the option
   * @param all what can be named
   * @param label name of each
   * @param option name of the option, without hyphens
   * @param name what was given
   * @param <T> type of what is named
   * @return the one of that name
   */
  static <T> T named(
      CommandSpec spec, T[] all, Function<T, String> label, String option, String name) {
    String known = Arrays.stream(all).map(label).collect(Collectors.joining(", "));
    return Arrays.stream(all)
        .filter(one -> label.apply(one).equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--" + option + " must be one of " + known + ": " + option + "=" + name));
  }

  /**
   * Reads what an option names.
   *
   * @param spec command that has the option
   * @param source what reads it; its {@link IllegalArgumentException} says what is wrong. What it
   *     reads may be too large for the heap
   * @param <T> type of what is read
   * @return what was read
   */
  static <T> T valid(CommandSpec spec, Supplier<T> source) {
    try {
      return source.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    } catch (OutOfMemoryError e) {
      String rule = "what is read or replayed must fit into the heap (raise -Xmx): heap=";
      long heap = Runtime.getRuntime().maxMemory();
      throw new ParameterException(spec.commandLine(), rule + heap, e);
    }
  }

  /**
   * The command as typed, for the records.
   *
   * @param spec command that runs
   * @return the whole line
   */
  static String typed(CommandSpec spec) {
    List<String> args = spec.root().commandLine().getParseResult().originalArgs();
    return args.stream()
        .map(arg -> arg.matches("[\\w.,=:/+-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "java -jar benchmarks/target/benchmarks.jar ", ""));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
