/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws charts as SVG files. */
final class Charts {
  private static final int WIDTH = 820;
  private static final int HEIGHT = 380;

  /** Digits that make files twice as large and cannot be seen. */
  private static final Pattern ROUNDED_OFF = Pattern.compile("(\\d\\.\\d)\\d+");

  private Charts() {}

  /**
   * Draws the medians of measurements of one unit, grouped by their sizes, with the spread of their
   * forks. What was not measured at a size has no bar there.
   *
   * @param title text over the chart
   * @param measurements what to draw, at least one
   * @param file where to write it
   */
  static void draw(String title, List<BenchmarkMeasurement> measurements, Path file)
      throws IOException {
    Set<String> sizes = new LinkedHashSet<>();
    Map<String, Map<String, BenchmarkMeasurement>> byName = new LinkedHashMap<>();
    for (BenchmarkMeasurement measurement : measurements) {
      String size = size(measurement.id().param("size"));
      sizes.add(size);
      byName
          .computeIfAbsent(measurement.id().benchmark(), name -> new LinkedHashMap<>())
          .put(size, measurement);
    }
    CategoryChart chart = bars(title, "entries", unit(measurements.get(0).unit()));
    byName.forEach(
        (name, bySize) -> {
          List<Double> medians = new ArrayList<>();
          List<Double> spreads = new ArrayList<>();
          for (String size : sizes) {
            BenchmarkMeasurement measurement = bySize.get(size);
            medians.add(measurement == null ? 0 : measurement.median());
            spreads.add(measurement == null ? 0 : (measurement.max() - measurement.min()) / 2);
          }
          chart.addSeries(name, List.copyOf(sizes), medians, spreads);
        });
    save(chart, file);
  }

  /**
   * Draws a group of bars for each category.
   *
   * @param title text over the chart
   * @param unit text beside it
   * @param categories names of the groups
   * @param series a value for each category, by the names of the bars
   * @param file where to write it
   */
  static void bars(
      String title,
      String unit,
      List<String> categories,
      Map<String, List<Double>> series,
      Path file)
      throws IOException {
    CategoryChart chart = bars(title, "", unit);
    series.forEach((name, values) -> chart.addSeries(name, categories, values));
    save(chart, file);
  }

  private static CategoryChart bars(String title, String xTitle, String yTitle) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBorderVisible(false);
    chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    return chart;
  }

  /**
   * Writes a chart as SVG text.
   *
   * @param chart what to draw
   * @param file where to write it
   */
  static void save(Chart<?, ?> chart, Path file) throws IOException {
    if (file.getParent() != null) {
      Files.createDirectories(file.getParent());
    }
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    Files.writeString(file, ROUNDED_OFF.matcher(Files.readString(file)).replaceAll("$1"));
  }

  /**
   * A number of entries in words.
   *
   * @param size digits, or empty
   * @return such as 64 Ki, or a dash
   */
  static String size(String size) {
    if (size.isEmpty()) {
      return "–";
    }
    long entries = Long.parseLong(size);
    if (entries % (1 << 20) == 0) {
      return (entries >> 20) + " Mi";
    }
    return entries % (1 << 10) == 0 ? (entries >> 10) + " Ki" : size;
  }

  /**
   * A unit in words.
   *
   * @param unit JMH's
   * @return ours
   */
  static String unit(String unit) {
    return unit.equals("ops/us") ? "million ops/s" : unit;
  }
}
