/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FaultySecondaryCacheTest {
  private final FaultySecondaryCache tier =
      new FaultySecondaryCache(new MapSecondaryCache(1 << 20), 7);

  @Nested
  final class WithoutFaults extends SecondaryCacheContractTest {
    @Override
    protected SecondaryCache open(long capacityBytes) {
      return new FaultySecondaryCache(new MapSecondaryCache(capacityBytes), 1);
    }
  }

  @Nested
  final class OnAnotherThread extends SecondaryCacheContractTest {
    @Override
    protected SecondaryCache open(long capacityBytes) {
      CompletableFuture<Void> none = CompletableFuture.completedFuture(null);
      return new FaultySecondaryCache(
          new MapSecondaryCache(capacityBytes), 1, task -> none.thenRunAsync(task));
    }

    @Override
    protected int steps() {
      return 2_000;
    }
  }

  @Nested
  final class WithAllFaults extends TierSafetyContractTest {
    @Override
    protected SecondaryCache open(long capacityBytes) {
      FaultySecondaryCache faulty =
          new FaultySecondaryCache(new MapSecondaryCache(capacityBytes), 1);
      faulty.setFaults(Faults.all(0.03, Duration.ofNanos(10_000)));
      return faulty;
    }
  }

  @Test
  void doesWhatItIsToldAndCountsIt() {
    byte[] value = {1};
    tier.setFaults(Faults.NONE.withDecline(1));
    assertThat(tier.insert(1, 1, value, BYTES, true)).isFalse();
    tier.setFaults(Faults.NONE.withForget(1));
    assertThat(tier.insert(1, 1, value, BYTES, true)).isTrue();
    assertThat(lookup().join().outcome()).isEqualTo(TierOutcome.ABSENT);
    tier.setFaults(Faults.NONE);
    tier.insert(1, 1, value, BYTES, true);
    tier.setFaults(Faults.NONE.withFail(1));
    assertThat(lookup().join().outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    tier.setFaults(Faults.NONE.withLie(1));
    assertThat(lookup().join().kept()).isFalse();
    tier.setFaults(Faults.NONE.withCorrupt(1));
    assertThat(lookup().join().outcome()).isEqualTo(TierOutcome.CORRUPT);
    assertThat(List.of("decline", "forget", "fail", "lie", "corrupt"))
        .allSatisfy(fault -> assertThat(tier.struck(fault)).isEqualTo(1));
    assertThat(tier.stats().misses()).isEqualTo(3);
  }

  @Test
  void ignoresAdvice() {
    tier.insert(1, 1, new byte[1], BYTES, true);
    tier.setFaults(Faults.NONE.withIgnoreAdvice(1));
    TierRequest<byte[]> advised = new TierRequest<>(1, 1, BYTES, null, true);
    assertThat(tier.lookup(advised).join().kept()).isTrue();
    assertThat(lookup().join().isHit()).isTrue();
  }

  @Test
  void stallsUntilReleasedAndAnswersWhatItFoundThen() {
    tier.insert(1, 1, new byte[] {1}, BYTES, true);
    tier.setFaults(Faults.NONE.withStall(1));
    CompletableFuture<TierResult<byte[]>> first = lookup();
    CompletableFuture<TierResult<byte[]>> second = lookup();
    tier.erase(1, 1);
    assertThat(first).isNotDone();
    assertThat(tier.stalled()).isEqualTo(2);
    assertThat(tier.releaseStalled()).isEqualTo(2);
    assertThat(first.join().value()).containsExactly(1);
    assertThat(second.join().value()).containsExactly(1);
    CompletableFuture<TierResult<byte[]>> third = lookup();
    tier.close();
    assertThat(third.join().outcome()).isEqualTo(TierOutcome.ABSENT);
    assertThat(lookup().join().outcome()).isEqualTo(TierOutcome.CLOSED);
  }

  @Test
  void stallsForATime() {
    tier.setFaults(Faults.NONE.withStall(1, Duration.ofMillis(1)));
    assertThat(lookup().join().outcome()).isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  void sameSeedSameFaults() {
    List<List<TierOutcome>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      FaultySecondaryCache again = new FaultySecondaryCache(new NoOpSecondaryCache(), 42);
      again.setFaults(Faults.NONE.withFail(0.3).withCorrupt(0.3));
      List<TierOutcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        outcomes.add(again.lookup(TierRequest.of(1, i, BYTES)).join().outcome());
      }
      runs.add(outcomes);
    }
    assertThat(runs.get(0))
        .isEqualTo(runs.get(1))
        .contains(TierOutcome.ABSENT, TierOutcome.CORRUPT);
  }

  private CompletableFuture<TierResult<byte[]>> lookup() {
    return tier.lookup(TierRequest.of(1, 1, BYTES));
  }
}
