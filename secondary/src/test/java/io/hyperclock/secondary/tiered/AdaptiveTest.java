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
import io.hyperclock.secondary.ScriptedClock;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierMetric;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.TieredBlockCacheBuilder;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What moves, and where the room goes, when both follow from costs. One thread does everything, and
 * costs are what the test says that they are.
 */
@Timeout(TierTestLimits.TEST_SECONDS)
class AdaptiveTest {
  private static final int BYTES = 4 << 10;
  private static final long TOTAL = 1 << 20;
  private static final int FIT = (int) (TOTAL / BYTES);
  private static final long HI = 3;

  /** So much more than {@link #FAST_NANOS} that what is known of it does not fade meanwhile. */
  private static final long SLOW_NANOS = 3_000_000;

  private static final long FAST_NANOS = 1_000;
  private static final int MOST_ROUNDS = 200;
  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  private final ScriptedClock clock = new ScriptedClock();
  private int loads;
  private int asked;
  private long hitNanos = FAST_NANOS;
  private long loadNanos = FAST_NANOS;
  private long insertNanos = FAST_NANOS;
  private boolean compressible = true;
  private boolean answersLater;

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
      assertThat(Objects.requireNonNull(found)).isEqualTo(value(i % keys, 0));
    }
  }

  private byte[] load(long key) {
    loads++;
    clock.pass(loadNanos);
    return value(key, 0);
  }

  private TieredBlockCache<byte[]> above(
      SecondaryCache inner, UnaryOperator<TieredBlockCacheBuilder<byte[]>> settings) {
    HookedTier tier = new HookedTier(inner);
    tier.answersLater = answersLater;
    tier.beforeLookup =
        () -> {
          asked++;
          clock.pass(hitNanos);
        };
    tier.beforeInsert = () -> clock.pass(insertNanos);
    return clock
        .in(
            settings.apply(
                TieredBlockCache.builder(
                        BlockCache.<byte[]>builder()
                            .capacityBytes(TOTAL)
                            .estimatedEntryCharge(BYTES))
                    .tier(tier)
                    .executor(Runnable::run)))
        .build();
  }

  private TieredBlockCache<byte[]> onSlowTier() {
    hitNanos = SLOW_NANOS;
    return above(
        new MapSecondaryCache(TOTAL * 16), cache -> cache.admission(AdmissionPolicy.ADAPTIVE));
  }

  private void assertServesAgain(TieredBlockCache<byte[]> cache, int keys, int rounds) {
    loop(cache, keys, rounds);
    loads = 0;
    loop(cache, keys, 2);
    assertThat(loads).as("the tier serves again").isLessThan(keys / 4);
  }

  private void assertPassedBy(TieredBlockCache<byte[]> cache, int keys) {
    loop(cache, keys, 2);
    asked = 0;
    loads = 0;
    long offered = cache.stats().total().offered();
    loop(cache, keys, 3);
    assertThat(loads).isGreaterThan(keys);
    assertThat(asked).as("a trickle").isBetween(1, loads / 16);
    assertThat(cache.stats().total().offered() - offered)
        .as("a trickle")
        .isBetween(1L, loads / 16L);
  }

  /** A tier that costs more than loads is left alone, until loads cost more. */
  @Test
  void tierThatDoesNotPayIsPassedBy() {
    int keys = 3 * FIT;
    try (TieredBlockCache<byte[]> cache = onSlowTier()) {
      assertPassedBy(cache, keys);
      loadNanos = 2 * SLOW_NANOS;
      assertServesAgain(cache, keys, 4);
    }
  }

  /** As those of a tier on a server do. */
  @Test
  void tierWhoseAnswersComeLaterIsPassedByToo() {
    answersLater = true;
    try (TieredBlockCache<byte[]> cache = onSlowTier()) {
      assertPassedBy(cache, 3 * FIT);
    }
  }

  /** It is watched by probes: nothing else would tell that it is fast now. */
  @Test
  void tierThatHasBecomeFastServesAgain() {
    int keys = 3 * FIT;
    try (TieredBlockCache<byte[]> cache = onSlowTier()) {
      assertPassedBy(cache, keys);
      hitNanos = FAST_NANOS / 2;
      insertNanos = 0;
      assertServesAgain(cache, keys, 40);
    }
  }

  /** One long pause, or a clock that is set back, changes nothing. */
  @Test
  void clockThatJumpsMovesNothing() {
    int keys = 2 * FIT;
    loadNanos = SLOW_NANOS;
    try (TieredBlockCache<byte[]> cache =
        above(
            new MapSecondaryCache(TOTAL * 16),
            builder -> builder.admission(AdmissionPolicy.ADAPTIVE))) {
      loop(cache, keys, 4);
      for (long jump : new long[] {Long.MAX_VALUE / 4, -Long.MAX_VALUE / 2, 3_600_000_000_000L}) {
        hitNanos = jump;
        cache.get(HI, 0, TYPE);
        cache.get(HI, FIT, TYPE);
        hitNanos = FAST_NANOS;
        loads = 0;
        loop(cache, keys, 2);
        assertThat(loads).as("loads after " + jump).isLessThan(keys / 4);
      }
    }
  }

  /**
   * What the tier holds of a key that is written while it is passed by is never seen again, even if
   * a read that did not ask the tier has just found nothing.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void writesReachATierThatIsPassedBy(boolean isReadBefore) {
    int keys = 2 * FIT;
    try (TieredBlockCache<byte[]> cache = onSlowTier()) {
      loop(cache, keys, 4);
      for (int key = 0; key < keys; key++) {
        if (isReadBefore) {
          cache.get(HI, key, TYPE);
        }
        cache.put(HI, key, value(key, 1), TYPE, BYTES, Priority.LOW);
      }
      hitNanos = FAST_NANOS;
      loadNanos = 2 * SLOW_NANOS;
      asked = 0;
      for (int i = 0; i < 6 * keys; i++) {
        long key = i % keys;
        byte[] found = cache.get(HI, key, TYPE);
        if (found == null) {
          clock.pass(loadNanos);
          cache.put(HI, key, value(key, 1), TYPE, BYTES, Priority.LOW);
        } else {
          assertThat(found[0]).as("version of " + key).isEqualTo((byte) 1);
        }
      }
      assertThat(asked).as("it serves again").isGreaterThan(keys);
    }
  }

  private TieredBlockCache<byte[]> withoutRatio() {
    return above(
        CompressedSecondaryCache.builder()
            .capacityBytes(TOTAL / 16)
            .maxCapacityBytes(TOTAL)
            .estimatedEntryCharge(BYTES / 2)
            .build(),
        builder -> builder.totalCapacityBytes(TOTAL));
  }

  private static long below(TieredBlockCache<byte[]> cache) {
    return cache.stats().budget().belowBytes();
  }

  private void loopUntil(TieredBlockCache<byte[]> cache, int keys, BooleanSupplier end) {
    for (int round = 0; !end.getAsBoolean(); round++) {
      assertThat(round).isLessThan(MOST_ROUNDS);
      loop(cache, keys, 1);
    }
  }

  @Test
  void slowLoadsThatCompressWellFillTheTier() {
    try (TieredBlockCache<byte[]> cache = withoutRatio()) {
      assertThat(below(cache)).isEqualTo(TOTAL / 16);
      loadNanos = 100_000;
      loopUntil(cache, FIT + FIT / 2, () -> below(cache) >= TOTAL / 4);
      assertThat(cache.stats().tiers().get(0).metrics())
          .filteredOn(figure -> figure.name().equals("cost.load"))
          .singleElement()
          .extracting(TierMetric::value)
          .isEqualTo(100_000L);
      cache.setSecondaryRatio(0.5);
      loop(cache, FIT + FIT / 2, 10);
      assertThat(below(cache)).as("the caller's word").isEqualTo(TOTAL / 2);
    }
  }

  @Test
  void valuesThatDoNotCompressLeaveTheRoomToThePrimary() {
    try (TieredBlockCache<byte[]> cache = withoutRatio()) {
      compressible = false;
      loadNanos = 50_000;
      loopUntil(cache, FIT + FIT / 2, () -> below(cache) == 0);
      assertThat(cache.stats().budget().primaryBytes()).isEqualTo(TOTAL);
    }
  }

  /** The room comes back when the values compress, though nothing was below meanwhile. */
  @Test
  void tierWithoutRoomGetsSomeWhenThatPays() {
    try (TieredBlockCache<byte[]> cache = withoutRatio()) {
      hitNanos = 3 * SLOW_NANOS;
      loadNanos = SLOW_NANOS;
      loopUntil(cache, FIT + FIT / 2, () -> below(cache) == 0);
      hitNanos = FAST_NANOS;
      loopUntil(cache, FIT + FIT / 2, () -> below(cache) > TOTAL / 8);
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
