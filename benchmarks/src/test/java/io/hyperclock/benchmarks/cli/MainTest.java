/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.benchmarks.results.Bar;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class MainTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Another process that measures does not matter here. */
  @BeforeAll
  static void ignoreOtherMeasurements() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  private int run(String... args) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bars|Missing required parameter: 'BAR'",
        "bars b6|bar must be one of b1, absent, b2, b3, b4, b5, b9, b10, b11, b12, b12-disk,"
            + " b12-evict, b12-redis, b15, load, off-heap-values, versioned, chained: bar=b6",
        "bars b1 --before no.jar|--before must be a jar of hyperclock-core: before=no.jar",
        "bars b1 --state OLD|Invalid value for option '--state'",
        "first-seconds --size 1|--size must be in [1024, 20000000]: size=1",
        "first-seconds --threads 0|--threads must be in [1, 1024]: threads=0",
        "first-seconds --seconds 0|--seconds must be in [1, 3600]: seconds=0",
        "first-seconds --step 0|--step must be in [1, 15000]: step=0",
        "bars b1 --forks 0|--forks must be >= 1: forks=0",
        "bars b1 --forks many|Invalid value for option '--forks': 'many' is not an int",
        "bars b1 --iterations 0|--iterations must be >= 1: iterations=0",
        "bars b1 --warm-ups -1|--warm-ups must be >= 0: warm-ups=-1",
        "bars b1 --time -5|--time must be >= 1: time=-5",
        "bars b1 --threads 1,0|--threads must be in [1, 1024]: threads=0",
        "bars b1 --sizes 10|--sizes must be in [1024, 50000000]: size=10",
        "bars b1 --exclude [|Invalid value for option '--exclude'",
        "bars b1 --exclude . --json target/none.json|--exclude must leave a benchmark of each bar:"
            + " exclude=.",
        "bars b1 --frks 2|Unknown option: '--frks'",
        "bars b1 --jvm no/java|--jvm must be a java that can be started: jvm=no/java",
        "bars b1 --json src|--json must be a file that can be written: json=src",
        "bars b1 --json pom.xml/b.json|--json needs a directory that exists or can be made:"
            + " json=pom.xml/b.json",
        "disk --read-micros -1|--read-micros must be in [0, 1000000]: read-micros=-1",
        "disk --readers 65|--readers must be in [1, 64]: readers=65",
        "disk --blocks 1|--blocks must be in [1024, 1048576]: blocks=1",
        "disk --rounds 0|--rounds must be >= 1: rounds=0",
        "disk --time 0|--time must be >= 1: time=0",
        "restart --entries 1|--entries must be in [64, 1048576]: entries=1",
        "restart --rate 0|--rate must be in [1, 1000000]: rate=0",
        "restart --load-micros -1|--load-micros must be in [0, 1000000]: load-micros=-1",
        "restart --seconds 13|--seconds must be in [14, 3600]: seconds=13",
        "sizing --capacity 5|--capacity must be >= 1048576: capacity=5",
        "sizing --small 0|--small must be >= 1: small=0",
        "sizing --factor 0|--factor must be in [1, capacity / small]: factor=0",
        "sizing --turnovers 1|--turnovers must be > 1: turnovers=1.0",
        "sizing --fill -1|--fill must be in [0, 20000000]: fill=-1",
        "footprint --size -1|--size must be in [1024, 20000000]: size=-1",
        "footprint --size 1024,x|Invalid value for option '--size' (<sizes>): 'x' is not"
            + " an int",
        "footprint --json no/such/dir/f.json|--json must be in a directory that exists and can be"
            + " written: json=no/such/dir/f.json",
        "gc --entries 999|--entries must be in [1000, 50000000]: entries=999",
        "gc --entries -5|--entries must be in [1000, 50000000]: entries=-5",
        "gc --rounds 0|--rounds must be >= 1: rounds=0",
        "gc --forks 0|--forks must be >= 1: forks=0",
        "gc --heap lots|--heap must be a number and k, m or g: heap=lots",
        "gc --collectors g2|--collectors must be one of g1, zgc, parallel: collectors=g2",
        "gc --caches lru|--caches must be one of none, hyperclock, off_heap, caffeine: caches=lru",
        "gc --json no/such/dir/f.json|--json must be in a directory that exists and can be written:"
            + " json=no/such/dir/f.json",
        "report --results missing|--results must be a directory: results=missing",
        "jmh --nope|nope is not a recognized option",
        "jmh NoSuchBenchmark --json src|--json must be a file that can be written: json=src",
        "jmh NoSuchBenchmark --json pom.xml/j.json|--json needs a directory that exists or can be"
            + " made: json=pom.xml/j.json",
        "jmh NoSuchBenchmark --json target/none.json|arguments must name a benchmark (jmh -l lists"
            + " them): arguments=[NoSuchBenchmark]",
        "jmh [ --json target/none.json|benchmarks must be named by patterns: Unclosed",
        "jmh -wi x|Cannot parse argument 'x' of option wi",
        "nope|Unmatched argument at index 0: 'nope'"
      })
  void refusesWrongOptionsInOneLine(String args, String message) {
    assertThat(run(args.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith(message).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void refusesInOneLineWhatDoesNotFitIntoTheHeap() {
    CommandLine.Model.CommandSpec spec = Main.commandLine().getCommandSpec();
    Supplier<String> tooLarge =
        () -> {
          throw new OutOfMemoryError("on purpose");
        };
    assertThatThrownBy(() -> Main.valid(spec, tooLarge))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageMatching(
            "what is read or replayed must fit into the heap \\(raise -Xmx\\): heap=\\d+");
  }

  @Test
  void refusesAMissingCommand() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("a command is missing").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "bars --help",
        "jmh --help",
        "report --help",
        "first-seconds --help",
        "footprint --help",
        "sizing --help",
        "disk --help",
        "restart --help",
        "gc --help",
        "cache-bench --help",
        "beside --help",
        "soak --help"
      })
  void explainsItself(String args) {
    assertThat(run(args.split(" "))).isZero();
    assertThat(out.toString()).startsWith("Usage: benchmarks");
  }

  @Test
  void tellsTheSizesOfEveryBar() {
    CommandLine bars = Main.commandLine().getSubcommands().get("bars");
    String sizes = String.join("", bars.getCommandSpec().findOption("--sizes").description());
    for (String bar : Bar.names().split(", ")) {
      assertThat(sizes).containsPattern("\\b" + bar + "[,; )]");
    }
  }

  @Test
  void saysWhatIsWrongWithAFileInItsWay() throws IOException {
    writeSomeRatios();
    Files.writeString(directory.resolve("charts"), "a file");

    assertThat(run("report", "--results", directory.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "java.nio.file.FileAlreadyExistsException: " + directory.resolve("charts") + "\n");
  }

  @Test
  void reportsRatiosWithCharts() throws IOException {
    writeSomeRatios();

    assertThat(run("report", "--results", directory.toString())).isZero();

    assertThat(directory.resolve("README.md"))
        .content()
        .contains("* machine: a machine", "* date: today", "* command: bars", "* JDK: A VM 17")
        .contains(
            "65.00 (50.00–85.00) | 50.00 (40.00–50.00) | **1.63** (1.00–1.70) | ≥ 1.8 | **lost**")
        .contains("| 3 | 65.00 (50.00–85.00) | million ops/s | 0.0 |")
        .contains("(charts/some-b1-zipf-1-thread.svg)");
    assertThat(directory.resolve("charts/some-b1-zipf-1-thread.svg")).content().contains("<svg");
  }

  private void writeSomeRatios() throws IOException {
    String run =
        """
        {"benchmark": "io.hyperclock.benchmarks.jmh.GetBenchmark.%s", "threads": 1, "round": 1,
         "vmName": "A VM", "vmVersion": "17", "params": {"distribution": "ZIPF", "size": "65536"},
         "primaryMetric": {"scoreUnit": "ops/us", "rawData": [%s]}}\
        """;
    String allocation =
        run.formatted("hyperclock", "[1.0]")
            .replace(
                "\"round\": 1",
                "\"secondaryMetrics\": {\"·gc.alloc.rate.norm\": {\"score\": 0.004}}");
    Files.writeString(
        directory.resolve("some.json"),
        """
        {"date": "today", "machine": "a machine", "command": "bars", "runs": [%s, %s], "allocations": [%s]}
        """
            .formatted(
                run.formatted("hyperclock", "[60.0, 70.0, 65.0], [80.0, 90.0], [50.0]"),
                run.formatted("caffeine", "[40.0], [50.0], [50.0]"),
                allocation));
  }

  @Test
  void reportsBenchmarksWithoutSizesBesideOthers() throws IOException {
    String run =
        """
        {"benchmark": "io.hyperclock.benchmarks.%s", "threads": 2, "round": 1,
         "vmName": "A VM", "vmVersion": "17", "params": {%s},
         "primaryMetric": {"scoreUnit": "ops/us", "rawData": [[%s]]}}\
        """;
    Files.writeString(
        directory.resolve("some.json"),
        """
        {"date": "today", "machine": "a machine", "command": "bars",
         "runs": [%s, %s, %s, %s, %s], "allocations": []}
        """
            .formatted(
                run.formatted("HotEntryBenchmark.hyperclockHot", "", "6.0"),
                run.formatted("HotEntryBenchmark.caffeineHot", "", "3.0"),
                run.formatted("EvictionBenchmark.hyperclock", "\"size\": \"65536\"", "1.0"),
                run.formatted(
                    "GetOrInsertBenchmark.hyperclock",
                    "\"size\": \"65536\", \"hitPercent\": \"50\"",
                    "3.0"),
                run.formatted(
                    "GetOrInsertBenchmark.hyperclock",
                    "\"size\": \"65536\", \"hitPercent\": \"90\"",
                    "4.0")));

    assertThat(run("report", "--results", directory.toString())).as(err.toString()).isZero();

    assertThat(directory.resolve("README.md"))
        .content()
        .contains("6.00 (6.00–6.00) | 3.00 (3.00–3.00) | **2.00** (2.00–2.00) | ≥ 1.0 | reached")
        .contains("(charts/some-b4-hitpercent-50-2-threads.svg)")
        .contains("(charts/some-b4-hitpercent-90-2-threads.svg)")
        .contains("(charts/some-b5-2-threads.svg)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|file must have runs: file=",
        "{ ]|file must be JSON: file=",
        "{'runs': []}|file must have date: file=",
        "{'runs': 5, 'date': '', 'machine': '', 'command': ''}|file must be as a command wrote it:"
            + " file=",
        "{'runs': [], 'date': '', 'machine': '', 'command': '', 'hitRatios': [{}]}|file must be as"
            + " a command wrote it: file="
      })
  void refusesFilesThatAreNotResults(String text, String message) throws IOException {
    Path file = directory.resolve("other.json");
    Files.writeString(file, text.replace("'", "\""));
    assertThat(run("report", "--results", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith(message + file).hasLineCount(1);
    assertThat(directory.resolve("README.md")).doesNotExist();
  }
}
