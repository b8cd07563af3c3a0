/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Indexes Java sources and searches them through each kind of cache. */
@Command(
    name = "lucene-search",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Searches an index on slow storage through caches of blocks.")
public final class LuceneSearchJob implements Callable<Integer> {
  private static final int MOST_PERCENT = 1000;

  @Option(names = "--percents", split = ",", description = "budgets in percent of the index")
  private List<Double> percents = List.of(5.0, 10.0, 25.0, 50.0);

  @Option(names = "--delays", split = ",", description = "microseconds a read of the storage")
  private List<Long> delays = List.of(0L, 500L);

  @Option(names = "--threads", description = "threads that search")
  private int threads = 2;

  @Option(names = "--queries", description = "queries of each measurement, and of its warm-up")
  private int queries = 4000;

  @Option(names = "--contenders", split = ",", description = "what to measure")
  private List<Contender> contenders = List.of(Contender.values());

  @Option(names = "--corpus", description = "a zip of Java sources instead of the JDK's")
  private @Nullable Path corpus;

  @Option(names = "--out", description = "where index and report go")
  private Path out = Path.of("target", "lucene-search");

  @Option(names = "--rounds", description = "how often all is measured; the report has medians")
  private int rounds = 1;

  @Option(
      names = "--hot-reads",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "also measures single reads of cached blocks")
  private boolean hotReads;

  @Option(
      names = "--results",
      description = "file of measurements to which these are added; the report has all in it")
  private @Nullable Path results;

  @Option(names = "--report-only", description = "measures nothing; reports what --results has")
  private boolean reportOnly;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final SearchProgress progress = new SearchProgress(System.err);

  private LuceneSearchJob() {}

  /**
   * Runs the job and ends the process.
   *
   * @param args options; {@code --help} lists them
   */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /**
   * Runs the job.
   *
   * @param args options; {@code --help} lists them
   * @return the exit code
   */
  static int run(String... args) {
    return new CommandLine(new LuceneSearchJob())
        .setParameterExceptionHandler(
            (e, wrong) -> fail(CommandLine.ExitCode.USAGE, e.getMessage()))
        .setExecutionExceptionHandler(
            (e, command, result) -> fail(CommandLine.ExitCode.SOFTWARE, e.toString()))
        .execute(args);
  }

  private static int fail(int exitCode, String why) {
    System.err.println("lucene-search: " + why);
    return exitCode;
  }

  private void check() {
    require(
        percents.stream().allMatch(p -> p > 0 && p <= MOST_PERCENT),
        "--percents must be in (0, " + MOST_PERCENT + "]: " + percents);
    require(
        delays.stream().allMatch(d -> d >= 0 && d <= 1_000_000),
        "--delays must be in [0, 1000000]: " + delays);
    require(threads >= 1 && threads <= 1024, "--threads must be in [1, 1024]: " + threads);
    require(queries >= 1, "--queries must be at least 1: " + queries);
    require(rounds >= 1 && rounds <= 1000, "--rounds must be in [1, 1000]: " + rounds);
    require(
        corpus == null || Files.isRegularFile(corpus),
        "--corpus must be a file that exists: " + corpus);
    require(
        results == null || !Files.isDirectory(results) && hasDirectory(results),
        "--results must be a file in a directory that exists: " + results);
    require(
        !reportOnly || results != null && Files.exists(results),
        "--report-only needs --results with a file that exists: " + results);
  }

  private static boolean hasDirectory(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    return directory != null && Files.isDirectory(directory);
  }

  private void require(boolean condition, String rule) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  @Override
  public Integer call() throws Exception {
    check();
    Corpus sources =
        corpus == null
            ? Corpus.find()
            : new Corpus(List.of(corpus), corpus.getFileName().toString());
    if (sources == null) {
      System.err.println(
          "There is no corpus: this JDK comes without src.zip, and Maven has no sources jars."
              + " Name a zip of Java sources with --corpus, or let"
              + " mvn dependency:sources fetch some.");
      return 1;
    }
    if (corpus == null && !sources.isOwn()) {
      progress.say("This JDK comes without src.zip; the corpus is %s", sources.name());
    }
    Results all = results == null ? new Results() : Results.read(results);
    if (!reportOnly) {
      measureAll(index(sources), all);
    }
    requireSameResults(all.measurements());
    SearchReport report = new SearchReport(all);
    report.write(out, "Search in " + sources.name());
    // In ASCII: a terminal without a locale shows nothing else.
    System.out.print(report.text().replace('–', '-').replace('µ', 'u'));
    progress.say("written to %s", out.toAbsolutePath());
    return 0;
  }

  private Path index(Corpus sources) throws IOException {
    Path index = out.resolve("index-" + Integer.toHexString(sources.hashCode()));
    Files.createDirectories(index);
    if (!SourceIndex.exists(index)) {
      progress.say("indexing %s", sources.name());
      SourceIndex.write(sources, index, progress);
    }
    progress.say("index of %,.1f MB, %s", SourceIndex.bytes(index) / 1e6, sources.name());
    return index;
  }

  private void measureAll(Path index, Results into) throws IOException, InterruptedException {
    int perDelay = 0;
    for (Contender contender : contenders) {
      perDelay += contender.caches ? percents.size() : 1;
    }
    progress.expect(rounds * (perDelay * delays.size() + (hotReads ? HotReads.ALL.size() : 0)));
    for (int round = 0; round < rounds; round++) {
      for (long delay : delays) {
        for (Contender contender : contenders) {
          measure(contender, index, delay, into);
        }
      }
      if (hotReads) {
        for (Contender contender : HotReads.ALL) {
          run(HotReads.class, List.of(contender.name()), into);
        }
      }
    }
  }

  private void measure(Contender contender, Path index, long delay, Results into)
      throws IOException, InterruptedException {
    List<String> args = new ArrayList<>(List.of(contender.name(), index.toString()));
    args.addAll(
        List.of(Integer.toString(threads), Integer.toString(queries), Long.toString(delay)));
    (contender.caches ? percents : List.of(100.0)).forEach(p -> args.add(Double.toString(p)));
    run(SearchRun.class, args, into);
  }

  /** In a process of its own, so that neither compiled code nor garbage of one reaches another. */
  private void run(Class<?> main, List<String> args, Results into)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(args);
    Results measured = new Results();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (measured.add(line)) {
          progress.step("%s", line);
        }
      }
    } finally {
      process.destroy();
    }
    if (process.waitFor() != 0) {
      throw new IOException("measuring process must finish: command=" + command);
    }
    // At once, for one that is stopped before its end.
    if (results != null) {
      measured.appendTo(results);
    }
    into.addAll(measured);
  }

  private static void requireSameResults(List<SearchMeasurement> measurements) {
    if (measurements.stream().mapToLong(SearchMeasurement::check).distinct().count() > 1) {
      throw new IllegalStateException("all must find the same: measurements=" + measurements);
    }
  }
}
