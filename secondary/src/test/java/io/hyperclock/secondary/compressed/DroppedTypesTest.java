/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.compressed;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.EvictionListener;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.DropListener;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.testing.TestValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a compressed tier tells of values of many types, and of what it no longer holds. */
class DroppedTypesTest {
  private static final int REMEMBERED = 64;
  private static final int TYPES = 80;
  private static final int VALUES_PER_TYPE = 50;
  private static final int VALUE_BYTES = 1 << 10;

  private final List<Throwable> failures = new ArrayList<>();
  private final Set<EntryType<?>> offered = new HashSet<>();
  private long taken;
  private long dropped;

  private final CompressedSecondaryCache tier =
      new CompressedSecondaryCache(
          CompressedSecondaryCache.builder()
              .capacityBytes(1 << 16)
              .estimatedEntryCharge(VALUE_BYTES),
          (maxBytes, entryCharge, listener) ->
              new CompressedStore(maxBytes, entryCharge, watched(listener)));

  /** The listener of a store, whose failures only the log would tell of. */
  private EvictionListener<byte[]> watched(EvictionListener<byte[]> listener) {
    return (hi, lo, record, type, charge, wasHit) -> {
      try {
        taken += listener.onEviction(hi, lo, record, type, charge, wasHit) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
      return false;
    };
  }

  @AfterEach
  void noDropFailsOrTakesARecordOver() {
    assertThat(failures).isEmpty();
    assertThat(taken).isZero();
  }

  private TierOutcome lookup(long key) {
    return tier.lookup(TierRequest.of(1, key, TestValues.BYTES)).join().outcome();
  }

  @Test
  void dropsOfTheFirstTypesAreOfferedAndAllAreCounted() {
    tier.onDrop(
        new DropListener() {
          @Override
          public <T> void onDrop(
              long hi, long lo, EntryType<T> type, long heldBytes, Supplier<@Nullable T> value) {
            assertThat((byte[]) value.get()).isEqualTo(TestValues.value(lo, 0, VALUE_BYTES));
            offered.add(type);
            dropped++;
          }
        });
    List<EntryType<byte[]>> types = new ArrayList<>();
    for (int i = 0; i < TYPES; i++) {
      types.add(EntryType.<byte[]>named("type " + i).codec(TestValues.BYTES.codec()).build());
      for (int n = 0; n < VALUES_PER_TYPE; n++) {
        long key = i * VALUES_PER_TYPE + n;
        byte[] value = TestValues.value(key, 0, VALUE_BYTES);
        assertThat(tier.insert(1, key, value, types.get(i), true)).isTrue();
      }
      if (i == REMEMBERED - 1) {
        assertThat(dropped).isEqualTo(tier.stats().dropped());
      }
    }

    assertThat(offered).containsExactlyInAnyOrderElementsOf(types.subList(0, REMEMBERED));
    assertThat(tier.stats().dropped())
        .isGreaterThan(dropped)
        .isEqualTo(TYPES * VALUES_PER_TYPE - tier.stats().entries());
  }

  @Test
  void dropsAreOnlyCountedWhereNobodyListens() {
    for (int key = 0; key < 1000; key++) {
      byte[] value = TestValues.value(key, 0, VALUE_BYTES);
      assertThat(tier.insert(1, key, value, TestValues.BYTES, true)).isTrue();
    }
    assertThat(tier.stats().dropped()).isPositive().isEqualTo(1000 - tier.stats().entries());
  }

  @Test
  void aTierWithoutCapacityIsNotClosed() {
    tier.setCapacity(0);
    assertThat(lookup(1)).isEqualTo(TierOutcome.ABSENT);
    tier.close();
    assertThat(lookup(1)).isEqualTo(TierOutcome.CLOSED);
  }

  @Test
  void whatAClosedTierHeldIsNotCountedAsDropped() {
    assertThat(tier.insert(1, 1, new byte[VALUE_BYTES], TestValues.BYTES, true)).isTrue();
    tier.close();
    assertThat(tier.stats().dropped()).isZero();
  }

  @Test
  void itsMetricsTellHowWellItCompresses() {
    assertThat(tier.insert(1, 1, new byte[VALUE_BYTES], TestValues.BYTES, true)).isTrue();
    long stored = tier.compressionStats().storedBytes();
    assertThat(stored).isPositive().isLessThan(VALUE_BYTES);
    assertThat(tier.metrics())
        .containsExactly(
            TierMetric.count("compression.compressed", "records", 1),
            TierMetric.count("compression.raw", "records", 0),
            TierMetric.count("compression.before", "bytes", VALUE_BYTES),
            TierMetric.count("compression.after", "bytes", stored));
  }
}
