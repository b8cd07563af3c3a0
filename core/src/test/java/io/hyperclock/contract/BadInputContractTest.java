/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockCacheBuilder;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that are refused, how the refusal reads, and that nothing changes by it. */
abstract class BadInputContractTest extends CacheContract {
  private static final long BEYOND = BlockCache.MAX_CAPACITY_BYTES + 1;

  private static final EntryType<Object> TYPE = EntryType.of("any");

  private final BlockCache<Object> cache = roomy(10);

  BadInputContractTest(Variant variant) {
    super(variant);
    insert(cache, 1, 3);
  }

  @AfterEach
  void nothingHasChanged() {
    assertThat(cache.get(HI, 1)).isEqualTo(text(1));
    assertThat(cache.monitor().occupancy()).isEqualTo(1);
    assertThat(cache.monitor().usageBytes()).isEqualTo(3);
    assertThat(cache.monitor().stats().inserts()).isEqualTo(1);
  }

  private static void refused(String name, Object value, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("\\w.* must .+: (.*, )?" + name + "=" + value + "(, .*)?");
  }

  private static void nullRefused(String name, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining(name + " must not be null");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, BlockCache.MAX_CHARGE_BYTES + 1, Long.MAX_VALUE})
  void chargeOutOfRange(long charge) {
    refused("chargeBytes", charge, () -> cache.insert(HI, 2, "x", charge));
    refused("chargeBytes", charge, () -> cache.insert(HI, 1, "x", charge));
    refused("chargeBytes", charge, () -> cache.insert(HI, 2, "x", TYPE, charge, Priority.LOW));
    refused(
        "chargeBytes", charge, () -> cache.insertPinned(HI, 2, "x", TYPE, charge, Priority.LOW));
    refused("chargeBytes", charge, () -> cache.putPinned(HI, 1, "x", TYPE, charge, Priority.LOW));
    refused("chargeBytes", charge, () -> cache.createStandalone(HI, 2, "x", TYPE, charge, true));
  }

  @Test
  void nullValue() {
    nullRefused("value", () -> cache.insert(HI, 2, null, 1));
    nullRefused("value", () -> cache.insert(HI, 1, null, 1));
    nullRefused("value", () -> cache.insert(HI, 2, null, TYPE, 1, Priority.LOW));
    nullRefused("value", () -> cache.insertPinned(HI, 2, null, TYPE, 1, Priority.LOW));
    nullRefused("value", () -> cache.putPinned(HI, 1, null, TYPE, 1, Priority.LOW));
    nullRefused("value", () -> cache.createStandalone(HI, 2, null, TYPE, 1, true));
  }

  @Test
  void nullType() {
    nullRefused("type", () -> cache.insert(HI, 2, "x", null, 1, Priority.LOW));
    nullRefused("type", () -> cache.insertPinned(HI, 2, "x", null, 1, Priority.LOW));
    nullRefused("type", () -> cache.putPinned(HI, 1, "x", null, 1, Priority.LOW));
    nullRefused("type", () -> cache.createStandalone(HI, 2, "x", null, 1, true));
  }

  @Test
  void nullPriority() {
    nullRefused("priority", () -> cache.insert(HI, 2, "x", TYPE, 1, null));
    nullRefused("priority", () -> cache.insertPinned(HI, 2, "x", TYPE, 1, null));
    nullRefused("priority", () -> cache.putPinned(HI, 1, "x", TYPE, 1, null));
  }

  @Test
  void nullHandle() {
    nullRefused("into", () -> cache.lookupInto(HI, 1, null));
    nullRefused("into", () -> cache.lookupInto(HI, 9, null));
  }

  @Test
  void nullVisitor() {
    nullRefused("visitor", () -> cache.monitor().forEachEntry(null));
  }

  @Test
  void capacityAndModeOutOfRange() {
    long before = cache.monitor().capacityBytes();
    for (long bad : new long[] {0, -1, Long.MIN_VALUE, BEYOND, Long.MAX_VALUE}) {
      refused("capacityBytes", bad, () -> cache.setCapacityBytes(bad));
    }
    nullRefused("mode", () -> cache.setCapacityMode(null));
    assertThat(cache.monitor().capacityBytes()).isEqualTo(before);
    assertThat(cache.monitor().capacityMode()).isEqualTo(variant.mode());
  }

  @Test
  void settingsOutOfRange() {
    BlockCacheBuilder<Object> builder = builder(1000, 1);
    for (long bad : new long[] {BEYOND, Long.MAX_VALUE}) {
      refused("capacityBytes", bad, () -> builder.capacityBytes(bad));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      refused("capacityBytes", bad, () -> builder.capacityBytes(bad));
      refused("estimatedEntryCharge", bad, () -> builder.estimatedEntryCharge(bad));
    }
    for (int bad : new int[] {0, -1, Integer.MIN_VALUE, BlockCacheBuilder.MAX_SHARDS + 1}) {
      refused("shards", bad, () -> builder.shards(bad));
    }
    nullRefused("mode", () -> builder.capacityMode(null));
    nullRefused("metadataCharge", () -> builder.metadataCharge(null));
    nullRefused("storage", () -> builder.storage(null));
    nullRefused("seed", () -> builder.hashSeed(null));
    nullRefused("defaultType", () -> builder.defaultType(null));
    nullRefused("evictionListener", () -> builder.evictionListener(null));
    assertThat(track(builder.build()).monitor().capacityBytes()).as("still usable").isEqualTo(1000);
  }

  @Test
  void missingSettings() {
    assertThatThrownBy(() -> variant.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("capacityBytes must be set");
    assertThatThrownBy(() -> variant.builder().estimatedEntryCharge(1).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("capacityBytes must be set");
  }

  /** More slots than any array or buffer holds must be an error, not a crash. */
  @Test
  void moreSlotsThanCanBeAddressed() {
    assumeThat(variant.isAutomatic()).isFalse();
    assertThatThrownBy(() -> builder(Long.MAX_VALUE, 1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)\\w.*: .*\\w+=\\d+.*");
    assertThatThrownBy(() -> builder(1L << 40, 1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)\\w.*: .*\\w+=\\d+.*");
  }

  @Test
  void largestCharge() {
    BlockCache<Object> huge = track(builder(1L << 62, 1L << 56).build());
    long max = BlockCache.MAX_CHARGE_BYTES;
    assertThat(insert(huge, 1, max)).isEqualTo(io.hyperclock.InsertResult.INSERTED);
    assertThat(huge.monitor().usageBytes()).isEqualTo(max);
    try (io.hyperclock.Handle<Object> handle = pin(huge, 1)) {
      assertThat(handle.chargeBytes()).isEqualTo(max);
    }
    assertThat(huge.erase(HI, 1)).isTrue();
    assertThat(huge.monitor().usageBytes()).isZero();
  }

  /** The largest capacity, filled with the largest charges: no sum overflows. */
  @Test
  void largestCapacityAndCharges() {
    long most = BlockCache.MAX_CAPACITY_BYTES;
    BlockCache<Object> large = track(builder(most, BlockCache.MAX_CHARGE_BYTES).shards(1).build());
    List<Handle<Object>> pins = new ArrayList<>();
    EntryType<Object> type = EntryType.of("text");
    long entries = most / BlockCache.MAX_CHARGE_BYTES;
    for (long lo = 0; lo < entries; lo++) {
      pins.add(
          large.insertPinned(HI, lo, text(lo), type, BlockCache.MAX_CHARGE_BYTES, Priority.LOW));
    }
    assertThat(large.monitor().usageBytes()).isEqualTo(entries * BlockCache.MAX_CHARGE_BYTES);
    int inserted = 0;
    for (long lo = entries; lo < entries + 100; lo++) {
      InsertResult result = large.insert(HI, lo, text(lo), BlockCache.MAX_CHARGE_BYTES);
      if (variant.strict()) {
        assertThat(result).isEqualTo(InsertResult.REFUSED);
      } else {
        // Dropped where both buckets of its key are full of held entries.
        assertThat(result).isIn(InsertResult.INSERTED, InsertResult.DROPPED);
        inserted += result == InsertResult.INSERTED ? 1 : 0;
      }
      assertThat(large.monitor().usageBytes()).isPositive();
    }
    assertThat(inserted).isGreaterThanOrEqualTo(variant.strict() ? 0 : 90);
    pins.forEach(Handle::close);
    large.setCapacityBytes(1);
    assertThat(large.monitor().usageBytes()).isZero();
  }
}
