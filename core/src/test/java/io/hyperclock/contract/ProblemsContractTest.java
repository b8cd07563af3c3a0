/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.InsertResult;
import io.hyperclock.MetadataCharge;
import io.hyperclock.stats.Problem;
import io.hyperclock.stats.Problem.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the cache says of a wrong estimate. At the estimated charge its table is 0.60 to 0.70 full.
 */
abstract class ProblemsContractTest extends CacheContract {
  private static final long ESTIMATE = 8 << 10;
  private static final int SHARDS = 4;
  private static final long ENTRIES_PER_SHARD = 490;

  ProblemsContractTest(Variant variant) {
    super(variant);
  }

  /** A cache overfilled with entries of one charge, nearly full now. */
  private BlockCache<Object> filled(long charge) {
    long capacityBytes = SHARDS * ENTRIES_PER_SHARD * ESTIMATE;
    BlockCache<Object> cache = track(builder(capacityBytes, ESTIMATE).shards(SHARDS).build());
    assertThat(cache.monitor().problems()).as("empty cache").isEmpty();
    for (long lo = 0; lo < 3 * capacityBytes / charge; lo++) {
      insert(cache, lo, charge);
    }
    return cache;
  }

  private static int rank(List<Problem> problems) {
    return problems.stream().mapToInt(p -> 1 + p.severity().ordinal()).max().orElse(0);
  }

