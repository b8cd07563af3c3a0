/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IncidentLogTest {
  private static final String WHAT = "something happened on purpose";

  private final LogLines lines = new LogLines("io.hyperclock", WHAT);

  private final IncidentLog incidents = new IncidentLog(WHAT);
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void leave() {
    lines.close();
  }

  private void report(int times) {
    for (int i = 0; i < times; i++) {
      incidents.report("to", "it", new IllegalStateException("cause"));
    }
  }

  @Test
  void theFirstSecondFourthAndEighthAreLogged() {
    report(9);
    assertThat(incidents.count()).isEqualTo(9);
    assertThat(lines.with(""))
        .containsExactly(
            "WARNING something happened on purpose: to it, count=1",
            "WARNING something happened on purpose: to it, count=2",
            "WARNING something happened on purpose: to it, count=4",
            "WARNING something happened on purpose: to it, count=8");
  }

  @Test
  void whatTheLogThrowsIsKeptFromTheCaller() {
    lines.breakLog();
    report(1);
    assertThat(lines.with("")).hasSize(1);
    assertThat(incidents.count()).isEqualTo(1);
  }

  @Test
  void theObserverIsToldOfEachThatHasACause() {
    incidents.forwardTo((what, cause) -> told.add(what + ": " + cause.getMessage()));
    report(3);
    incidents.report("to", "it", null);
    assertThat(told).containsExactly("to it: cause", "to it: cause", "to it: cause");
    assertThat(incidents.count()).isEqualTo(4);
  }

  @Test
  void whatTheObserverThrowsIsCountedToo() {
    incidents.forwardTo(
        (what, cause) -> {
          throw new IllegalStateException("no observer");
        });
    report(1);
    assertThat(incidents.count()).isEqualTo(2);
  }
}
