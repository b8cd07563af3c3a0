/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.LeakDetection;
import io.hyperclock.MetadataCharge;
import io.hyperclock.OtherJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events where the virtual machine has no flight recorder. */
class NoFlightRecorderTest {
  @TempDir private Path dir;

  /** Runs in such a JVM: a cache whose observer is called for statistics, sweeps and refusals. */
  static final class Probe {
    private static final Logger LOGGER = Logger.getLogger("io.hyperclock");

    private Probe() {}

    public static void main(String[] args) {
      StringBuilder out = new StringBuilder();
      out.append(FlightRecorder.isAvailable());
      LOGGER.setLevel(Level.OFF);
      BlockCache<String> cache =
          BlockCache.<String>builder()
              .capacityBytes(10)
              .estimatedEntryCharge(1)
              .metadataCharge(MetadataCharge.NONE)
              .shards(1)
              .capacityMode(CapacityMode.STRICT)
              .leakDetection(LeakDetection.all())
              .observer(JfrEvents.named("blocks"))
              .build();
      try (cache) {
        cache.insert(1, 1, "one", 10);
        cache.insert(1, 2, "two", 10);
        try (Handle<String> handle = Objects.requireNonNull(cache.lookup(1, 2))) {
          out.append(' ').append(cache.insert(1, 3, "three", 10)).append(' ');
          out.append(handle.value());
        }
        cache.monitor().problems();
        out.append(' ').append(cache.monitor().stats().callbackFailures());
      }
      System.out.println(out);
    }
  }

  @Test
  void aCacheWithEventsWorksAndNothingIsWritten() throws IOException, InterruptedException {
    String said =
        OtherJvm.said(
            dir,
            "-Djfr.unsupported.vm=true",
            "-cp",
            System.getProperty("java.class.path"),
            Probe.class.getName());
    assertThat(said).isEqualTo("false " + InsertResult.REFUSED + " two 0");
  }
}
