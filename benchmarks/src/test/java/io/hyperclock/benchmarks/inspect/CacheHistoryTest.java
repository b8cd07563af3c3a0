/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.benchmarks.inspect.CacheHistory.Span;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CacheHistoryTest {
  private final CacheHistory history = new CacheHistory("any");

  private void totals(long millis, long hits, long misses) {
    history.addTotals(
        new Sample(Instant.ofEpochMilli(millis), Map.of("hits", hits, "misses", misses)));
  }

  private void role(long millis, long hits, long inserts) {
    history.addRole(
        "ROLE", new Sample(Instant.ofEpochMilli(millis), Map.of("hits", hits, "inserts", inserts)));
  }

  @ParameterizedTest
  @ValueSource(longs = {-30, -1, 0, 1, 30})
  void rolesBelongToTheTotalsOfTheirBeat(long later) {
    totals(3000, 4, 16);
    totals(2000, 4, 4);
    totals(1000, 0, 0);
    role(3000 + later, 2, 8);
    role(2000 + later, 2, 2);
    role(1000 + later, 0, 0);
    history.sort();
    List<Span> steps = history.steps();
    assertThat(steps).extracting(Span::seconds).containsExactly(1.0, 2.0);
    assertThat(steps).extracting(Span::hitRatio).containsExactly(0.5, 0.0);
    assertThat(steps).extracting(span -> span.hitRatio("ROLE")).containsExactly(0.5, 0.0);
    assertThat(history.all().hitRatio()).isEqualTo(0.2);
    assertThat(history.all().hitRatio("ROLE")).isEqualTo(0.2);
    assertThat(history.all().hitRatio("OTHER")).isNaN();
  }

  @Test
  void roleThatAppearsLaterStartsAtZero() {
    totals(1000, 0, 0);
    totals(2000, 0, 0);
    totals(3000, 9, 1);
    role(3001, 9, 1);
    history.sort();
    assertThat(history.steps().get(0).hitRatio("ROLE")).isNaN();
    assertThat(history.steps().get(1).hitRatio("ROLE")).isEqualTo(0.9);
  }

  @Test
  void counterThatFellStartedAnew() {
    totals(1000, 100, 100);
    totals(2000, 3, 1);
    assertThat(history.all().hitRatio()).isEqualTo(0.75);
  }

  @Test
  void longHistoriesAreSummedUp() {
    for (int beat = 0; beat <= 20_000; beat++) {
      totals(1000L * beat, beat, beat);
      role(1000L * beat + 1, beat, 3L * beat);
    }
    history.sort();
    List<Span> spans = history.spans();
    assertThat(spans).hasSize(20);
    assertThat(spans.get(19).seconds()).isEqualTo(20_000);
    assertThat(spans.stream().mapToLong(span -> span.count("hits")).sum()).isEqualTo(20_000);
    assertThat(spans).allSatisfy(span -> assertThat(span.hitRatio("ROLE")).isEqualTo(0.25));
    assertThat(history.steps()).hasSize(20_000);
  }

  @Test
  void greatestIncidentsAreKept() {
    Incidents incidents = new Incidents();
    for (int i = 0; i < 1000; i++) {
      incidents.add(i * 7919 % 1000, "size " + i * 7919 % 1000);
    }
    incidents.addOnce(2000, "size 999");
    incidents.addOnce(2000, "size 2000");
    assertThat(incidents.count()).isEqualTo(1002);
    assertThat(incidents.greatest())
        .extracting(Incidents.Incident::size)
        .containsExactly(2000L, 999L, 998L, 997L, 996L, 995L, 994L, 993L, 992L, 991L);
  }
}
