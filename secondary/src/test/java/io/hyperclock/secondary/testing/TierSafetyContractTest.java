/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.testing;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every tier must do, also one that keeps nothing, fails or is slow: never a wrong or outdated
 * value, never an exception, an answer to every lookup. {@link SecondaryCacheContractTest} adds
 * what a tier in good order must do.
 */
public abstract class TierSafetyContractTest {
  static final long CAPACITY = 1 << 20;
  static final int VALUE_SIZE = 1 << 10;
  static final long HI = 7;

  private SecondaryCache tier;

  /** Makes an open tier. */
  protected abstract SecondaryCache open(long capacityBytes);

  /** Steps of each thread of the concurrent test; slow tiers take fewer. */
  protected int steps() {
    return 20_000;
  }

  @BeforeEach
  final void openTier() {
    tier = open(CAPACITY);
  }

  @AfterEach
  final void closeTier() {
    tier.close();
  }

  final SecondaryCache tier() {
    return tier;
  }

  @Test
  final void hasOneName() {
    assertThat(tier.name()).isNotBlank().isEqualTo(tier.name());
  }

  @Test
  final void refusesWrongArguments() {
    assertThatThrownBy(() -> insert(1, new byte[1], TestValues.WITHOUT_CODEC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without codec");
    assertThatThrownBy(() -> insert(1, null, BYTES))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("value must not be null");
    assertThatThrownBy(() -> tier.insert(HI, 1, new byte[1], null, true))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("type must not be null");
    assertThatThrownBy(() -> tier.setCapacity(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> tier.deflate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tier.inflate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(tier.state()).isEqualTo(TierState.OPEN);
    assertThat(tier.stats().accepted() + tier.stats().declined()).isZero();
  }

  @Test
  final void answersBatchInItsOrder() {
    insert(1, value(1, 0, VALUE_SIZE));
    insert(3, value(3, 0, VALUE_SIZE));
    List<TierRequest<byte[]>> requests = new ArrayList<>();
    long[] keys = {3, 2, 1, 3, 3};
    for (long key : keys) {
      requests.add(TierRequest.of(HI, key, BYTES));
    }
    List<CompletableFuture<TierResult<byte[]>>> futures = tier.lookupAll(requests);
    assertThat(futures).hasSize(keys.length).doesNotHaveDuplicates();
    for (int i = 0; i < keys.length; i++) {
      byte[] value = await(futures.get(i)).value();
      assertThat(value == null ? 0 : TestValues.versionOf(keys[i], value)).isZero();
    }
    assertThat(tier.lookupAll(List.<TierRequest<byte[]>>of())).isEmpty();
  }

  @Test
  final void everyCallerHasItsOwnFuture() {
    insert(1, value(1, 0, VALUE_SIZE));
    TierRequest<byte[]> request = TierRequest.of(HI, 1, BYTES);
    CompletableFuture<TierResult<byte[]>> first = tier.lookup(request);
    CompletableFuture<TierResult<byte[]>> second = tier.lookup(request);
    List<CompletableFuture<TierResult<byte[]>>> batch = tier.lookupAll(List.of(request, request));
    first.cancel(true);
    first.obtrudeException(new IllegalStateException("hostile caller"));
    batch.get(0).obtrudeValue(null);
    assertThat(await(second)).isNotNull();
    assertThat(await(batch.get(1))).isNotNull();
    assertThat(lookup(1)).isNotNull();
  }

  @Test
  final void capacityZeroHoldsNothing() {
    insert(1, value(1, 0, VALUE_SIZE));
    tier.setCapacity(0);
    assertThat(lookup(1).isHit()).isFalse();
    assertThat(insert(1, value(1, 1, VALUE_SIZE))).isFalse();
    assertThat(lookup(1).isHit()).isFalse();
    tier.setCapacity(CAPACITY);
    assertThat(lookup(1).isHit()).isFalse();
  }

  @Test
  final void countsAddUp() {
    Random random = new Random(5);
    int inserts = 0;
    int lookups = 0;
    for (int i = 0; i < 300; i++) {
      EntryType<byte[]> type = random.nextBoolean() ? BYTES : TestValues.INDEX;
      if (random.nextBoolean()) {
        insert(random.nextInt(16), value(1, 0, VALUE_SIZE), type);
        inserts++;
      } else {
        await(tier.lookup(TierRequest.of(HI, random.nextInt(16), type)));
        lookups++;
      }
    }
    TierStats stats = tier.stats();
    assertThat(stats.accepted() + stats.declined()).isEqualTo(inserts);
    assertThat(stats.count(TierOutcome.HIT) + stats.misses()).isEqualTo(lookups);
    TierStats.Role sum = TierStats.Role.NONE;
    for (TierStats.Role role : stats.roles().values()) {
      sum = sum.plus(role);
    }
    assertThat(sum)
        .isEqualTo(
            new TierStats.Role(
                stats.accepted(), stats.declined(), stats.count(TierOutcome.HIT), stats.misses()));
    assertThat(stats.roles().keySet()).containsExactly(EntryRole.DATA_BLOCK, EntryRole.INDEX_BLOCK);
  }

  /** While one caller's codec takes its time, the others go on, and so does closing. */
  @Test
  final void slowCodecHoldsUpNobodyElse() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    EntryType<byte[]> slow =
        TestValues.calling(
            () -> {
              entered.countDown();
              awaitLatch(leave);
            });
    insert(1, value(1, 0, VALUE_SIZE));
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      Future<?> inserting = executor.submit(() -> insert(2, value(2, 0, VALUE_SIZE), slow));
      Future<CompletableFuture<TierResult<byte[]>>> reading =
          executor.submit(() -> tier.lookup(TierRequest.of(HI, 1, slow)));
      if (tier.stats().entries() > 0) {
        awaitLatch(entered);
      }
      Future<?> others = executor.submit(this::useAndClose);
      others.get(TierTestLimits.SECONDS, SECONDS);
      leave.countDown();
      inserting.get(TierTestLimits.SECONDS, SECONDS);
      assertThat(await(reading.get(TierTestLimits.SECONDS, SECONDS))).isNotNull();
      assertThat(lookup(2).outcome()).isEqualTo(TierOutcome.CLOSED);
    } finally {
      leave.countDown();
      executor.shutdownNow();
    }
  }

  private void useAndClose() {
    for (int key = 1; key <= 2; key++) {
      insert(key, value(key, 1, VALUE_SIZE));
      lookup(key);
      tier.erase(HI, key);
    }
    tier.setCapacity(CAPACITY / 2);
    tier.deflate(1);
    tier.inflate(1);
    tier.stats();
    tier.close();
  }

  @Test
  final void codecMayCallBack() {
    EntryType<byte[]> calling =
        TestValues.calling(
            () -> {
              insert(1, value(1, 1, VALUE_SIZE));
              lookup(1);
              tier.erase(HI, 2);
            });
    insert(1, value(1, 0, VALUE_SIZE), calling);
    await(tier.lookup(TierRequest.of(HI, 1, calling)));
    TierResult<byte[]> result = lookup(1);
    assertThat(result.isHit() ? TestValues.versionOf(1, result.value()) : 0)
        .isGreaterThanOrEqualTo(0);
  }

  @Test
  final void closesOnceAndDeclinesAfterwards() {
    insert(1, value(1, 0, VALUE_SIZE));
    long declined = tier.stats().declined();
    tier.close();
    tier.close();
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.CLOSED);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.CLOSED);
    assertThat(insert(2, value(2, 0, VALUE_SIZE))).isFalse();
    tier.erase(HI, 1);
    tier.setCapacity(CAPACITY);
    tier.deflate(1);
    tier.inflate(1);
    assertThat(tier.state().mode()).isEqualTo(TierState.Mode.CLOSED);
    assertThat(lookup(2).outcome()).isEqualTo(TierOutcome.CLOSED);
    assertThat(tier.stats().declined()).isEqualTo(declined + 1);
    assertThat(tier.stats().entries()).isZero();
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
              return futures.stream().map(TierSafetyContractTest::await).toList();
            },
            () -> {
              together.await();
              tier.close();
              return List.of();
            });
    assertThat(results).hasSize(1_000);
    assertThat(lookup(1).outcome()).isEqualTo(TierOutcome.CLOSED);
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
          for (int version = 1; version <= steps(); version++) {
            int key = random.nextInt(keys);
            if (random.nextInt(8) == 0) {
              tier.erase(HI, key);
            } else {
              int size = 12 + random.nextInt(2 * VALUE_SIZE);
              tier.insert(HI, key, value(key, version, size), BYTES, random.nextBoolean());
            }
            oldestAllowed.set(key, version);
            if (random.nextInt(steps() / 10) == 0) {
              tier.setCapacity(random.nextInt(3) * CAPACITY / 16);
            }
          }
          return List.of();
        };
    Callable<List<String>> reader =
        () -> {
          Random random = new Random(seed + 1);
          List<String> wrong = new ArrayList<>();
          for (int i = 0; i < steps(); i++) {
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

  /**
   * Two writers of one key at a time: what is left is of this round, and nothing survives erasing.
   */
  @Test
  final void concurrentWritersLeaveNothingOlder() throws Exception {
    CyclicBarrier round = new CyclicBarrier(2);
    int rounds = steps() / 20;
    Callable<List<String>> first =
        () -> {
          List<String> wrong = new ArrayList<>();
          for (int version = 2; version <= 2 * rounds; version += 2) {
            round.await();
            insert(1, value(1, version, VALUE_SIZE));
            round.await();
            byte[] left = lookup(1).value();
            if (left != null && TestValues.versionOf(1, left) < version) {
              wrong.add("version=" + version);
            }
          }
          return wrong;
        };
    Callable<List<String>> second =
        () -> {
          for (int version = 2; version <= 2 * rounds; version += 2) {
            round.await();
            if (version % 4 == 0) {
              insert(1, value(1, version + 1, VALUE_SIZE));
            } else {
              tier.erase(HI, 1);
            }
            round.await();
          }
          return List.of();
        };
    assertThat(inParallel(first, second)).isEmpty();
    tier.erase(HI, 1);
    assertThat(lookup(1).isHit()).isFalse();
  }

  final boolean insert(long key, byte[] value) {
    return insert(key, value, BYTES);
  }

  final boolean insert(long key, byte[] value, EntryType<byte[]> type) {
    return tier.insert(HI, key, value, type, true);
  }

  final TierResult<byte[]> lookup(long key) {
    return await(tier.lookup(TierRequest.of(HI, key, BYTES)));
  }

  static <V> TierResult<V> await(CompletableFuture<TierResult<V>> future) {
    return future.orTimeout(TierTestLimits.SECONDS, SECONDS).join();
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SafeVarargs
  static <R> List<R> inParallel(Callable<? extends List<R>>... tasks) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(tasks.length);
    try {
      List<Future<? extends List<R>>> futures = new ArrayList<>();
      for (Callable<? extends List<R>> task : tasks) {
        futures.add(executor.submit(task));
      }
      List<R> all = new ArrayList<>();
      for (Future<? extends List<R>> future : futures) {
        all.addAll(future.get(TierTestLimits.SECONDS, SECONDS));
      }
      return all;
    } finally {
      executor.shutdownNow();
    }
  }
}
