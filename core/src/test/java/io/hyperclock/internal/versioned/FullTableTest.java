/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.internal.policy.EvictionRequest;
import io.hyperclock.internal.slot.ChargeWord;
import io.hyperclock.internal.slot.MetaWord;
import io.hyperclock.versioned.VersionedCache;
import io.hyperclock.versioned.VersionedCacheBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A table of two versions in which every slot is held. */
@Tag("versioned")
class FullTableTest {
  private final DefaultVersionedCache<?> cache = (DefaultVersionedCache<?>) newCache();
  private final VersionedTable table = cache.shards[0];

  private static VersionedCache<String> newCache() {
    VersionedCacheBuilder<String> builder = VersionedCache.builder();
    return builder.capacityBytes(1000).estimatedEntryCharge(100).shards(1).build();
  }

  private int insert(long key) {
    long hash = key * 0x9E37_79B9_7F4A_7C15L;
    long pinned = MetaWord.visible(1, true, true, 0);
    EvictionRequest request = new EvictionRequest(1);
    return table.insert(0, key, hash, "v" + key, ChargeWord.of(0, 1), pinned, null, request);
  }

  @Test
  void aKeyGetsASlotOfItsOwnOrNone() {
    int slots = table.store().slots();
    boolean[] taken = new boolean[slots];
    int entries = 0;
    for (long key = 1; key <= 100L * slots; key++) {
      int slot = insert(key);
      if (slot != VersionedTable.NO_SLOT) {
        assertThat(taken[slot]).isFalse();
        taken[slot] = true;
        entries++;
      }
    }
    assertThat(entries).isEqualTo(slots);
    for (int slot = 0; slot < slots; slot++) {
      assertThat(table.store().valueOpaque(slot)).isEqualTo("v" + table.store().keyLoOpaque(slot));
    }
    assertThat(insert(1))
        .as("present, and no slot to find that out")
        .isEqualTo(VersionedTable.NO_SLOT);
  }
}
