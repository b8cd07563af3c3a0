/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws hit-ratio curves. */
public final class HitRatioChart {
  private static final int WIDTH = 820;
  private static final int HEIGHT = 420;

  private HitRatioChart() {}

  /**
   * Draws a curve for each policy over the capacity.
   *
   * @param trace name of the trace
   * @param points ratios of this trace, at least one
   * @param file where to write the SVG text
   */
  public static void draw(String trace, List<HitRatio> points, Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Hit ratio: " + trace)
            .xAxisTitle("capacity (log scale)")
            .yAxisTitle("hits in %")
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBorderVisible(false);
    chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    Map<String, List<HitRatio>> byPolicy = new LinkedHashMap<>();
    for (HitRatio point : points) {
      byPolicy.computeIfAbsent(point.policy(), policy -> new ArrayList<>()).add(point);
    }
    byPolicy.forEach(
        (policy, curve) ->
            chart.addSeries(
                policy,
                curve.stream().mapToDouble(HitRatio::capacity).toArray(),
                curve.stream().mapToDouble(point -> 100 * point.ratio()).toArray()));
    Charts.save(chart, file);
  }
}
