/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;

/** A flight recording of what HyperClock does, and of nothing else. */
public final class FlightLog implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Recording recording = new Recording();
  private final Path file;

  /**
   * Starts to record.
   *
   * @param file where to write it at the end
   */
  public FlightLog(Path file) {
    this.file = file;
    for (String event : List.of("CacheStatistics", "RoleStatistics")) {
      recording.enable("hyperclock." + event).withPeriod(PERIOD);
    }
    for (String event :
        List.of("LongSweep", "Refusal", "LeakedHandle", "LongPin", "Problem", "CallbackFailure")) {
      recording.enable("hyperclock." + event);
    }
    recording.start();
  }

  /**
   * Ends the recording and writes it.
   *
   * @throws IOException if it cannot be written
   */
  @Override
  public void close() throws IOException {
    try (recording) {
      recording.stop();
      recording.dump(file);
    }
  }
}
