/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws shares over time. */
public final class TimelineChart {
  private static final int WIDTH = 820;
  private static final int HEIGHT = 420;

  private TimelineChart() {}

  /**
   * Draws curves over time.
   *
   * @param title text over the chart
   * @param curves points of each curve, at least one: seconds, then percent
   * @param file where to write the SVG text
   */
  public static void draw(String title, Map<String, List<double[]>> curves, Path file)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("seconds")
            .yAxisTitle("hits in %")
            .build();
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setYAxisMax(100.0);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBorderVisible(false);
    chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    curves.forEach(
        (name, points) ->
            chart
                .addSeries(
                    name,
                    points.stream().mapToDouble(point -> point[0]).toArray(),
                    points.stream().mapToDouble(point -> point[1]).toArray())
                .setMarker(points.size() == 1 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE));
    Charts.save(chart, file);
  }
}
