/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import io.hyperclock.benchmarks.sizing.Sample;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws how a cache follows entries whose size shifts. */
public final class SizingChart {
  private static final int WIDTH = 820;
  private static final int HEIGHT = 420;
  private static final double BYTES_PER_KIB = 1024;

  private final List<Sample> samples;
  private final XYChart chart;

  private SizingChart(String title, List<Sample> samples) {
    this.samples = samples;
    this.chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("bytes inserted, in capacities")
            .build();
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBorderVisible(false);
    chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
  }

  /**
   * Draws entries, slots, metadata and the longest insert.
   *
   * @param title text over the chart
   * @param samples of one run, at least one
   * @param file where to write the SVG text
   */
  public static void draw(String title, List<Sample> samples, Path file) throws IOException {
    SizingChart drawing = new SizingChart(title, samples);
    drawing.add("entries", Sample::entries);
    drawing.add("slots", Sample::slots);
    drawing.add("metadata, KiB", sample -> sample.metadataBytes() / BYTES_PER_KIB);
    drawing.add("longest insert, µs", Sample::longestInsertMicros);
    Charts.save(drawing.chart, file);
  }

  private void add(String name, ToDoubleFunction<Sample> figure) {
    double[] x = samples.stream().mapToDouble(Sample::turnovers).toArray();
    // A logarithm has no zero.
    double[] y = samples.stream().mapToDouble(figure).map(value -> Math.max(1, value)).toArray();
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
  }
}
