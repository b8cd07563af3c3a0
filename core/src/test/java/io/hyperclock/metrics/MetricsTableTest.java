/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.ReadScopeStats;
import io.hyperclock.stats.CacheStat;
import io.hyperclock.stats.CacheStats;
import io.hyperclock.stats.LoadStats;
import io.hyperclock.stats.RoleStats;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** Holds the table of metrics in the documents against what there is. */
final class MetricsTableTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Set<String> GIVEN =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  /**
   * A row of the table.
   *
   * @param tags keys of the meters' tags, with their values where these tell rows apart
   * @param stats fields of the snapshots
   * @param meters names of meters
   * @param fields fields of events
   */
  private record Row(
      String unit,
      String kind,
      List<String> tags,
      List<String> stats,
      List<String> meters,
      List<String> fields) {}

  private static List<Row> rows() throws IOException {
    Path dir = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    Path core = Files.isDirectory(dir.resolve("core")) ? dir.resolve("core") : dir;
    return Files.readAllLines(core.resolve("docs/metrics.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| name "))
        .map(line -> line.split(" *\\| *", -1))
        .map(
            cells -> {
              assertThat(cells).as(Arrays.toString(cells)).hasSize(10);
              return new Row(
                  cells[2],
                  cells[3],
                  codes(cells[4]),
                  codes(cells[5]),
                  codes(cells[6]),
                  codes(cells[7]));
            })
        .toList();
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  private static Set<String> sorted(Stream<String> names) {
    return names.collect(toCollection(TreeSet::new));
  }

  private static Stream<String> components(Class<? extends Record> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> type.getSimpleName() + "." + name);
  }

  /** The accessor of a value, or the constant if there is none. */
  private static String accessor(CacheStat stat) {
    return Arrays.stream(CacheStats.class.getMethods())
            .anyMatch(method -> method.getName().equals(stat.key()))
        ? "CacheStats." + stat.key()
        : "CacheStat." + stat.name();
  }

  @Test
  void snapshotFieldsAreInTheTable() throws IOException {
    assertThat(sorted(rows().stream().flatMap(row -> row.stats().stream())))
        .isEqualTo(
            sorted(
                Stream.concat(
                    Stream.of(CacheStat.values()).map(MetricsTableTest::accessor),
                    Stream.of(RoleStats.class, LoadStats.class, ReadScopeStats.class)
                        .flatMap(MetricsTableTest::components))));
  }

  @Test
  void metersAreInTheTableWithUnitKindAndTags() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (BlockCache<String> cache =
        BlockCache.<String>builder().capacityBytes(1 << 20).estimatedEntryCharge(1024).build()) {
      HyperClockMetrics.monitor(registry, cache, "any");
      Set<String> registered =
          sorted(registry.getMeters().stream().map(MetricsTableTest::described));
      Set<String> documented =
          sorted(
              rows().stream()
                  .flatMap(
                      row ->
                          row.meters().stream()
                              .map(
                                  name ->
                                      name
                                          + " "
                                          + row.unit()
                                          + " "
                                          + row.kind()
                                          + " "
                                          + row.tags())));
      assertThat(documented).isEqualTo(registered);
    }
  }

  private static String described(Meter meter) {
    List<String> tags =
        meter.getId().getTags().stream()
            .map(Tag::getKey)
            .filter(key -> !key.equals("cache"))
            .toList();
    List<String> values =
        meter.getId().getTags().stream()
            .filter(tag -> tag.getKey().equals("result"))
            .map(tag -> tag.getKey() + "=" + tag.getValue())
            .toList();
    return meter.getId().getName()
        + " "
        + meter.getId().getBaseUnit()
        + " "
        + (meter.getId().getType() == Meter.Type.COUNTER ? "counter" : "gauge")
        + " "
        + (values.isEmpty() ? tags : values);
  }

  @Test
  void eventFieldsAreInTheTable() throws IOException {
    Set<String> fields = new TreeSet<>();
    for (JfrType type : JfrType.values()) {
      addFields(EventType.getEventType(type.event().getClass()), fields);
    }
    assertThat(sorted(rows().stream().flatMap(row -> row.fields().stream()))).isEqualTo(fields);
  }

  private static void addFields(EventType event, Set<String> fields) {
    assertThat(event.getCategoryNames()).as(event.getName()).containsExactly("HyperClock");
    event.getFields().stream()
        .map(ValueDescriptor::getName)
        .filter(name -> !GIVEN.contains(name) && !name.equals("cache"))
        .forEach(name -> fields.add(event.getName() + "." + name));
  }

  @Test
  void kindsAreKnown() throws IOException {
    Pattern kinds = Pattern.compile("gauge|counter|event");
    assertThat(rows())
        .isNotEmpty()
        .allSatisfy(row -> assertThat(kinds.matcher(row.kind())).matches(Matcher::matches));
  }
}
