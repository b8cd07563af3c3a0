/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Table and charts. */
final class SearchReport {
  private static final Color[] COLORS = {
    new Color(0x2F4858), new Color(0xE07A3F), new Color(0x9AA5B1), new Color(0x5B8DB8)
  };

  private final List<SearchMeasurement> measurements;
  private final List<HotReads.Rates> rates;

  SearchReport(Results results) {
    this.measurements = results.medians();
    this.rates = results.rates();
  }

  /** All tables. */
  String text() {
    return table() + comparison() + hotReads();
  }

  /** A line for each measurement. */
  private String table() {
    if (measurements.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "| delay µs | budget | read through | queries/s | CPU ms | hits | reads below | MB below |"
            + " pool MB |\n"
            + "|--:|--:|---|--:|--:|--:|--:|--:|--:|\n");
    for (SearchMeasurement m : measurements) {
      String budget = m.contender().caches ? percent(m.percent()) : "–";
      String hits = m.contender().caches ? percent(100 * m.hitRatio()) : "–";
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %s | %,.0f | %.2f | %s | %,d | %,.1f | %.1f |%n",
              m.delayMicros(),
              budget,
              m.contender().label,
              m.queriesPerSecond(),
              m.cpuMillis(),
              hits,
              m.reads(),
              m.bytes() / 1e6,
              m.poolBytes() / 1e6));
    }
    return text.append('\n').toString();
  }

  /** HyperClock beside Caffeine with the same budget, and beside mapped files. */
  private String comparison() {
    StringBuilder text = new StringBuilder();
    for (SearchMeasurement own : measurements) {
      SearchMeasurement rival = other(own, Contender.CAFFEINE);
      SearchMeasurement mapped = other(own, Contender.MMAP);
      if (own.contender() == Contender.HYPERCLOCK && (rival != null || mapped != null)) {
        text.append(
            String.format(
                Locale.ROOT,
                "| %d | %s | %s | %s | %s |%n",
                own.delayMicros(),
                percent(own.percent()),
                rival == null || rival.reads() == 0
                    ? "–"
                    : percent(100 - 100.0 * own.reads() / rival.reads()),
                ratio(own, rival),
                ratio(own, mapped)));
      }
    }
    return text.isEmpty()
        ? ""
        : "| delay µs | budget | fewer reads below than with Caffeine | queries/s against Caffeine"
            + " | against MMap |\n"
            + "|--:|--:|--:|--:|--:|\n"
            + text
            + "\n";
  }

  private @Nullable SearchMeasurement other(SearchMeasurement own, Contender contender) {
    return measurements.stream()
        .filter(m -> m.contender() == contender && m.delayMicros() == own.delayMicros())
        .filter(m -> !contender.caches || m.percent() == own.percent())
        .findFirst()
        .orElse(null);
  }

  private static String ratio(SearchMeasurement own, @Nullable SearchMeasurement other) {
    return other == null
        ? "–"
        : String.format(Locale.ROOT, "%.2f", own.queriesPerSecond() / other.queriesPerSecond());
  }

  private String hotReads() {
    if (rates.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "| `readLong` of cached blocks | in turn, M/s | at random, M/s | against MMap |\n"
            + "|---|--:|--:|--:|\n");
    HotReads.Rates mapped =
        rates.stream().filter(r -> r.contender() == Contender.MMAP).findFirst().orElse(null);
    for (HotReads.Rates r : rates) {
      String against =
          mapped == null
              ? "–"
              : String.format(
                  Locale.ROOT,
                  "%.2f, %.2f",
                  r.inTurn() / mapped.inTurn(),
                  r.atRandom() / mapped.atRandom());
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.1f | %.1f | %s |%n",
              r.contender().label,
              r.inTurn(),
              r.atRandom(),
              against));
    }
    return text.append('\n').toString();
  }

  private static String machine() {
    return String.format(
        Locale.ROOT,
        "%s %s, %d processors, %s %s, heap %,d MB, %s.",
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        Runtime.getRuntime().maxMemory() >> 20,
        LocalDate.now());
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %%" : "%.1f %%", value);
  }

  /** Writes {@code report.md} and a chart for each delay. */
  void write(Path directory, String title) throws IOException {
    Files.createDirectories(directory);
    StringBuilder text =
        new StringBuilder("# " + title + "\n\n" + machine() + "\n\n" + text().strip() + "\n");
    for (long delay :
        measurements.stream().map(SearchMeasurement::delayMicros).distinct().toList()) {
      String name = "queries-" + delay + "us.svg";
      chart(delay, directory.resolve(name));
      text.append("\n![queries per second](").append(name).append(")\n");
    }
    Files.writeString(directory.resolve("report.md"), text);
  }

  private void chart(long delay, Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(720)
            .height(400)
            .title("Queries per second, " + delay + " µs a read of the storage")
            .xAxisTitle("budget in percent of the index")
            .yAxisTitle("queries/s")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    List<SearchMeasurement> here =
        measurements.stream().filter(m -> m.delayMicros() == delay).toList();
    List<Double> percents =
        here.stream()
            .filter(m -> m.contender().caches)
            .map(SearchMeasurement::percent)
            .distinct()
            .toList();
    for (Contender contender : Contender.values()) {
      List<SearchMeasurement> own = here.stream().filter(m -> m.contender() == contender).toList();
      if (!own.isEmpty()) {
        // Who has no budget has one figure for all.
        List<Double> figures =
            percents.stream()
                .map(
                    percent ->
                        own.stream()
                            .filter(m -> !contender.caches || m.percent() == percent)
                            .findFirst()
                            .map(SearchMeasurement::queriesPerSecond)
                            .orElse(0.0))
                .toList();
        chart
            .addSeries(
                contender.label, percents.stream().map(SearchReport::percent).toList(), figures)
            .setFillColor(COLORS[contender.ordinal()]);
      }
    }
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
  }
}
