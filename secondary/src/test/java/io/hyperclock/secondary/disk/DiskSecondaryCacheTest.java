/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.SecondaryCacheContractTest;
import io.hyperclock.secondary.testing.TierSafetyContractTest;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class DiskSecondaryCacheTest {
  private static final int STEPS = 8_000;

  private static DiskSecondaryCacheBuilder builder(Path directory, long capacityBytes) {
    return DiskSecondaryCache.builder()
        .directory(directory)
        .regionBytes(64 << 10)
        .estimatedRecordBytes(128)
        .stallLimit(TierTestLimits.TIME)
        .maxInFlightBytes(1 << 20)
        .capacityBytes(capacityBytes);
  }

  @Nested
  final class InGoodOrder extends SecondaryCacheContractTest {
    @TempDir Path directory;
    @RegisterExtension final DiskWriters writers = new DiskWriters();

    @Override
    protected int steps() {
      return STEPS;
    }

    @Override
    protected boolean isInMemory() {
      return false;
    }

    /** Slots tell keys apart by fingerprint only, and each store hashes them in another way. */
    @Override
    protected long mistakenKeys() {
      return 2;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return builder(directory, capacityBytes).build();
    }
  }

  /** Regions so small that a record is about one, no compression, everything written again. */
  @Nested
  final class WithTinyRegions extends TierSafetyContractTest {
    @TempDir Path directory;
    @RegisterExtension final DiskWriters writers = new DiskWriters();

    @Override
    protected int steps() {
      return STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return builder(directory, capacityBytes / 16)
          .regionBytes(4 << 10)
          .compression(Compression.NONE)
          .reinsertRatio(1)
          .build();
    }
  }

  /** Little may be in flight, so most inserts are dropped, and most lookups read the device. */
  @Nested
  final class WithLittleInFlight extends TierSafetyContractTest {
    @TempDir Path directory;
    @RegisterExtension final DiskWriters writers = new DiskWriters();

    @Override
    protected int steps() {
      return STEPS;
    }

    @Override
    protected SecondaryCache open(long capacityBytes) {
      return builder(directory, capacityBytes).maxInFlightBytes(4 << 10).readThreads(1).build();
    }
  }
}
