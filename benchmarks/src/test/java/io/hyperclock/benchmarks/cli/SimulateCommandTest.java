/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class SimulateCommandTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path trace;
  private Path sized;

  @BeforeEach
  void write() throws IOException {
    trace = Files.writeString(directory.resolve("abc.txt"), "a\nb\nc\n".repeat(3));
    sized = Files.writeString(directory.resolve("sized.txt"), "a,10\nb,20\n".repeat(4));
  }

  private int run(String args, Object... values) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(("simulate " + args.formatted(values)).split(" "));
  }

  /** Lines beside the result, but for the progress of a run that takes seconds. */
  private Stream<String> notes() {
    return err.toString().lines().filter(line -> !line.startsWith("replaying "));
  }

  @Test
  void printsCsvAndNothingElse() {
    assertThat(run("--trace %s --capacity 2,3 --policy opt,lru,classic --csv", trace)).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "trace,capacity,policy,requests,hits,hit_ratio",
            "abc,2,opt,9,4,0.44444",
            "abc,2,lru,9,0,0.00000",
            "abc,2,classic,9,0,0.00000",
            "abc,3,opt,9,6,0.66667",
            "abc,3,lru,9,6,0.66667",
            "abc,3,classic,9,6,0.66667");
    assertThat(notes()).isEmpty();
  }

  @Test
  void printsATableAndWritesCsv() throws IOException {
    Path csv = directory.resolve("some.csv");
    assertThat(run("--trace %s --capacity 2 --policy lru,opt --csv %s", trace, csv)).isZero();
    assertThat(out.toString().lines().map(String::strip))
        .containsExactly(
            "",
            "abc: 9 requests, 3 distinct keys; hit ratio in %",
            "capacity       lru       opt",
            "2      0.00     44.44");
    assertThat(Files.readString(csv))
        .isEqualTo(
            """
            trace,capacity,policy,requests,hits,hit_ratio
            abc,2,lru,9,0,0.00000
            abc,2,opt,9,4,0.44444
            """);
  }

  @Test
  void makesWorkloadsUp() {
    assertThat(
            run(
                "--workload zipf,loop,scan-zipf,shifting,back-and-forth --requests 5000"
                    + " --keys 300 --fraction 0.01,0.1 --csv -"))
        .isZero();
    assertThat(out.toString().lines().skip(1))
        .hasSize(5 * 5)
        .allMatch(line -> line.matches("[a-z-]+,\\d\\d,[a-z]+,5000,\\d+,0\\.\\d{5}"));
  }

  @Test
  void replaysADirectory() {
    assertThat(run("--trace %s --capacity 2 --policy lru --csv", directory)).isZero();
    assertThat(out.toString()).contains("abc,2,lru,9,0,").contains("sized,2,lru,8,6,");
  }

  @Test
  void countsSizes() {
    assertThat(run("--trace %s,%s --capacity 20 --weighted --csv", sized, trace)).isZero();
    assertThat(out.toString())
        .contains("sized,20,lru,8,0,0.00000", "sized,20,classic,8,")
        .contains("abc,20,opt,9,6,0.66667")
        .doesNotContain("sized,20,opt");
    assertThat(notes())
        .containsExactlyInAnyOrder(
            "opt is not defined for entries of different sizes and left out: sized",
            "trace has no sizes, each entry counts 1: abc");
  }

  @Test
  void leavesOutWhatNoPolicyIsDefinedFor() {
    assertThat(run("--trace %s,%s --capacity 20 --weighted --policy opt", sized, trace)).isZero();
    assertThat(out.toString()).contains("abc: 9 requests").doesNotContain("sized");
    assertThat(err.toString())
        .contains("opt is not defined for entries of different sizes and left out: sized\n");
  }

  @Test
  void interleavesParts() throws IOException {
    Path halves = Files.writeString(directory.resolve("halves.txt"), "a\na\na\nb\nb\nb\nb\n");
    assertThat(run("--trace %s --capacity 1 --policy lru --csv", halves)).isZero();
    assertThat(run("--trace %s --capacity 1 --policy lru --csv --interleave 2", halves)).isZero();
    assertThat(out.toString()).contains("halves,1,lru,7,5,", "halves,1,lru,7,1,");
  }

  @Test
  void saysWhatThreadsDoNotShare() {
    assertThat(run("--workload zipf --requests 20001 --keys 500 --capacity 100 --threads 2 --csv"))
        .isZero();
    assertThat(out.toString().lines().skip(1))
        .hasSize(5)
        .allMatch(line -> line.contains(",20001,"));
    assertThat(notes())
        .containsExactly("not made for several threads and replayed by one: lru, opt");
  }

  @Test
  void comparesWithExpectedRatios() throws IOException {
    Path expected =
        Files.writeString(
            directory.resolve("expected.csv"),
            "trace,fraction,capacity,LRU,Other,OPT\nabc,0.5,2,0.00000,0.5,0.44444\n");
    assertThat(
            run(
                "--trace %s,%s --policy lru,opt,adaptive,caffeine --expected %s"
                    + " --columns adaptive=Other",
                trace, sized, expected))
        .isZero();
    assertThat(out.toString())
        .contains("lru-[LRU]  opt-[OPT]  adaptive-[Other]  adaptive-caffeine")
        .containsPattern("lru-\\[LRU] +all +1 cases: mean +\\+0.00, lowest +\\+0.00 \\(abc 2\\)")
        .containsPattern("adaptive-\\[Other] +all +1 cases: mean +-16.67")
        .doesNotContain(">= 1000");
    assertThat(err.toString()).contains("no capacity is left of 10 or more: sized");
  }

  @Test
  void keepsResultsForTheReport() throws IOException {
    Path json = directory.resolve("hits.json");
    Path charts = directory.resolve("charts");
    assertThat(run("--trace %s --capacity 1,2,3 --json %s --charts %s", trace, json, charts))
        .isZero();
    assertThat(charts.resolve("abc.svg")).content().contains("<svg");

    CommandLine report = Main.commandLine();
    report.setOut(new PrintWriter(out, true));
    assertThat(report.execute("report", "--results", directory.toString())).isZero();
    assertThat(directory.resolve("README.md"))
        .content()
        .contains("### Hit ratios · abc", "![hit ratios of abc](charts/hits-abc.svg)")
        .contains("| capacity | classic | adaptive | caffeine | lru | opt |")
        .containsPattern("\\| 2 \\| 0.00 \\| 33.33 \\| [\\d.]+ \\| 0.00 \\| 44.44 \\|")
        .contains("* JDK: ")
        .doesNotContain("All numbers");
    assertThat(charts.resolve("hits-abc.svg")).content().contains("<svg");
  }

  @Test
  void drawsOnePointOfNoHits() {
    assertThat(run("--trace %s --capacity 2 --policy lru --charts %s", trace, directory)).isZero();
    assertThat(directory.resolve("abc.svg")).content().contains("<svg");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--capacity 5|--trace or --workload must be given",
        "--trace missing.bin|--trace must exist: trace=missing.bin",
        "--workload none|--workload must be one of zipf, loop, scan-zipf, shifting, back-and-forth:"
            + " workload=none",
        "--workload zipf --policy fifo|--policy must be one of classic, adaptive, caffeine, lru,"
            + " opt: policy=fifo",
        "--workload zipf --format x|--format must be one of bin, arc, lirs, text: format=x",
        "--workload zipf --capacity 0|--capacity must be in [shards, 281474976710655]: capacity=0",
        "--workload zipf --shards 8 --capacity 7|--capacity must be in [shards, 281474976710655]:"
            + " capacity=7",
        "--workload zipf --capacity x|Invalid value for option '--capacity'",
        "--workload zipf --fraction 1.5|--fraction must be in (0, 1]: fraction=1.5",
        "--workload zipf --fraction NaN|--fraction must be in (0, 1]: fraction=NaN",
        "--workload zipf --fraction 0.1 --capacity 5|--capacity and --fraction must not be given"
            + " both",
        "--workload zipf --threads 0|--threads must be in [1, 1024]: threads=0",
        "--workload zipf --shards 5000|--shards must be in [1, 4096]: shards=5000",
        "--workload zipf --interleave 0|--interleave must be in [1, 1024]: interleave=0",
        "--workload zipf --requests 0|--requests must be in [1, 268435456]: requests=0",
        "--workload zipf --keys 1|--keys must be in [2, 268435456]: keys=1",
        "--workload zipf --expected none.csv|file must exist: file=none.csv",
        "--workload zipf --columns classic=HCC|--columns must come with --expected:"
            + " columns={classic=HCC}",
        "--workload zipf --csv no/where.csv|--csv must be writable: csv=no/where.csv",
        "--workload zipf --charts pom.xml|--charts needs a directory that exists or can be made:"
            + " charts=pom.xml",
        "--wrkload zipf|Unknown options: '--wrkload'"
      })
  void refusesWrongOptionsInOneLine(String args, String message) {
    assertThat(run(args)).isEqualTo(2);
    assertThat(err.toString()).startsWith(message).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "adaptive"})
  void refusesACapacityThatNoHeapHolds(String policy) {
    assertThat(run("--trace %s --policy %s --capacity 281474976710655", trace, policy))
        .isEqualTo(2);
    assertThat(err.toString()).contains("281474976710655").hasLineCount(1);
  }

  @Test
  void refusesBadFilesInOneLine() throws IOException {
    Path bad = Files.write(directory.resolve("bad.bin.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
    assertThat(run("--trace %s", bad)).isEqualTo(2);
    assertThat(err.toString()).startsWith("trace must be complete gzip data: trace=");
    assertThat(err.toString()).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b|file must have the columns trace and capacity: file=",
        "trace,capacity,LRU;t,1|line must have a value for each column: line=2, file=",
        "trace,capacity,LRU;abc,0,0.5|capacity must be >= 1: line=2, file=",
        "trace,capacity,LRU;t,1,x|capacity and ratios must be numbers: line=2, file="
      })
  void refusesBadExpectedRatios(String text, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("x.csv"), text.replace(';', '\n'));
    assertThat(run("--trace %s --expected %s", trace, file)).isEqualTo(2);
    assertThat(err.toString()).startsWith(message).hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fifo=LRU|--columns must be one of ",
        "lru=Other|--columns must be in the file: column=Other"
      })
  void refusesColumnsThatAreNotThere(String columns, String message) throws IOException {
    Path file = Files.writeString(directory.resolve("x.csv"), "trace,capacity,LRU\nt,1,0.5\n");
    assertThat(run("--trace %s --expected %s --columns %s", trace, file, columns)).isEqualTo(2);
    assertThat(err.toString()).startsWith(message).hasLineCount(1);
  }

  @Test
  void refusesADirectoryWithoutTraces() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(run("--trace %s", empty)).isEqualTo(2);
    assertThat(err.toString()).startsWith("--trace must hold traces: trace=").hasLineCount(1);
  }

  @Test
  void explainsItself() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: benchmarks simulate");
  }
}
