/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import io.hyperclock.benchmarks.sizing.SizeSample;
import io.hyperclock.benchmarks.sizing.SizingRun;
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

  private final List<SizeSample> samples;
  private final XYChart chart;

  private SizingChart(String title, List<SizeSample> samples) {
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
   * @param run with at least one sample
   * @param file where to write the SVG text
   */
  public static void draw(String title, SizingRun run, Path file) throws IOException {
    SizingChart drawing = new SizingChart(title, run.samples());
    drawing.add("entries", SizeSample::entries);
    drawing.add("slots", SizeSample::slots);
    drawing.add("metadata, KiB", sample -> sample.metadataBytes() / BYTES_PER_KIB);
    drawing.add("longest insert, µs", SizeSample::longestInsertMicros);
    drawing.add("the same, fixed size", run.fixedLongestMicros());
    Charts.save(drawing.chart, file);
  }

  private void add(String name, ToDoubleFunction<SizeSample> figure) {
    add(name, samples.stream().map(figure::applyAsDouble).toList());
  }

  private void add(String name, List<Double> figures) {
    int count = Math.min(samples.size(), figures.size());
    double[] x = samples.stream().limit(count).mapToDouble(SizeSample::turnovers).toArray();
    // A logarithm has no zero.
    double[] y = figures.stream().limit(count).mapToDouble(value -> Math.max(1, value)).toArray();
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
  }
}
