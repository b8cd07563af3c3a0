/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary;

import static io.hyperclock.secondary.TestValues.BYTES;
import static io.hyperclock.secondary.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperclock.entry.EntryType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every tier must do. A subclass makes the tier; its own promises are tested there. */
public abstract class SecondaryCacheContractTest {
  private static final long CAPACITY = 1 << 20;
  private static final int VALUE_SIZE = 1 << 10;
  private static final long HI = 7;

  private SecondaryCache tier;

  /** Makes an open tier that accepts what is forced upon it while there is room. */
  protected abstract SecondaryCache open(long capacityBytes);

  @BeforeEach
  final void openTier() {
    tier = open(CAPACITY);
  }

  @AfterEach
  final void closeTier() {
    tier.close();
  }

  @Test
  final void givesBackWhatWasInserted() {
    byte[] value = value(1, 0, VALUE_SIZE);
    assertThat(insert(1, value)).isTrue();
    TierResult<byte[]> result = lookup(1);
    assertThat(result.outcome()).isEqualTo(TierOutcome.HIT);
    assertThat(result.value()).isEqualTo(value).isNotSameAs(value);
    assertThat(result.chargeBytes()).isEqualTo(VALUE_SIZE);
    assertThat(result.kept()).isTrue();
  }

  @Test
  final void missesWhatWasNotInserted() {
    insert(1, value(1, 0, VALUE_SIZE));
    assertThat(lookup(2).outcome()).isEqualTo(TierOutcome.ABSENT);
    assertThat(await(tier.lookup(TierRequest.of(HI + 1, 1, BYTES))).outcome())
        .isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  final void keepsBytesNotTheValue() {
    byte[] value = value(1, 0, VALUE_SIZE);
    insert(1, value);
    Arrays.fill(value, (byte) 0);
    assertThat(lookup(1).value()).isEqualTo(value(1, 0, VALUE_SIZE));
  }

  @Test
  final void newerValueReplacesOlder() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(1, value(1, 1, VALUE_SIZE / 2));
    assertThat(lookup(1).value()).isEqualTo(value(1, 1, VALUE_SIZE / 2));
  }

  @Test
  final void declinedInsertLeavesNoOlderValue() {
    insert(1, value(1, 0, VALUE_SIZE));
    assertThat(insert(1, new byte[(int) CAPACITY + 1])).isFalse();
    assertThat(lookup(1).isHit()).isFalse();
    insert(2, value(2, 0, VALUE_SIZE));
    assertThat(insert(2, value(2, 1, VALUE_SIZE), TestValues.ENCODE_FAILS)).isFalse();
    assertThat(lookup(2).isHit()).isFalse();
  }

  @Test
  final void erasedValueIsGone() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier.erase(HI, 1);
    tier.erase(HI, 2);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  final void followsAdviceToEraseIfItSaysSo() {
    insert(1, value(1, 0, VALUE_SIZE));
    TierResult<byte[]> result = await(tier.lookup(new TierRequest<>(HI, 1, BYTES, null, true)));
    assertThat(result.isHit()).isTrue();
    assertThat(result.kept()).isEqualTo(!tier.erasesOnAdvice());
    assertThat(lookup(1).isHit()).isEqualTo(!tier.erasesOnAdvice());
  }

  @Test
  final void handsContextToTheCodec() {
    insert(1, new byte[] {1, 2, 3}, TestValues.SHIFTED);
    TierRequest<byte[]> request = new TierRequest<>(HI, 1, TestValues.SHIFTED, (byte) 10, false);
    assertThat(await(tier.lookup(request)).value()).containsExactly(11, 12, 13);
  }

  @Test
  final void storesEmptyValues() {
    insert(1, new byte[0]);
    assertThat(lookup(1).value()).isEmpty();
  }

