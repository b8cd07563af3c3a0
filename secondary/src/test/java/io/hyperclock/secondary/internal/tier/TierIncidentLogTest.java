/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.internal.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.LogLines;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class TierIncidentLogTest {
  private static final String NAME = TierIncidentLogTest.class.getName();
  private final TierIncidentLog log = new TierIncidentLog(System.getLogger(NAME), "it broke");

  @Test
  void powersOfTwoAreLogged() {
    try (LogLines lines = new LogLines(NAME)) {
      for (int i = 0; i < 9; i++) {
        log.report("part=" + i, null);
      }
      assertThat(lines.with(""))
          .containsExactly(
              "WARNING it broke: part=0, count=1",
              "WARNING it broke: part=1, count=2",
              "WARNING it broke: part=3, count=4",
              "WARNING it broke: part=7, count=8");
      assertThat(log.count()).isEqualTo(9);
    }
  }

  @Test
  void aLoggerThatThrowsHarmsNothing() {
    AtomicInteger lines = new AtomicInteger();
    Handler broken =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.incrementAndGet();
            throw new AssertionError("no log");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(NAME);
    logger.addHandler(broken);
    logger.setLevel(Level.ALL);
    try {
      log.report("part=1", new IllegalStateException());
      assertThat(lines).hasValue(1);
      assertThat(log.count()).isEqualTo(1);
    } finally {
      logger.removeHandler(broken);
      logger.setLevel(null);
    }
  }
}
