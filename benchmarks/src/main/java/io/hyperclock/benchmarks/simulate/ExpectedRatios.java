/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Hit ratios from elsewhere, to compare with: a CSV file with the columns {@code trace} and {@code
 * capacity} and one for each policy. Immutable.
 */
public final class ExpectedRatios {
  private record Point(String trace, long capacity) {}

  private final List<String> columns;
  private final Map<Point, Map<String, Double>> ratios = new HashMap<>();
  private final List<Point> points = new ArrayList<>();

  private ExpectedRatios(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    this.columns = lines.isEmpty() ? List.of() : Arrays.asList(lines.get(0).strip().split(","));
    require(
        columns.contains("trace") && columns.contains("capacity"),
        "file must have the columns trace and capacity: file=" + file);
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        String[] cells = lines.get(i).strip().split(",");
        String where = ": line=" + (i + 1) + ", file=" + file;
        require(cells.length == columns.size(), "line must have a value for each column" + where);
        try {
          require(add(cells).capacity() >= 1, "capacity must be >= 1" + where);
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException("capacity and ratios must be numbers" + where, e);
        }
      }
    }
  }

  /**
   * Reads a file.
   *
   * @param file where it is
   * @return what it says
   * @throws IllegalArgumentException if there is no such file or it is not one of ratios
   */
  public static ExpectedRatios read(Path file) {
    try {
      return new ExpectedRatios(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("file must exist: file=" + file, e);
    } catch (IOException e) {
      throw new IllegalArgumentException("file must be readable: file=" + file, e);
    }
  }

  private Point add(String[] cells) {
    String trace = cells[columns.indexOf("trace")];
    Point point = new Point(trace, Long.parseLong(cells[columns.indexOf("capacity")]));
    Map<String, Double> byColumn = new HashMap<>();
    for (int i = 0; i < cells.length; i++) {
      if (!columns.get(i).equals("trace")) {
        byColumn.put(columns.get(i), Double.parseDouble(cells[i]));
      }
    }
    points.add(point);
    ratios.put(point, byColumn);
    return point;
  }

  /**
   * Whether there is a column.
   *
   * @param column its name
   * @return true if so
   */
  public boolean hasColumn(String column) {
    return columns.contains(column);
  }

  /**
   * Capacities that are known for a trace.
   *
   * @param trace its name
   * @return capacities in the order of the file
   */
  public List<Long> capacities(String trace) {
    return points.stream().filter(p -> p.trace.equals(trace)).map(Point::capacity).toList();
  }

  /**
   * A hit ratio.
   *
   * @param trace name of the trace
   * @param capacity capacity of the cache
   * @param column name of the column
   * @return the ratio, empty if the file does not tell
   */
  public OptionalDouble ratio(String trace, long capacity, String column) {
    Double ratio = ratios.getOrDefault(new Point(trace, capacity), Map.of()).get(column);
    return ratio == null ? OptionalDouble.empty() : OptionalDouble.of(ratio);
  }

  private static void require(boolean valid, String rule) {
    if (!valid) {
      throw new IllegalArgumentException(rule);
    }
  }
}
