/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.lucene;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What was measured, in one run or several; a line each. */
final class Results {
  private final List<SearchMeasurement> measurements = new ArrayList<>();
  private final List<HotReads.Rates> rates = new ArrayList<>();

  static Results read(Path file) throws IOException {
    Results results = new Results();
    if (Files.exists(file)) {
      Files.readAllLines(file).forEach(results::add);
    }
    return results;
  }

  /** Adds what a line says; false if it is none of ours. */
  boolean add(String line) {
    if (SearchMeasurement.isLine(line)) {
      return measurements.add(SearchMeasurement.fromLine(line));
    }
    return HotReads.Rates.isLine(line) && rates.add(HotReads.Rates.fromLine(line));
  }

  void addAll(Results others) {
    measurements.addAll(others.measurements);
    rates.addAll(others.rates);
  }

  void appendTo(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    measurements.forEach(m -> lines.add(m.toLine()));
    rates.forEach(r -> lines.add(r.toLine()));
    Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Each of them. */
  List<SearchMeasurement> measurements() {
    return measurements;
  }

  /** Of those that measured the same, the median by queries per second. */
  List<SearchMeasurement> medians() {
    Comparator<SearchMeasurement> order =
        Comparator.comparingLong(SearchMeasurement::delayMicros)
            .thenComparing(m -> m.contender().caches ? m.percent() : Double.MAX_VALUE)
            .thenComparing(SearchMeasurement::contender);
    Map<SearchMeasurement, List<SearchMeasurement>> same = new TreeMap<>(order);
    measurements.forEach(m -> same.computeIfAbsent(m, key -> new ArrayList<>()).add(m));
    return same.values().stream()
        .map(cell -> median(cell, SearchMeasurement::queriesPerSecond))
        .collect(Collectors.toList());
  }

  /** Of each contender the medians of its rates. */
  List<HotReads.Rates> rates() {
    Map<Contender, List<HotReads.Rates>> same = new TreeMap<>();
    rates.forEach(r -> same.computeIfAbsent(r.contender(), key -> new ArrayList<>()).add(r));
    return same.entrySet().stream()
        .map(
            cell ->
                new HotReads.Rates(
                    cell.getKey(),
                    median(cell.getValue(), HotReads.Rates::inTurn).inTurn(),
                    median(cell.getValue(), HotReads.Rates::atRandom).atRandom()))
        .collect(Collectors.toList());
  }

  private static <T> T median(List<T> values, ToDoubleFunction<T> by) {
    return values.stream()
        .sorted(Comparator.comparingDouble(by))
        .skip((values.size() - 1) / 2)
        .findFirst()
        .orElseThrow();
  }
}
