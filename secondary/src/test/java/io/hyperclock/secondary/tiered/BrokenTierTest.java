/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.MuteException;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.MapSecondaryCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tiers that break their contract cost misses, never exceptions, values or waits without end. */
@Timeout(TierTestLimits.TEST_SECONDS)
class BrokenTierTest {
  private static Stream<Arguments> answers() {
    CompletableFuture<TierResult<Blocks.Block>> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);
    return Stream.of(
        answer("null for a future", () -> null),
        answer("null for a result", () -> CompletableFuture.completedFuture(null)),
        answer("failed", () -> CompletableFuture.failedFuture(new IllegalStateException("x"))),
        answer("failed by an error", () -> CompletableFuture.failedFuture(new AssertionError())),
        answer("cancelled", () -> cancelled),
        answer(
            "throws",
            () -> {
              throw new IllegalStateException("x");
            }),
        answer(
            "throws an error",
            () -> {
              throw new StackOverflowError();
            }),
        answer(
            "throws a cancellation",
            () -> {
              throw new CancellationException();
            }));
  }

  private static Arguments answer(
      String name, Supplier<CompletableFuture<TierResult<Blocks.Block>>> answer) {
    return Arguments.of(Named.of(name, answer));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void aWrongAnswerIsAMissAndTheNextTierIsAsked(
      Supplier<CompletableFuture<TierResult<Blocks.Block>>> answer) {
    ScriptedTier tier = new ScriptedTier();
    tier.onLookup = answer;
    MapSecondaryCache below = new MapSecondaryCache(1 << 20);
    try (TieredRig rig = new TieredRig(tier, below)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.version(1)).isZero();
      for (int i = 0; i < 2; i++) {
        assertThat(rig.version(2)).isEqualTo(-1);
      }
      try (AsyncLookup<Blocks.Block> lookup =
          rig.cache.startLookup(TieredRig.HI, 3, rig.blocks.data)) {
        assertThat(lookup.await()).isNull();
      }
      assertThat(rig.cache.stats().tiers().get(0).failures()).isGreaterThanOrEqualTo(4);
    }
  }

  private static Stream<Arguments> batches() {
    return Stream.of(
        batch("null", () -> null),
        batch("empty", List::of),
        batch("too short", () -> List.of(missing())),
        batch("too long", () -> List.of(missing(), missing(), missing(), missing(), missing())),
        batch("nulls", () -> Arrays.asList(missing(), null, null)),
        batch(
            "throws",
            () -> {
              throw new IllegalStateException("x");
            }),
        batch(
            "a list that throws",
            () ->
                new ArrayList<>(List.of(missing(), missing(), missing())) {
                  @Override
                  public CompletableFuture<TierResult<Blocks.Block>> get(int index) {
                    throw new IllegalStateException("x");
                  }
                }));
  }

  private static CompletableFuture<TierResult<Blocks.Block>> missing() {
    return CompletableFuture.completedFuture(TierResult.miss(TierOutcome.ABSENT));
  }

  private static Arguments batch(
      String name, Supplier<List<CompletableFuture<TierResult<Blocks.Block>>>> answer) {
    return Arguments.of(Named.of(name, answer));
  }

  @ParameterizedTest
  @MethodSource("batches")
  void aWrongBatchIsMissesAndTheNextTierIsAsked(
      Supplier<List<CompletableFuture<TierResult<Blocks.Block>>>> answer) {
    ScriptedTier tier = new ScriptedTier();
    tier.onLookupAll = answer;
    tier.onLookup = BrokenTierTest::missing;
    MapSecondaryCache below = new MapSecondaryCache(1 << 20);
    try (TieredRig rig = new TieredRig(tier, below)) {
      rig.insert(2);
      rig.evictAll();
      List<AsyncLookup<Blocks.Block>> lookups =
          rig.cache.startLookups(
              new long[] {TieredRig.HI, 1, TieredRig.HI, 2, TieredRig.HI, 3},
              rig.blocks.data,
              null);
      rig.cache.waitAll(lookups);
      assertThat(TieredRig.check(1, lookups.get(0).await())).isEqualTo(-1);
      assertThat(TieredRig.check(2, lookups.get(1).await())).isZero();
      assertThat(TieredRig.check(3, lookups.get(2).await())).isEqualTo(-1);
    }
  }

  @Test
  void anUnmodifiableListOfAnswersIsRead() {
    ScriptedTier tier = new ScriptedTier();
    try (TieredRig rig = new TieredRig(tier)) {
      tier.onLookupAll = () -> List.of(hit(rig, 1), missing());
      List<AsyncLookup<Blocks.Block>> lookups =
          rig.cache.startLookups(
              new long[] {TieredRig.HI, 1, TieredRig.HI, 2}, rig.blocks.data, null);
      assertThat(TieredRig.check(1, lookups.get(0).await())).isZero();
      assertThat(lookups.get(1).await()).isNull();
    }
  }

  @Test
  void hitsInABatchOfAnotherSizeAreFreed() {
    ScriptedTier tier = new ScriptedTier();
    CompletableFuture<TierResult<Blocks.Block>> late = new CompletableFuture<>();
    try (TieredRig rig = new TieredRig(tier)) {
      tier.onLookupAll = () -> List.of(hit(rig, 1), missing(), late);
      List<AsyncLookup<Blocks.Block>> lookups =
          rig.cache.startLookups(
              new long[] {TieredRig.HI, 1, TieredRig.HI, 2}, rig.blocks.data, null);
      rig.cache.waitAll(lookups);
      assertThat(lookups).allMatch(lookup -> lookup.await() == null);
      assertThat(rig.blocks.live()).isZero();
      late.complete(TierResult.hit(rig.blocks.make(3, 0), Blocks.CHARGE, true));
      assertThat(rig.blocks.live()).isZero();
    }
  }

  private static CompletableFuture<TierResult<Blocks.Block>> hit(TieredRig rig, long key) {
    return CompletableFuture.completedFuture(
        TierResult.hit(rig.blocks.make(key, 0), Blocks.CHARGE, true));
  }

  @Test
  void aHitWithAnImpossibleChargeIsFreed() {
    ScriptedTier tier = new ScriptedTier();
    try (TieredRig rig = new TieredRig(tier)) {
      tier.onLookup =
          () ->
              CompletableFuture.completedFuture(
                  TierResult.hit(rig.blocks.make(1, 0), Long.MAX_VALUE, true));
      for (int i = 0; i < 3; i++) {
        assertThatCode(() -> TieredRig.check(1, rig.lookup(1))).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void aThrowingInsertIsADeclineAndTheNextTierIsAsked() {
    ScriptedTier tier = new ScriptedTier();
    tier.onLookup = BrokenTierTest::missing;
    tier.onInsert =
        () -> {
          throw new StackOverflowError();
        };
    try (TieredRig rig = new TieredRig(tier, new MapSecondaryCache(1 << 20))) {
      rig.insert(1);
      rig.evictAll();
      assertThat(rig.version(1)).isZero();
    }
  }

  @Test
  void aTierThatCannotEraseGivesNothingAnyMore() {
    ScriptedTier tier = new ScriptedTier();
    try (TieredRig rig = new TieredRig(tier)) {
      tier.onErase =
          () -> {
            throw new IllegalStateException("x");
          };
      tier.onLookup =
          () ->
              CompletableFuture.completedFuture(
                  TierResult.hit(rig.blocks.make(1, 0), Blocks.CHARGE, true));
      assertThat(rig.version(1)).isZero();
      assertThat(rig.erase(1)).isFalse();
      assertThat(rig.version(1)).isEqualTo(-1);
      rig.put(1, 5);
      rig.evictAll();
      assertThat(rig.version(1)).isEqualTo(-1);
    }
  }

  @Test
  void aTierThatCannotEraseIsNotBelievedBeforeTheWriteIsOver() {
    ScriptedTier tier = new ScriptedTier();
    try (TieredRig rig = new TieredRig(tier)) {
      AsyncLookup<Blocks.Block> lookup = rig.cache.startLookup(TieredRig.HI, 1, rig.blocks.data);
      tier.onErase =
          () -> {
            throw new IllegalStateException("x");
          };
      rig.erase(1);
      tier.asked(0).hit(rig.blocks.make(1, 0), true);
      TieredRig.check(1, lookup.await());
      assertThat(rig.version(1)).isEqualTo(-1);
    }
  }

  @Test
  void aTierWhoseFailureToEraseCannotBeShownGivesNothingAnyMore() {
    ScriptedTier tier = new ScriptedTier();
    MapSecondaryCache below = new MapSecondaryCache(1 << 20);
    try (TieredRig rig = new TieredRig(tier, below)) {
      rig.insert(1);
      rig.evictAll();
      assertThat(below.stats().entries()).isOne();
      tier.onErase =
          () -> {
            throw new MuteException();
          };
      assertThatCode(() -> rig.erase(1)).doesNotThrowAnyException();
      assertThat(below.stats().entries()).as("erased from the next tier too").isZero();
      assertThat(rig.cache.states().get(0).cause()).matches(it -> it.type().equals("ERASE_FAILED"));
      tier.onLookup = () -> hit(rig, 1);
      assertThat(rig.version(1)).isEqualTo(-1);
    }
  }

  private static void failToErase(ScriptedTier tier) {
    tier.onErase =
        () -> {
          throw new IllegalStateException("x");
        };
  }

  @Test
  void aTierThatCannotEraseCountsAsOneThatKeepsNothing() {
    ScriptedTier tier = new ScriptedTier();
    tier.erasesOnAdvice = false;
    try (TieredRig rig = new TieredRig(tier, new MapSecondaryCache(1 << 20))) {
      tier.onLookup = () -> hit(rig, 1);
      assertThat(rig.version(1)).isZero();
      failToErase(tier);
      rig.erase(2);
      rig.evictAll();
      assertThat(rig.total().keptBelow()).isZero();
      assertThat(rig.version(1)).as("found in the next tier").isZero();
    }
  }

  @Test
  void whatATierDropsThatCannotEraseMovesNowhere() {
    ScriptedTier tier = new ScriptedTier();
    try (TieredRig rig = new TieredRig(tier, new MapSecondaryCache(1 << 20))) {
      failToErase(tier);
      rig.put(1, 5);
      rig.erase(1);
      rig.evictAll();
      tier.dropListener.onDrop(
          TieredRig.HI, 1, rig.blocks.data, Blocks.CHARGE, () -> rig.blocks.make(1, 0));
      assertThat(rig.version(1)).as("an older value").isEqualTo(-1);
    }
  }

  @Test
  void closingGoesOnWhenATierThrows() {
    ScriptedTier tier = new ScriptedTier();
    tier.onClose =
        () -> {
          throw new IllegalStateException("x");
        };
    AtomicInteger closed = new AtomicInteger();
    ScriptedTier below = new ScriptedTier();
    below.onClose = closed::incrementAndGet;
    TieredRig rig = new TieredRig(tier, below);
    rig.insert(1);
    assertThatCode(rig.cache::close).doesNotThrowAnyException();
    assertThat(closed).hasValue(1);
    assertThat(rig.blocks.live()).isZero();
  }
}