  private static int rank(String severity) {
    return severity.equals("-") ? 0 : 1 + Severity.valueOf(severity).ordinal();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, -, -",
    "3, 4, -, WARN",
    "4, 3, -, -",
    "1, 2, ERROR, ERROR",
    "1, 3, ERROR, ERROR",
    "2, 1, -, INFO",
    "3, 1, INFO, WARN",
    "20, 1, WARN, WARN"
  })
  void severityFollowsTheRatioOfChargeToEstimate(int times, int per, String least, String most) {
    long charge = ESTIMATE * times / per;
    List<Problem> problems = filled(charge).monitor().problems();
    assertThat(rank(problems)).as("%s", problems).isBetween(rank(least), rank(most));
    for (Problem problem : problems) {
      assertThat((double) problem.recommendedEntryCharge())
          .as("%s", problem)
          .isBetween(0.9 * charge, 1.1 * charge);
      assertThat(problem.message()).contains("estimatedEntryCharge");
    }
  }

  @Test
  void followingTheAdviceMendsTheProblem() {
    long charge = ESTIMATE / 3;
    BlockCache<Object> bad = filled(charge);
    long lost = bad.monitor().capacityBytes() - bad.monitor().usageBytes();
    assertThat(lost).as("a real loss").isGreaterThan(bad.monitor().capacityBytes() / 5);
    long advice = bad.monitor().problems().get(0).recommendedEntryCharge();

    BlockCache<Object> good =
        track(builder(bad.monitor().capacityBytes(), advice).shards(SHARDS).build());
    for (long lo = 0; lo < 3 * good.monitor().capacityBytes() / charge; lo++) {
      insert(good, lo, charge);
    }
    assertThat(good.monitor().problems()).isEmpty();
    assertThat(good.monitor().usageBytes())
        .isGreaterThan(good.monitor().capacityBytes() * 97 / 100);
  }

  @ParameterizedTest
  @CsvSource({"3, 4", "1, 2", "1, 3", "2, 1", "3, 1", "20, 1"})
  void anyAdviceMendsItsProblem(int times, int per) {
    long charge = ESTIMATE * times / per;
    BlockCache<Object> bad = filled(charge);
    for (Problem problem : bad.monitor().problems()) {
      long advice = problem.recommendedEntryCharge();
      BlockCache<Object> good =
          track(builder(bad.monitor().capacityBytes(), advice).shards(SHARDS).build());
      for (long lo = 0; lo < 3 * good.monitor().capacityBytes() / charge; lo++) {
        insert(good, lo, charge);
      }
      assertThat(good.monitor().problems()).as("after %s", problem).isEmpty();
    }
  }

  /** Inserts other keys than {@link #filled}, three times as many as there is room for. */
  private void refill(BlockCache<Object> cache, long charge) {
    long inserts = 3 * cache.monitor().capacityBytes() / charge;
    for (long i = 0; i < inserts; i++) {
      insert(cache, (1L << 40) + i, charge);
    }
  }

  @Test
  void aRightEstimateIsNoProblemAfterTheCapacityWasLowered() {
    BlockCache<Object> cache = filled(ESTIMATE);
    cache.setCapacityBytes(cache.monitor().capacityBytes() / 4);
    refill(cache, ESTIMATE);
    assertThat(cache.monitor().problems()).isEmpty();
  }

  @Test
  void aWrongEstimateIsFoundAfterTheCapacityWasLowered() {
    BlockCache<Object> cache = filled(6 * ESTIMATE);
    cache.setCapacityBytes(cache.monitor().capacityBytes() / 2);
    refill(cache, 6 * ESTIMATE);
    assertThat(cache.monitor().problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.WARN);
              assertThat((double) problem.recommendedEntryCharge())
                  .isBetween(5.4 * ESTIMATE, 6.6 * ESTIMATE);
            });
  }

  @Test
  void aCapacityThatWasRaisedIsNamedWhereSlotsRunOut() {
    BlockCache<Object> cache = filled(ESTIMATE);
    long raised = 4 * cache.monitor().capacityBytes();
    cache.setCapacityBytes(raised);
    refill(cache, ESTIMATE);
    assertThat(cache.monitor().problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.ERROR);
              assertThat(problem.message())
                  .contains("capacityBytes=" + raised)
                  .doesNotContain("too high");
            });
  }

  @Test
  void entriesWithoutAChargeLoseAllOfTheCapacity() {
    BlockCache<Object> cache =
        track(
            builder(SHARDS * ENTRIES_PER_SHARD * ESTIMATE, ESTIMATE)
                .metadataCharge(MetadataCharge.NONE)
                .shards(SHARDS)
                .build());
    for (long lo = 0; lo < 3 * SHARDS * ENTRIES_PER_SHARD; lo++) {
      insert(cache, lo, 0);
    }
    assertThat(cache.monitor().problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.ERROR);
              assertThat(problem.message()).contains("100.0% of the capacity");
            });
  }

  @Test
  void cacheThatIsNotFullHasNoProblems() {
    long capacityBytes = SHARDS * ENTRIES_PER_SHARD * ESTIMATE;
    BlockCache<Object> cache = track(builder(capacityBytes, ESTIMATE).shards(SHARDS).build());
    for (long lo = 0; lo < 30; lo++) {
      insert(cache, lo, 20 * ESTIMATE);
    }
    assertThat(cache.monitor().usageBytes())
        .isEqualTo(600 * ESTIMATE)
        .isLessThan(capacityBytes / 3);
    assertThat(cache.monitor().problems()).isEmpty();
  }

  private static List<Problem> ofRoom(BlockCache<Object> cache) {
    return cache.monitor().problems().stream()
        .filter(problem -> problem.message().startsWith("no room was found"))
        .toList();
  }

  /**
   * Strict capacity refuses what pins leave no room for; without it what is too large is dropped.
   */
  @Test
  void insertsThatFindNoRoomAreAProblem() {
    long capacityBytes = SHARDS * ENTRIES_PER_SHARD * ESTIMATE;
    BlockCache<Object> cache = track(builder(capacityBytes, ESTIMATE).shards(1).build());
    Handle<Object> pin = insertPinned(cache, 2, capacityBytes * 3 / 4);
    assertThat(ofRoom(cache)).as("room is left").isEmpty();
    for (long lo = 3; lo < 10; lo++) {
      assertThat(insert(cache, lo, variant.strict() ? capacityBytes / 2 : 2 * capacityBytes))
          .isEqualTo(variant.strict() ? InsertResult.REFUSED : InsertResult.DROPPED);
    }
    assertThat(ofRoom(cache))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(Severity.WARN);
              assertThat(problem.message()).contains("for 7 inserts");
              assertThat(problem.recommendedEntryCharge()).isZero();
            });
    pin.close();
    for (long lo = 10; lo < 8010; lo++) {
      insert(cache, lo, ESTIMATE);
    }
    assertThat(ofRoom(cache)).as("one in a thousand").isEmpty();
  }
}
