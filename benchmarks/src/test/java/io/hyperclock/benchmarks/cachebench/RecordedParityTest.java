/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * The model against figures of the table that HyperClock had for following RocksDB: the two agreed
 * in every run that was compared, and with RocksDB's tool digit for digit.
 */
final class RecordedParityTest {
  @ParameterizedTest
  @CsvFileSource(resources = "parity.csv", delimiter = ';')
  void modelStillGivesTheRecordedFigures(
      String args,
      long populated,
      long lookups,
      long hits,
      long pinned,
      long occupancy,
      long slots,
      long checksums)
      throws Exception {
    Outcome outcome = Bench.run("--cache=parity --threads=1 --histograms=false " + args);
    assertThat(
            new long[] {
              outcome.populated(),
              outcome.lookups(),
              outcome.hits(),
              outcome.pinned(),
              outcome.occupancy(),
              outcome.slots(),
              outcome.checksums()
            })
        .containsExactly(populated, lookups, hits, pinned, occupancy, slots, checksums);
    assertThat(outcome.scan().entries()).isEqualTo(occupancy);
  }
}
