/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TierFigure;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What moves, and where the room goes, when both follow from costs. */
@Timeout(60)
class AdaptiveTest {
  private static final int BYTES = 4 << 10;
  private static final long TOTAL = 1 << 20;
  private static final int FIT = (int) (TOTAL / BYTES);
  private static final long HI = 3;
  private static final long SLOW_NANOS = 300_000;
  private static final long PATIENCE_NANOS = 50_000_000_000L;
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong asked = new AtomicLong();
  private volatile long hitNanos;
  private volatile long loadNanos;
  private boolean compressible = true;

  private static void spin(long nanos) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < nanos) {
      Thread.onSpinWait();
    }
  }

  private byte[] value(long key, int version) {
    byte[] value = new byte[BYTES];
    new SplittableRandom(key).nextBytes(value);
    if (compressible) {
      Arrays.fill(value, BYTES / 2, BYTES, (byte) 1);
    }
    value[0] = (byte) version;
    return value;
  }

  /** Reads so many keys in turn, with a loader. */
  private void loop(TieredBlockCache<byte[]> cache, int keys, int rounds) {
    for (int i = 0; i < keys * rounds; i++) {
      byte[] found = cache.get(HI, i % keys, TYPE, null, (hi, lo) -> load(lo));
      assertThat(Objects.requireNonNull(found)[1]).isEqualTo(value(i % keys, 0)[1]);
    }
  }

  private byte[] load(long key) {
    loads.incrementAndGet();
    spin(loadNanos);
    return value(key, 0);
  }

  private TieredBlockCache<byte[]> onSlowTier() {
    HookedTier tier = new HookedTier(new MapSecondaryCache(TOTAL * 16));
    tier.beforeLookup =
        () -> {
          asked.incrementAndGet();
          spin(hitNanos);
        };
    return TieredBlockCache.builder(
            BlockCache.<byte[]>builder().capacityBytes(TOTAL).estimatedEntryCharge(BYTES))
        .tier(tier)
        .admission(AdmissionPolicy.ADAPTIVE)
        .build();
  }

  /** A tier that costs more than loads is left alone, until it does not any more. */
  @Test
  void tierThatDoesNotPayIsPassedBy() {
    int keys = 3 * FIT;
    try (TieredBlockCache<byte[]> cache = onSlowTier()) {
      hitNanos = SLOW_NANOS;
      loop(cache, keys, 3);
      asked.set(0);
      loads.set(0);
      long offered = cache.stats().total().offered();
      loop(cache, keys, 4);
      assertThat(loads.get()).isGreaterThan(keys);
      assertThat(asked.get()).as("a trickle").isLessThan(loads.get() / 4);
      assertThat(cache.stats().total().offered() - offered)
          .as("a trickle")
          .isLessThan(loads.get() / 4);
      hitNanos = 0;
      loadNanos = 2 * SLOW_NANOS;
      loop(cache, keys, 6);
      loads.set(0);
      loop(cache, keys, 2);
      assertThat(loads.get()).as("the tier serves again").isLessThan(keys);
    }
  }

  /** What the tier holds of a key that is written while it is passed by is never seen again. */
  @Test
  void writesReachATierThatIsPassedBy() {
    int keys = 2 * FIT;
    try (TieredBlockCache<byte[]> cache = onSlowTier()) {
      hitNanos = SLOW_NANOS;
      loop(cache, keys, 4);
      for (int key = 0; key < keys; key++) {
        cache.put(HI, key, value(key, 1), TYPE, BYTES, Priority.LOW);
      }
      hitNanos = 0;
      loadNanos = 2 * SLOW_NANOS;
      asked.set(0);
      for (int i = 0; i < 6 * keys; i++) {
        long key = i % keys;
        byte[] found = cache.get(HI, key, TYPE);
        if (found == null) {
          spin(loadNanos);
          cache.put(HI, key, value(key, 1), TYPE, BYTES, Priority.LOW);
        } else {
          assertThat(found[0]).as("version of " + key).isEqualTo((byte) 1);
        }
      }
      assertThat(asked.get()).as("it serves again").isGreaterThan(keys);
    }
  }

  private static TieredBlockCache<byte[]> withoutRatio() {
    return TieredBlockCache.builder(BlockCache.<byte[]>builder().estimatedEntryCharge(BYTES))
        .tier(
            CompressedSecondaryCache.builder()
                .capacityBytes(TOTAL / 4)
                .maxCapacityBytes(TOTAL)
                .estimatedEntryCharge(BYTES / 2)
                .build())
        .totalCapacityBytes(TOTAL)
        .build();
  }

  private static long below(TieredBlockCache<byte[]> cache) {
    return cache.stats().budget().belowBytes();
  }

  @Test
  void slowLoadsThatCompressWellFillTheTier() {
    try (TieredBlockCache<byte[]> cache = withoutRatio()) {
      assertThat(below(cache)).isEqualTo(TOTAL / 4);
      loadNanos = 100_000;
      long begin = System.nanoTime();
      while (below(cache) <= TOTAL / 4 && System.nanoTime() - begin < PATIENCE_NANOS) {
        loop(cache, FIT + FIT / 2, 1);
      }
      assertThat(below(cache)).isGreaterThan(TOTAL / 4);
      assertThat(cache.stats().tiers().get(0).figures())
          .filteredOn(figure -> figure.name().equals("cost.load"))
          .singleElement()
          .extracting(TierFigure::value)
          .satisfies(nanos -> assertThat(nanos).isGreaterThan(90_000L));
      cache.setBelowRatio(0.5);
      loop(cache, FIT + FIT / 2, 1);
      assertThat(below(cache)).as("the caller's word").isEqualTo(TOTAL / 2);
    }
  }

  @Test
  void valuesThatDoNotCompressLeaveTheRoomToThePrimary() {
    try (TieredBlockCache<byte[]> cache = withoutRatio()) {
      compressible = false;
      loadNanos = 50_000;
      long begin = System.nanoTime();
      while (below(cache) > 0 && System.nanoTime() - begin < PATIENCE_NANOS) {
        loop(cache, FIT + FIT / 2, 1);
      }
      assertThat(below(cache)).isZero();
      assertThat(cache.stats().budget().primaryBytes()).isEqualTo(TOTAL);
    }
  }

  @Test
  void sharesThatFindThemselvesTakeTheAdaptivePolicy() {
    assertThatThrownBy(
            () ->
                TieredBlockCache.builder(BlockCache.<byte[]>builder().estimatedEntryCharge(BYTES))
                    .tier(new MapSecondaryCache(TOTAL))
                    .totalCapacityBytes(TOTAL)
                    .admission(AdmissionPolicy.ALL)
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("admission must be ADAPTIVE");
  }
}
