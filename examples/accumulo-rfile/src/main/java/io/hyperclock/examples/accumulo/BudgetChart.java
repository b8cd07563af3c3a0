/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** One figure of every cache over the size of the data cache. */
final class BudgetChart {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 400;
  private static final Color[] COLORS = {
    new Color(0x9AA5B1), new Color(0x5B8DB8), new Color(0xE07A3F), new Color(0x2F4858)
  };

  private final String title;
  private final String unit;
  private final ToDoubleFunction<Summary> figure;

  BudgetChart(String title, String unit, ToDoubleFunction<Summary> figure) {
    this.title = title;
    this.unit = unit;
    this.figure = figure;
  }

  /**
   * Draws the chart.
   *
   * @param summaries caches with budgets, none twice
   * @param file takes the chart as SVG
   * @throws IOException if it cannot be written
   */
  void write(List<Summary> summaries, Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("size of the data cache")
            .yAxisTitle(unit)
            .build();
    style(chart);
    Arrays.stream(CacheChoice.values()).forEach(cache -> addSeries(chart, summaries, cache));
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
  }

  private void addSeries(CategoryChart chart, List<Summary> summaries, CacheChoice cache) {
    List<Summary> own = summaries.stream().filter(s -> s.cache() == cache).toList();
    if (!own.isEmpty()) {
      List<String> budgets = own.stream().map(s -> ByteSize.format(s.budgetBytes())).toList();
      List<Double> figures = own.stream().map(figure::applyAsDouble).toList();
      chart
          .addSeries(cache.label(), budgets, figures)
          .setFillColor(COLORS[cache.ordinal() % COLORS.length]);
    }
  }

  private static void style(CategoryChart chart) {
    CategoryStyler styler = chart.getStyler();
    styler.setAvailableSpaceFill(0.75);
    styler.setOverlapped(false);
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Horizontal);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setPlotBorderVisible(false);
    styler.setYAxisDecimalPattern("#,###");
    styler.setYAxisMin(0.0);
  }
}
