/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import jdk.jfr.Recording;

/** Makes a flight recording of what HyperClock does, and of nothing else. */
public final class FlightLog {
  private static final Duration PERIOD = Duration.ofMillis(100);

  private FlightLog() {}

  /**
   * Records while something runs.
   *
   * @param file where to write the recording
   * @param work what to run
   * @throws Exception what the work threw; nothing is written then
   */
  public static void record(Path file, Callable<?> work) throws Exception {
    try (Recording recording = new Recording()) {
      for (String event : List.of("CacheStatistics", "RoleStatistics")) {
        recording.enable("hyperclock." + event).withPeriod(PERIOD);
      }
      for (String event :
          List.of(
              "LongSweep", "Refusal", "LeakedHandle", "LongPin", "Problem", "CallbackFailure")) {
        recording.enable("hyperclock." + event);
      }
      recording.start();
      work.call();
      recording.stop();
      recording.dump(file);
    }
  }
}
