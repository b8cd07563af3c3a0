/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.ScriptedClock;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredStats;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TestValues;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an adaptive cache does with loaders, codecs and tiers that are not as they should be: it
 * moves less, and gives the right values.
 */
@Timeout(120)
final class AdaptiveBadInputTest {
  private static final long HI = 5;
  private static final int BYTES = 1 << 10;
  private static final int FIT = 256;
  private static final int KEYS = 2 * FIT;
  private static final long TOTAL = (long) FIT * BYTES;
  private static final int MOST_ROUNDS = 400;
  private static final long SECONDS = 5_000_000_000L;
  private static final long MICROSECOND = 1_000;

  private final ScriptedClock clock = new ScriptedClock();
  private EntryType<byte[]> type =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
  private long loadNanos = MICROSECOND;
  private long hitNanos = MICROSECOND;
  private int loads;
  private int asked;

  private static byte[] value(long key) {
    byte[] value = new byte[BYTES];
    new SplittableRandom(key).nextBytes(value);
    Arrays.fill(value, BYTES / 4, BYTES, (byte) 1);
    return value;
  }

  private TieredBlockCache<byte[]> above(SecondaryCache inner) {
    return aboveHooked(new HookedTier(inner));
  }

  private TieredBlockCache<byte[]> aboveHooked(HookedTier tier) {
    tier.beforeLookup =
        () -> {
          asked++;
          clock.pass(hitNanos);
        };
    return clock
        .in(
            TieredBlockCache.builder(
                    BlockCache.<byte[]>builder().capacityBytes(TOTAL).estimatedEntryCharge(BYTES))
                .totalCapacityBytes(TOTAL)
                .tier(tier)
                .executor(Runnable::run))
        .build();
  }

  private static CompressedSecondaryCache compressed() {
    return CompressedSecondaryCache.builder()
        .capacityBytes(TOTAL / 16)
        .maxCapacityBytes(TOTAL)
        .estimatedEntryCharge(BYTES / 2)
        .build();
  }

  /** Reads all keys in turn; each must have its value. */
  private void round(TieredBlockCache<byte[]> cache) {
    for (long key = 0; key < KEYS; key++) {
      byte[] found =
          cache.get(
              HI,
              key,
              type,
              null,
              (hi, lo) -> {
                loads++;
                clock.pass(loadNanos);
                return value(lo);
              });
      assertThat(Objects.requireNonNull(found)).isEqualTo(value(key));
    }
  }

  private static long metric(TieredStats stats, String name) {
    return stats.tiers().get(0).metrics().stream()
        .filter(metric -> metric.name().equals(name))
        .mapToLong(TierMetric::value)
        .findFirst()
        .orElseThrow();
  }

  private static long capacityBelow(TieredBlockCache<?> cache) {
    return cache.stats().tiers().get(0).stats().capacityBytes();
  }

  /** A tier that had no memory for its share gets it later, though nobody sets it again. */
  @Test
  void tierThatHadNoMemoryIsAskedAgain() {
    HookedTier tier = new HookedTier(new MapSecondaryCache(0));
    try (TieredBlockCache<byte[]> cache = aboveHooked(tier)) {
      cache.setSecondaryRatio(0);
      tier.beforeSetCapacity =
          () -> {
            throw new OutOfMemoryError("on purpose");
          };
      cache.setSecondaryRatio(0.5);
      round(cache);
      assertThat(capacityBelow(cache)).isZero();
      tier.beforeSetCapacity = () -> {};
      for (int i = 0; i < MOST_ROUNDS && capacityBelow(cache) == 0; i++) {
        round(cache);
      }
      assertThat(capacityBelow(cache)).isEqualTo(TOTAL / 2);
    }
  }

  /** A share that has just moved within an eviction is made good by the next inserts. */
  private void isWhole(TieredBlockCache<byte[]> cache) {
    for (int rounds = 0; overBytes(cache) > 0; rounds++) {
      assertThat(rounds).isLessThan(MOST_ROUNDS);
      round(cache);
    }
    TieredStats stats = cache.stats();
    assertThat(stats.pendingOffers()).isZero();
    assertThat(stats.budget().primaryBytes() + stats.budget().belowBytes()).isEqualTo(TOTAL);
    assertThat(stats.tiers().get(0).stats().usageBytes())
        .isLessThanOrEqualTo(stats.budget().belowBytes());
  }

  private static long overBytes(TieredBlockCache<byte[]> cache) {
    return cache.primary().monitor().usageBytes() - cache.stats().budget().primaryBytes();
  }

  /** They are worth a tier, and are forgotten once they are fast. */
  @Test
  void loadersThatTakeSeconds() {
    try (TieredBlockCache<byte[]> cache = above(compressed())) {
      loadNanos = SECONDS;
      int rounds = 0;
      do {
        round(cache);
        assertThat(++rounds).isLessThan(MOST_ROUNDS);
      } while (cache.stats().budget().belowBytes() < TOTAL / 8);
      assertThat(metric(cache.stats(), "cost.load")).isEqualTo(SECONDS);
      isWhole(cache);
      loadNanos = MICROSECOND;
      hitNanos = 100 * MICROSECOND;
      rounds = 0;
      do {
        round(cache);
        assertThat(++rounds).isLessThan(MOST_ROUNDS);
      } while (cache.stats().budget().belowBytes() > 0);
      isWhole(cache);
    }
  }

  /** What cannot be encoded is lost, like what a tier declines; what was said too large fits. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.99, 1.5, 100})
  void typesWhoseSizeLies(double factor) {
    type = TestValues.announcing(factor);
    try (TieredBlockCache<byte[]> cache = above(compressed())) {
      loadNanos = 1000 * MICROSECOND;
      for (int i = 0; i < 20; i++) {
        round(cache);
      }
      isWhole(cache);
      if (factor < 1) {
        assertThat(loads).as("nothing came back").isGreaterThan(19 * (KEYS - FIT));
      }
    }
  }

  /** A tier that takes nothing gets no room that the primary could use. */
  @Test
  void tierThatTakesNothing() {
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(TOTAL).estimatedEntryCharge(BYTES))
            .admission(AdmissionPolicy.ADAPTIVE)
            .tier(new MapSecondaryCache(1))
            .executor(Runnable::run)
            .build()) {
      loadNanos = 1000 * MICROSECOND;
      for (int i = 0; i < 10; i++) {
        round(cache);
      }
      TieredStats stats = cache.stats();
      assertThat(stats.total().accepted()).isZero();
      assertThat(stats.total().declined()).isEqualTo(stats.total().offered()).isPositive();
      assertThat(stats.pendingOffers()).isZero();
      assertThat(stats.total().hits()).isZero();
    }
  }

  /** A tier that becomes slow while its hits are few is not asked any more. */
  @Test
  void tierThatBecomesSlow() {
    try (TieredBlockCache<byte[]> cache = above(compressed())) {
      loadNanos = 1000 * MICROSECOND;
      int rounds = 0;
      do {
        round(cache);
        assertThat(++rounds).isLessThan(MOST_ROUNDS);
      } while (cache.stats().total().hits() == 0);
      hitNanos = SECONDS;
      rounds = 0;
      do {
        asked = 0;
        round(cache);
        assertThat(++rounds).isLessThan(MOST_ROUNDS);
      } while (asked > KEYS / 16);
      isWhole(cache);
    }
  }
}
