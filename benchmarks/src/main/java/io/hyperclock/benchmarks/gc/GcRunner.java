/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import io.hyperclock.benchmarks.caches.NativeAccess;
import io.hyperclock.benchmarks.results.GcRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts JVMs that measure, one at a time, with the JDK that runs this one.
 *
 * @param entries entries of each cache
 * @param rounds collections that count in each JVM
 * @param heap size of the heap, as for {@code -Xmx}
 */
public record GcRunner(int entries, int rounds, String heap) {
  /**
   * Measures one cache under one collector.
   *
   * @param collector the collector
   * @param contents what is filled
   * @param fork number of this run among equal ones
   * @return what came out
   * @throws IllegalStateException if a JVM fails
   */
  public GcRun run(Collector collector, Contents contents, int fork)
      throws IOException, InterruptedException {
    List<Double> marks = new ArrayList<>();
    GcProcess.Figures figures = start(collector, contents, false, marks);
    if (collector.marksApart()) {
      start(collector, contents, true, marks);
    } else if (!collector.isConcurrent()) {
      marks.clear();
    }
    return new GcRun(
        collector.title(),
        contents.title(),
        figures.entries(),
        fork,
        figures.collectionMillis(),
        List.copyOf(marks),
        figures.heapUsedBytes(),
        figures.directBytes(),
        figures.bytesPerRead());
  }

  private GcProcess.Figures start(
      Collector collector, Contents contents, boolean marking, List<Double> marks)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("gc", ".log");
    Path output = Files.createTempFile("gc", ".out");
    try {
      Process process =
          new ProcessBuilder(command(collector, contents, marking, log))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      int status;
      try {
        status = process.waitFor();
      } finally {
        process.destroyForcibly();
      }
      List<String> lines = Files.readAllLines(output);
      String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
      if (status != 0) {
        throw failed(collector, contents, lines.isEmpty() ? "" : lines.get(0));
      }
      List<Double> all = MarkLog.read(Files.readAllLines(log));
      marks.clear();
      marks.addAll(all.subList(Math.max(0, all.size() - rounds), all.size()));
      return figures(collector, contents, last);
    } finally {
      Files.deleteIfExists(log);
      Files.deleteIfExists(output);
    }
  }

  private static GcProcess.Figures figures(Collector collector, Contents contents, String json) {
    try {
      return new Gson().fromJson(json, GcProcess.Figures.class);
    } catch (JsonSyntaxException e) {
      throw failed(collector, contents, json);
    }
  }

  private static IllegalStateException failed(
      Collector collector, Contents contents, String output) {
    return new IllegalStateException(
        "a JVM must end well: collector="
            + collector.title()
            + ", cache="
            + contents.title()
            + ", output="
            + output);
  }

  private List<String> command(Collector collector, Contents contents, boolean marking, Path log) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(collector.flags(Runtime.version().feature(), marking));
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, MarkLog.FLAG.formatted(log)));
    command.addAll(List.of(NativeAccess.OPTION, "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(
        List.of(
            GcProcess.class.getName(),
            contents.name(),
            Integer.toString(entries),
            Integer.toString(rounds)));
    return command;
  }
}
