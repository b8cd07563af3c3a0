/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.MetadataCharge;
import io.hyperclock.internal.slot.WriterLatch;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareOutcome;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import io.hyperclock.versioned.Versions;
import io.hyperclock.versioned.WriteResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer of a key has stopped in the middle of its work: nobody waits for it for ever. */
@Tag("versioned")
@Timeout(60)
class StoppedVersionWriterTest {
  private static final long HI = 7;
  private static final long KEY = 1;

  private final VersionedCache<String> cache = newCache();
  private final DefaultVersionedCache<?> inside = (DefaultVersionedCache<?>) cache;
  private VersionedTable table;
  private int slot;

  private static VersionedCache<String> newCache() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    return builder
        .capacityBytes(10_000)
        .estimatedEntryCharge(100)
        .shards(1)
        .metadataCharge(MetadataCharge.NONE)
        .build();
  }

  @BeforeEach
  void stopAWriter() {
    cache.put(HI, KEY, "c", 10);
    table = inside.shards[0];
    for (slot = 0; !table.pinAny(slot); slot++) {
      assertThat(slot).isLessThan(table.store().slots());
    }
    assertThat(table.gate.enter(slot)).isEqualTo(WriterLatch.ENTERED);
  }

  @AfterEach
  void itGoesOn() {
    assertThat(cache.monitor().stats().refusedInProgress()).isEqualTo(1);
    assertThat(cache.monitor().stats().usageBytes()).isEqualTo(10);
    table.gate.leave(slot);
    table.release(slot, false);
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
    assertThat(cache.get(HI, KEY)).isEqualTo("c");
    assertThat(cache.put(HI, KEY, "d", 5)).isEqualTo(WriteResult.REPLACED);
    assertThat(cache.erase(HI, KEY)).isEqualTo(WriteResult.ERASED);
    assertThat(cache.monitor().stats().usageBytes()).isZero();
    assertThat(VersionedInvariants.violations(cache)).isEmpty();
  }

  @Test
  void putGivesUpAndGivesBackItsCharge() {
    assertThat(cache.put(HI, KEY, "d", 25)).isEqualTo(WriteResult.IN_PROGRESS);
  }

  @Test
  void replaceGivesUpAndGivesBackItsCharge() {
    assertThat(cache.replace(HI, KEY, "d", 25)).isEqualTo(WriteResult.IN_PROGRESS);
  }

  @Test
  void eraseGivesUp() {
    assertThat(cache.erase(HI, KEY)).isEqualTo(WriteResult.IN_PROGRESS);
  }

  @Test
  void prepareGivesUpAndGivesBackWhatItTook() {
    assertThat(cache.prepare(HI, KEY, "p", 25, PrepareMode.PLAIN).outcome())
        .isEqualTo(PrepareOutcome.IN_PROGRESS);
    assertThat(cache.monitor().stats().prepares()).isZero();
  }

  @Test
  void othersGoOn() {
    assertThat(cache.get(HI, KEY)).isEqualTo("c");
    assertThat(cache.readForWrite(HI, KEY)).isEqualTo("c");
    assertThat(cache.readVersions(HI, KEY)).isEqualTo(new Versions<>("c", null));
    assertThat(cache.insert(HI, KEY, "d", 25)).isEqualTo(WriteResult.KEPT_EXISTING);
    assertThat(cache.put(HI, 2, "e", 5)).isEqualTo(WriteResult.INSERTED);
    assertThat(cache.erase(HI, 2)).isEqualTo(WriteResult.ERASED);
    assertThat(cache.put(HI, KEY, "d", 5)).isEqualTo(WriteResult.IN_PROGRESS);
  }
}
