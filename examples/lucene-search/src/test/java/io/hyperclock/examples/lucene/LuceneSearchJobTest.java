/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job on a small corpus, in this process. */
class LuceneSearchJobTest {
  private static Path corpus(Path dir) throws IOException {
    Path zip = dir.resolve("corpus.zip");
    Random random = new Random(1);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (int file = 0; file < 60; file++) {
        out.putNextEntry(new ZipEntry("p" + file % 7 + "/File" + file + ".java"));
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 200; line++) {
          for (int word = 0; word < 8; word++) {
            text.append("word").append((int) Math.pow(random.nextInt(300), 1.2)).append(' ');
          }
          text.append('\n');
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      }
    }
    return zip;
  }

  @Test
  void allFindTheSameAndTheReportHasThemAll(@TempDir Path dir) throws Exception {
    Path index = dir.resolve("index");
    Files.createDirectories(index);
    SearchProgress progress = new SearchProgress(new PrintStream(OutputStream.nullOutputStream()));
    SourceIndex.write(new Corpus(List.of(corpus(dir)), "test"), index, progress);
    assertThat(SourceIndex.exists(index)).isTrue();
    Queries queries = Queries.of(index);
    List<SearchMeasurement> measurements = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      for (double percent : new double[] {10, 200}) {
        SearchMeasurement measured =
            SearchRun.measure(contender, index, queries, 2, 200, 0, percent);
        assertThat(SearchMeasurement.fromLine(measured.toLine())).isEqualTo(rounded(measured));
        measurements.add(measured);
      }
    }
    assertThat(measurements.stream().map(SearchMeasurement::check).distinct()).hasSize(1);
    for (Contender contender : new Contender[] {Contender.HYPERCLOCK, Contender.CAFFEINE}) {
      List<SearchMeasurement> own =
          measurements.stream().filter(m -> m.contender() == contender).toList();
      assertThat(own.get(0).reads()).isGreaterThan(own.get(1).reads());
      assertThat(own.get(1).hitRatio()).isGreaterThan(0.99);
    }
    Results results = new Results();
    Path file = dir.resolve("results");
    for (SearchMeasurement measured : measurements) {
      assertThat(results.add(measured.toLine())).isTrue();
    }
    for (Contender contender : HotReads.ALL) {
      assertThat(results.add(HotReads.measure(contender, 1).toLine())).isTrue();
    }
    assertThat(results.add("something else")).isFalse();
    results.appendTo(file);
    results.appendTo(file);
    new SearchReport(Results.read(file)).write(dir.resolve("report"), "Test");
    assertThat(dir.resolve("report/report.md"))
        .content()
        .contains("HyperClock", "MMap", "against Caffeine", "at random");
    assertThat(dir.resolve("report/queries-0us.svg")).exists();
  }

  @Test
  void aCorpusThatBreaksOffLeavesNoIndex(@TempDir Path dir) throws Exception {
    Path broken = Files.writeString(dir.resolve("broken.zip"), "no zip");
    Path index = Files.createDirectories(dir.resolve("index"));
    SearchProgress progress = new SearchProgress(new PrintStream(OutputStream.nullOutputStream()));
    Corpus corpus = new Corpus(List.of(corpus(dir), broken), "test");
    assertThatThrownBy(() -> SourceIndex.write(corpus, index, progress))
        .isInstanceOf(IOException.class);
    assertThat(SourceIndex.exists(index)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--percents 5,0|--percents must be in (0, 1000]: [5.0, 0.0]",
        "--percents NaN|--percents must be in (0, 1000]: [NaN]",
        "--delays -1|--delays must be in [0, 1000000]: [-1]",
        "--threads 0|--threads must be in [1, 1024]: 0",
        "--queries 0|--queries must be at least 1: 0",
        "--rounds 0|--rounds must be in [1, 1000]: 0",
        "--corpus no.zip|--corpus must be a file that exists: no.zip",
        "--results no/where|--results must be a file in a directory that exists: no/where",
        "--results src|--results must be a file in a directory that exists: src",
        "--report-only|--report-only needs --results with a file that exists: null",
        "--report-only --results none|--report-only needs --results with a file that exists: none",
        "--queries many|Invalid value for option '--queries': 'many' is not an int"
      })
  void wrongOptionsAreRefusedInOneLine(String args, String rule) {
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(LuceneSearchJob.run(args.split(" "))).isEqualTo(2);
    } finally {
      System.setErr(err);
    }
    assertThat(said.toString(StandardCharsets.UTF_8))
        .isEqualTo("lucene-search: " + rule + System.lineSeparator());
  }

  @Test
  void severalRunsGiveMediansOfEachCell() {
    Results results = new Results();
    for (int rate : new int[] {30, 10, 20}) {
      results.add(measurement(Contender.HYPERCLOCK, 5, rate).toLine());
      results.add(measurement(Contender.MMAP, 100, 2 * rate).toLine());
      results.add(new HotReads.Rates(Contender.MMAP, rate, 100 - rate).toLine());
    }
    results.add(measurement(Contender.HYPERCLOCK, 10, 7).toLine());
    assertThat(results.medians())
        .extracting(
            SearchMeasurement::contender,
            SearchMeasurement::percent,
            SearchMeasurement::queriesPerSecond)
        .containsExactly(
            tuple(Contender.HYPERCLOCK, 5.0, 20.0),
            tuple(Contender.HYPERCLOCK, 10.0, 7.0),
            tuple(Contender.MMAP, 100.0, 40.0));
    assertThat(results.rates()).containsExactly(new HotReads.Rates(Contender.MMAP, 20, 80));
    assertThat(new SearchReport(results).text()).contains("| 0 | 5 % | – | – | 0.50 |");
  }

  private static SearchMeasurement measurement(Contender contender, double percent, double rate) {
    return new SearchMeasurement(contender, percent, 0, rate, 1, 0.5, 10, 100, 1000, 1000, 7);
  }

  @Test
  void theCorpusIsOfMavensSourcesJarsWhereNoJdkHasItsSources(@TempDir Path dir) throws Exception {
    Path home = Files.createDirectories(dir.resolve("jdks/one"));
    Path repository = dir.resolve("repository");
    assertThat(Corpus.find(home, repository)).isNull();
    Path jar = repository.resolve("g/a/1/a-1-sources.jar");
    Files.createDirectories(jar.getParent());
    assertThat(Corpus.find(home, repository)).isNull();
    Files.move(corpus(dir), jar);
    Files.createFile(jar.resolveSibling("a-1.jar"));
    Corpus fallback = Corpus.find(home, repository);
    assertThat(fallback).isEqualTo(new Corpus(List.of(jar), "1 sources jars of Maven"));
    assertThat(fallback.isOwn()).isFalse();
    List<String> read = new ArrayList<>();
    fallback.forEach((path, text) -> read.add(path));
    assertThat(read).hasSize(60);
    Path other = Files.createDirectories(dir.resolve("jdks/two/lib")).resolve("src.zip");
    Files.copy(jar, other);
    Corpus besides = Corpus.find(home, repository);
    assertThat(besides.archives()).containsExactly(other.toRealPath());
    assertThat(besides.isOwn()).isFalse();
    Path own = Files.createDirectories(home.resolve("lib")).resolve("src.zip");
    Files.createSymbolicLink(own, dir.resolve("gone"));
    assertThat(Corpus.find(home, repository).archives()).containsExactly(other.toRealPath());
    Files.delete(own);
    Files.copy(jar, own);
    Corpus ours = Corpus.find(home, repository);
    assertThat(ours.archives()).containsExactly(own.toRealPath());
    assertThat(ours.isOwn()).isTrue();
  }

  /** As exact as a line is. */
  private static SearchMeasurement rounded(SearchMeasurement m) {
    return new SearchMeasurement(
        m.contender(),
        m.percent(),
        m.delayMicros(),
        Math.round(m.queriesPerSecond() * 1e3) / 1e3,
        Math.round(m.cpuMillis() * 1e3) / 1e3,
        Math.round(m.hitRatio() * 1e6) / 1e6,
        m.reads(),
        m.bytes(),
        m.poolBytes(),
        m.budgetBytes(),
        m.check());
  }
}
