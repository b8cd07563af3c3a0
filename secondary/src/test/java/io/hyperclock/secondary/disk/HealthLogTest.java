/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator reads of a disk that fails. */
class HealthLogTest {
  private final Logger logger = Logger.getLogger(DiskSecondaryCache.class.getName());
  private final Lines lines = new Lines();
  private final DiskHealth health =
      new DiskHealth("ssd", Duration.ofHours(1), Duration.ofHours(1), System::nanoTime);

  private static final class Lines extends Handler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getLevel() + " " + line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    logger.addHandler(lines);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(lines);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  @Test
  void aFaultIsLoggedOnceAndThatItIsOver() {
    health.writeFailed(new IOException("no space"));
    health.writeFailed(new IOException("no space"));
    health.writeFailed(new IOException("no space"));
    assertThat(lines.lines)
        .containsExactly(
            "WARNING tier=ssd, state=READ_ONLY, writes must succeed:"
                + " error=java.io.IOException: no space, faults=1");
    health.wrote();
    health.wrote();
    assertThat(lines.lines)
        .hasSize(2)
        .last()
        .isEqualTo("INFO tier=ssd, state=OPEN, works again, faults=1");
  }

  @Test
  void aDeviceThatHangsIsLoggedOnceAndThatItIsOver() {
    AtomicLong nanos = new AtomicLong(1);
    DiskHealth hanging =
        new DiskHealth("ssd", Duration.ofHours(1), Duration.ofSeconds(10), nanos::get);
    int call = hanging.writes.begin();
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    assertThat(hanging.takesInserts()).isTrue();
    assertThat(lines.lines).isEmpty();
    nanos.addAndGet(1);
    assertThat(hanging.takesInserts()).isFalse();
    assertThat(hanging.takesInserts()).isFalse();
    assertThat(lines.lines)
        .hasSize(1)
        .first()
        .asString()
        .startsWith("WARNING tier=ssd, state=READ_ONLY, writes must end within stallLimit:")
        .endsWith("stalled=1, faults=1");
    hanging.writes.end(call);
    assertThat(hanging.takesInserts()).isTrue();
    assertThat(hanging.takesInserts()).isTrue();
    assertThat(lines.lines)
        .hasSize(2)
        .last()
        .isEqualTo("INFO tier=ssd, state=OPEN, works again, faults=1");
  }

  @Test
  void nothingIsSaidOfFewFailedReads() {
    for (int failure = 0; failure < 7; failure++) {
      health.readFailed(new IOException("gone"), 0, 64);
    }
    assertThat(lines.lines).isEmpty();
    health.readFailed(new IOException("gone"), 0, 64);
    assertThat(lines.lines).hasSize(1).first().asString().contains("state=BYPASS, reads must");
  }

  @Test
  void whileAnotherFaultLastsItDoesNotWorkAgain() {
    health.writeFailed(new IOException("no space"));
    for (int failure = 0; failure < 8; failure++) {
      health.readFailed(new IOException("gone"), 0, 64);
    }
    assertThat(lines.lines).hasSize(2);
    health.wrote();
    assertThat(health.state().mode()).isEqualTo(TierState.Mode.BYPASS);
    assertThat(lines.lines).hasSize(2);
    health.readsAgain();
    assertThat(lines.lines).hasSize(3).last().asString().contains("works again");
  }

  @Test
  void aDiskThatComesAndGoesFillsNoLog() {
    for (int fault = 0; fault < 1000; fault++) {
      health.writeFailed(new IOException("no space"));
      health.wrote();
    }
    // 1, 2, 4 … 512, each with its end.
    assertThat(lines.lines).hasSize(20);
    assertThat(lines.lines.get(18)).endsWith("faults=512");
  }

  @Test
  void aCloseThatIsLateWithItsSnapshotWritten() {
    health.closesLate(Duration.ofSeconds(5), true);
    assertThat(lines.lines)
        .containsExactly(
            "WARNING tier=ssd, state=CLOSED, close must end in time: closeLimit=PT5S,"
                + " snapshotWritten=true");
  }
}