  @Test
  final void failingCodecIsDeclinedOrMissed() {
    byte[] value = value(1, 0, VALUE_SIZE);
    assertThat(insert(1, value, TestValues.ENCODE_FAILS)).isFalse();
    assertThat(insert(2, value, TestValues.ENCODES_TOO_LITTLE)).isFalse();
    assertThat(insert(3, value, TestValues.DECODE_FAILS)).isTrue();
    assertThat(await(tier.lookup(TierRequest.of(HI, 3, TestValues.DECODE_FAILS))).outcome())
        .isEqualTo(TierOutcome.UNDECODABLE);
  }

  @Test
  final void answersBatchInItsOrder() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(3, value(3, 0, VALUE_SIZE));
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    for (long key : new long[] {3, 2, 1, 3}) {
      requests.add(TierRequest.of(HI, key, BYTES));
    }
    List<byte[]> values = new ArrayList<>();
    for (CompletableFuture<TierResult<byte[]>> future : tier.lookupAll(requests)) {
      values.add(await(future).value());
    }
    assertThat(values)
        .containsExactly(
            value(3, 0, VALUE_SIZE), null, value(1, 0, VALUE_SIZE), value(3, 0, VALUE_SIZE));
    assertThat(tier.lookupAll(List.<TierRequest<byte[]>>of())).isEmpty();
  }

  @Test
  final void everyCallerHasItsOwnFuture() {
    insert(1, value(1, 0, VALUE_SIZE));
    CompletableFuture<TierResult<byte[]>> first = tier.lookup(TierRequest.of(HI, 1, BYTES));
    CompletableFuture<TierResult<byte[]>> second = tier.lookup(TierRequest.of(HI, 1, BYTES));
    first.cancel(true);
    first.obtrudeException(new IllegalStateException("hostile caller"));
    assertThat(await(second).isHit()).isTrue();
    assertThat(lookup(1).isHit()).isTrue();
  }

  @Test
  final void staysWithinCapacity() {
    for (int key = 0; key < 3 * CAPACITY / VALUE_SIZE; key++) {
      insert(key, value(key, 0, VALUE_SIZE));
      assertThat(tier.stats().usageBytes()).isLessThanOrEqualTo(CAPACITY);
    }
    assertThat(tier.stats().entries()).isPositive();
  }

  @Test
  final void capacityZeroDisablesUntilRaised() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier.setCapacity(0);
    assertThat(lookup(1).isHit()).isFalse();
    assertThat(insert(1, value(1, 1, VALUE_SIZE))).isFalse();
    tier.setCapacity(CAPACITY);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.ABSENT);
    assertThat(insert(1, value(1, 2, VALUE_SIZE))).isTrue();
    assertThat(lookup(1).value()).isEqualTo(value(1, 2, VALUE_SIZE));
  }

  @Test
  final void deflatedCapacityComesBack() {
    tier.deflate(CAPACITY / 2);
    assumeTrue(tier.stats().capacityBytes() < CAPACITY, "tier is outside of memory");
    assertThat(tier.stats().capacityBytes()).isEqualTo(CAPACITY / 2);
    tier.deflate(CAPACITY);
    assertThat(tier.stats().capacityBytes()).isZero();
    tier.setCapacity(2 * CAPACITY);
    assertThat(tier.stats().capacityBytes()).isEqualTo(CAPACITY / 2);
    tier.inflate(CAPACITY);
    tier.inflate(CAPACITY / 2);
    assertThat(tier.stats().capacityBytes()).isEqualTo(2 * CAPACITY);
  }

  @Test
  final void countsWhatItDid() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(2, new byte[(int) CAPACITY + 1]);
    lookup(1);
    lookup(1);
    lookup(3);
    TierStats stats = tier.stats();
    assertThat(stats.capacityBytes()).isEqualTo(CAPACITY);
    assertThat(stats.usageBytes()).isPositive();
    assertThat(stats.entries()).isEqualTo(1);
    assertThat(stats.accepted()).isEqualTo(1);
    assertThat(stats.declined()).isEqualTo(1);
    assertThat(stats.count(TierOutcome.HIT)).isEqualTo(2);
    assertThat(stats.misses()).isEqualTo(1);
  }

  @Test
  final void refusesWrongArgumentsAndStaysAsItWas() {
    insert(1, value(1, 0, VALUE_SIZE));
    assertThatThrownBy(() -> insert(1, new byte[1], TestValues.WITHOUT_CODEC))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tier.setCapacity(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> tier.deflate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tier.inflate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(lookup(1).isHit()).isTrue();
  }

  @Test
  final void closesOnceAndDeclinesAfterwards() {
    assertThat(tier.name()).isNotBlank();
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
    insert(1, value(1, 0, VALUE_SIZE));
    tier.close();
    tier.close();
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.CLOSED);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.CLOSED);
    assertThat(insert(2, value(2, 0, VALUE_SIZE))).isFalse();
    tier.erase(HI, 1);
    tier.setCapacity(CAPACITY);
    assertThat(tier.stats().declined()).isEqualTo(1);
  }

  @Test
  final void everyLookupCompletesWhenClosedMeanwhile() throws Exception {
    insert(1, value(1, 0, VALUE_SIZE));
    CyclicBarrier together = new CyclicBarrier(2);
    List<TierResult<byte[]>> results =
        inParallel(
            () -> {
              together.await();
              List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
              for (int i = 0; i < 1_000; i++) {
                futures.add(tier.lookup(TierRequest.of(HI, 1, BYTES)));
              }
              return futures.stream().map(SecondaryCacheContractTest::await).toList();
            },
            () -> {
              together.await();
              tier.close();
              return List.of();
            });
    assertThat(results)
        .hasSize(1_000)
        .allSatisfy(
            result -> assertThat(result.outcome()).isIn(TierOutcome.HIT, TierOutcome.CLOSED));
  }

  /** One writer per key raises its version; a reader never sees one older than it began with. */
  @Test
  final void neverGivesWrongOrOutdatedValues() throws Exception {
    int keys = 64;
    AtomicIntegerArray oldestAllowed = new AtomicIntegerArray(keys);
    long seed = System.nanoTime();
    Callable<List<String>> writer =
        () -> {
          Random random = new Random(seed);
          for (int version = 1; version <= 20_000; version++) {
            int key = random.nextInt(keys);
            if (random.nextInt(8) == 0) {
              tier.erase(HI, key);
            } else {
              insert(key, value(key, version, 12 + random.nextInt(2 * VALUE_SIZE)));
            }
            oldestAllowed.set(key, version);
          }
          return List.of();
        };
    Callable<List<String>> reader =
        () -> {
          Random random = new Random(seed + 1);
          List<String> wrong = new ArrayList<>();
          for (int i = 0; i < 20_000; i++) {
            int key = random.nextInt(keys);
            int oldest = oldestAllowed.get(key);
            boolean advise = random.nextInt(16) == 0;
            byte[] value =
                await(tier.lookup(new TierRequest<>(HI, key, BYTES, null, advise))).value();
            if (value != null && TestValues.versionOf(key, value) < oldest) {
              wrong.add("key=" + key + ", oldest=" + oldest);
            }
          }
          return wrong;
        };
    assertThat(inParallel(writer, reader, reader)).as("seed=" + seed).isEmpty();
  }

  private boolean insert(long key, byte[] value) {
    return insert(key, value, BYTES);
  }

  private boolean insert(long key, byte[] value, EntryType<byte[]> type) {
    return tier.insert(HI, key, value, type, true);
  }

  private TierResult<byte[]> lookup(long key) {
    return await(tier.lookup(TierRequest.of(HI, key, BYTES)));
  }

  private static <V> TierResult<V> await(CompletableFuture<TierResult<V>> future) {
    return future.orTimeout(30, SECONDS).join();
  }

  @SafeVarargs
  private static <R> List<R> inParallel(Callable<? extends List<R>>... tasks) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(tasks.length);
    try {
      List<Future<? extends List<R>>> futures = new ArrayList<>();
      for (Callable<? extends List<R>> task : tasks) {
        futures.add(executor.submit(task));
      }
      List<R> all = new ArrayList<>();
      for (Future<? extends List<R>> future : futures) {
        all.addAll(future.get(60, SECONDS));
      }
      return all;
    } finally {
      executor.shutdownNow();
    }
  }
}
