/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IncidentLogTest {
  private static final String WHAT = "something happened on purpose";

  private final Logger logger = Logger.getLogger("io.hyperclock");
  private final List<String> lines = new ArrayList<>();
  private boolean logThrows;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          if (!line.getMessage().startsWith(WHAT)) {
            return; // Of a thread of another test.
          }
          lines.add(line.getLevel() + " " + line.getMessage());
          if (logThrows) {
            throw new IllegalStateException("no log");
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final IncidentLog incidents = new IncidentLog(WHAT);
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.WARNING);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
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
    assertThat(lines)
        .containsExactly(
            "WARNING something happened on purpose: to it, count=1",
            "WARNING something happened on purpose: to it, count=2",
            "WARNING something happened on purpose: to it, count=4",
            "WARNING something happened on purpose: to it, count=8");
  }

  @Test
  void whatTheLogThrowsIsKeptFromTheCaller() {
    logThrows = true;
    report(1);
    assertThat(lines).hasSize(1);
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
