/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.replacement;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A folder of traces, {@code NAME.bin.gz}: little-endian integers, the number of requests, the
 * number of keys, then one key per request; and {@code expected.csv} with hit ratios of others.
 */
record Traces(Path folder) {
  private static final String PROPERTY = "hyperclock.traces";
  private static final String DEFAULT = "../shared/traces";
  private static final int HEADER_INTS = 2;

  /** What others reach on one trace with one capacity. */
  record Point(String trace, int capacity, double caffeine, double reference) {}

  /** The folder named by {@value #PROPERTY}; by default one beside the project. */
  static Traces configured() {
    Path project = Path.of("").toAbsolutePath();
    if (!Files.exists(project.resolve("core"))) {
      project = project.getParent();
    }
    return new Traces(project.resolve(System.getProperty(PROPERTY, DEFAULT)).normalize());
  }

  boolean exist() {
    return Files.isReadable(folder.resolve("expected.csv"));
  }

  /** The points of the traces whose names match. */
  List<Point> points(String names) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("expected.csv"));
      List<String> columns = List.of(lines.get(0).split(","));
      List<Point> points = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split(",");
        if (cells[0].matches(names)) {
          points.add(
              new Point(
                  cells[0],
                  Integer.parseInt(cells[columns.indexOf("capacity")]),
                  Double.parseDouble(cells[columns.indexOf("Caffeine")]),
                  Double.parseDouble(cells[columns.indexOf("DUEL-R16")])));
        }
      }
      return points;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int[] keys(String trace) {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(folder.resolve(trace + ".bin.gz")))) {
      ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
      int[] keys = new int[bytes.getInt()];
      bytes.position(HEADER_INTS * Integer.BYTES);
      bytes.asIntBuffer().get(keys);
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
