/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.cache;

import static io.hyperclock.reservation.ReservationManager.STEP_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.CapacityMode;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.entry.EntryRole;
import io.hyperclock.reservation.ReservationManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the steps of a reservation spread over shards. */
class ReservationSpreadTest {
  private static final int SHARDS = 5;
  private static final int STEPS_PER_SHARD = 1000;

  private static BlockCache<byte[]> cache(CapacityMode mode) {
    return BlockCache.<byte[]>builder()
        .capacityBytes(2L * SHARDS * STEPS_PER_SHARD * STEP_BYTES)
        .estimatedEntryCharge(1 << 20)
        .metadataCharge(MetadataCharge.NONE)
        .shards(SHARDS)
        .capacityMode(mode)
        .hashSeed(HashSeed.fixed(3))
        .build();
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void everyShardHasItsPartButForChance(CapacityMode mode) {
    try (BlockCache<byte[]> cache = cache(mode);
        ReservationManager manager = ReservationManager.of(cache, EntryRole.WRITE_BUFFER)) {
      assertThat(manager.update(SHARDS * STEPS_PER_SHARD * STEP_BYTES)).isTrue();
      double sixSigma = 6 * Math.sqrt(STEPS_PER_SHARD);
      Shards shards = ((HyperClockCache<?>) cache).shards;
      for (int i = 0; i < shards.count(); i++) {
        assertThat(shards.at(i).ledger.usage() / STEP_BYTES)
            .isBetween((long) (STEPS_PER_SHARD - sixSigma), (long) (STEPS_PER_SHARD + sixSigma));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(CapacityMode.class)
  void nineTenthsOfTheCapacityCanBeReserved(CapacityMode mode) {
    try (BlockCache<byte[]> cache = cache(mode);
        ReservationManager manager = ReservationManager.of(cache, EntryRole.WRITE_BUFFER)) {
      assertThat(manager.update(cache.monitor().capacityBytes() / 10 * 9)).isTrue();
      assertThat(cache.monitor().usageBytes()).isLessThanOrEqualTo(cache.monitor().capacityBytes());
    }
  }
}
