/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.remote.RemoteTiers.start;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the tier makes of stores that fail, lie, throw or never answer. */
class ScriptedStoreTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration NEVER = Duration.ofHours(1);

  private final ScriptedStore store = new ScriptedStore();
  private RemoteSecondaryCache tier;

  @AfterEach
  void close() {
    if (tier != null) {
      tier.close();
    }
  }

  private RemoteSecondaryCacheBuilder builder() {
    return RemoteTiers.builder(store).failuresToOpen(3).probeInterval(NEVER);
  }

  private static <T> Supplier<CompletionStage<T>> failing(RuntimeException failure) {
    return () -> CompletableFuture.failedFuture(failure);
  }

  @Test
  void failuresInARowOpenTheBreaker() {
    tier = builder().build();
    store.onRead = failing(ScriptedStore.notSent());
    for (int i = 0; i < 2; i++) {
      assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    }
    store.onRead = null;
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.ABSENT);
    store.onRead = failing(new IllegalStateException("broken"));
    for (int i = 0; i < 3; i++) {
      assertThat(tier.state()).isEqualTo(TierState.OPEN);
      assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    }
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    assertThat(tier.state().reason())
        .isEqualTo("server must answer: failures=3, last=IllegalStateException: broken");
    int asked = store.reads.get();
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    assertThat(insert(tier, 1, value(1, 1, 100))).isFalse();
    assertThat(store.reads).hasValue(asked);
  }

  /** Answers wait for the executor; they may hold no more than the tier may have under way. */
  @Test
  void answersThatHoldTooMuchAreBusy() {
    int bytes = 100_000;
    Queue<Runnable> decodings = new ConcurrentLinkedQueue<>();
    tier =
        builder()
            .maxValueBytes(bytes)
            .maxBatchBytes(bytes)
            .maxInFlightBytes(10 * bytes + bytes / 2)
            .executor(decodings::add)
            .build();
    store.onRead = () -> CompletableFuture.completedFuture(List.of(new byte[bytes]));
    List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
    for (int key = 0; key < 20; key++) {
      futures.add(RemoteTiers.start(tier, key));
    }
    assertThat(tier.remoteStats().bytesInFlight()).isEqualTo(10 * bytes);
    while (!decodings.isEmpty()) {
      decodings.remove().run();
    }
    List<TierOutcome> outcomes = futures.stream().map(future -> future.join().outcome()).toList();
    assertThat(outcomes.subList(0, 10)).containsOnly(TierOutcome.CORRUPT);
    assertThat(outcomes.subList(10, 20)).containsOnly(TierOutcome.BUSY);
    assertThat(tier.remoteStats().bytesInFlight()).isZero();
    assertThat(tier.remoteStats().commandsInFlight()).isZero();
  }

  /** Who waited for a lookup finds the room that it had. */
  @Test
  void aLookupThatHasEndedHoldsNothing() {
    Queue<Runnable> decodings = new ConcurrentLinkedQueue<>();
    tier = builder().maxInFlightCommands(1).executor(decodings::add).build();
    List<CompletableFuture<TierResult<byte[]>>> next = new ArrayList<>();
    List<List<byte @Nullable []>> answers =
        List.of(Arrays.asList(new byte[][] {null}), List.of(), List.of(new byte[1]));
    for (List<byte @Nullable []> answer : answers) {
      store.onRead = () -> CompletableFuture.completedFuture(answer);
      start(tier, 1)
          .thenRun(
              () -> {
                assertThat(tier.remoteStats().bytesInFlight()).isZero();
                next.add(start(tier, 2));
              });
      decodings.remove().run();
      decodings.remove().run();
    }
    assertThat(next.stream().map(future -> future.join().outcome()))
        .containsExactly(TierOutcome.ABSENT, TierOutcome.CORRUPT, TierOutcome.CORRUPT);
  }

  @Test
  void probesCloseTheBreaker() {
    tier = builder().probeInterval(Duration.ofMillis(1)).build();
    store.onRead = failing(ScriptedStore.notSent());
    while (tier.state().mode() == Mode.OPEN) {
      lookup(tier, 1);
    }
    insert(tier, 1, value(1, 1, 100));
    tier.erase(HI, 2);
    assertThat(tier.remoteStats().owedRemovals()).isEqualTo(2);
    int asked = store.reads.get();
    TierTestLimits.eventually(() -> store.reads.get() > asked + 3);
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    store.onRead = null;
    TierTestLimits.eventually(() -> tier.state().equals(TierState.OPEN));
    TierTestLimits.eventually(() -> tier.remoteStats().owedRemovals() == 0);
    // They are no longer owed from when they are about to be sent.
    TierTestLimits.eventually(() -> store.removed.size() >= 2);
    assertThat(store.removed).hasSize(2);
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.ABSENT);
  }

  @Test
  void refusedValuesMakeItReadOnly() {
    tier = builder().probeInterval(Duration.ofMillis(1)).build();
    store.onWrite = () -> CompletableFuture.failedFuture(ScriptedStore.refused());
    for (int i = 0; i < 3; i++) {
      assertThat(insert(tier, 1, value(1, 1, 100))).isTrue();
      assertThat(lookup(tier, 2).outcome()).isEqualTo(TierOutcome.ABSENT);
    }
    assertThat(tier.state().mode()).isEqualTo(Mode.READ_ONLY);
    assertThat(tier.stats().dropped()).isEqualTo(3);
    store.removed.clear();
    assertThat(insert(tier, 3, value(3, 1, 100))).isFalse();
    assertThat(store.removed).hasSize(1);
    store.onWrite = () -> CompletableFuture.completedFuture("OK");
    TierTestLimits.eventually(() -> tier.state().equals(TierState.OPEN));
  }

  @Test
  void whatIsUnderWayIsBounded() {
    tier =
        builder().maxInFlightCommands(4).maxInFlightBytes(4 << 20).maxBatchBytes(1 << 20).build();
    CompletableFuture<List<byte @Nullable []>> answer = new CompletableFuture<>();
    store.onRead = () -> answer;
    List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      futures.add(start(tier, 1));
    }
    assertThat(tier.remoteStats().commandsInFlight()).isEqualTo(4);
    assertThat(tier.remoteStats().bytesInFlight()).isEqualTo(4 * 4096);
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.BUSY);
    assertThat(insert(tier, 5, value(5, 1, 100))).isFalse();
    tier.erase(HI, 6);
    assertThat(tier.remoteStats().owedRemovals()).isEqualTo(2);
    assertThat(lookup(tier, 6).outcome()).isEqualTo(TierOutcome.ABSENT);
    answer.complete(Arrays.asList(new byte[][] {null}));
    futures.forEach(
        future ->
            assertThat(future.orTimeout(TierTestLimits.SECONDS, SECONDS).join().outcome())
                .isEqualTo(TierOutcome.ABSENT));
    TierTestLimits.eventually(() -> tier.remoteStats().commandsInFlight() == 0);
    store.onRead = null;
    lookup(tier, 1);
    TierTestLimits.eventually(() -> tier.remoteStats().owedRemovals() == 0);
    TierTestLimits.eventually(() -> tier.remoteStats().bytesInFlight() == 0);
  }

  /** A batch of removals is no larger than what may be under way. */
  @Test
  void owedRemovalsAreSentThoughFewBytesMayBeUnderWay() {
    tier =
        builder()
            .maxValueBytes(1 << 10)
            .maxBatchBytes(1 << 10)
            .maxInFlightBytes(2 << 10)
            .probeInterval(Duration.ofMillis(1))
            .build();
    store.onWrite = () -> CompletableFuture.failedFuture(ScriptedStore.notSent());
    assertThat(insert(tier, 1, value(1, 1, 100))).isTrue();
    assertThat(tier.remoteStats().owedRemovals()).isEqualTo(1);
    store.onWrite = () -> CompletableFuture.completedFuture("OK");
    TierTestLimits.eventually(
        () -> {
          lookup(tier, 2);
          return tier.remoteStats().owedRemovals() == 0;
        });
    assertThat(tier.remoteStats().bytesInFlight()).isZero();
  }

  @Test
  void bytesUnderWayAreBounded() {
    tier =
        builder().maxValueBytes(1 << 20).maxBatchBytes(1 << 20).maxInFlightBytes(2 << 20).build();
    CompletableFuture<String> answer = new CompletableFuture<>();
    store.onWrite = () -> answer;
    assertThat(insert(tier, 1, value(1, 1, 1 << 20))).isTrue();
    assertThat(insert(tier, 2, value(2, 1, 1 << 20))).isTrue();
    assertThat(insert(tier, 3, value(3, 1, 1 << 20))).isTrue();
    assertThat(insert(tier, 4, value(4, 1, 1 << 20))).isFalse();
    answer.complete("OK");
    assertThat(tier.remoteStats().bytesInFlight()).isZero();
    assertThat(insert(tier, 4, value(4, 1, 1 << 20))).isTrue();
  }

  @Test
  void storeThatNeverAnswersTimesOut() {
    tier = builder().timeout(Duration.ofSeconds(2)).failuresToOpen(1_000).build();
    store.onRead = CompletableFuture::new;
    store.onWrite = CompletableFuture::new;
    store.onRemove = CompletableFuture::new;
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.TIMED_OUT);
    assertThat(insert(tier, 1, value(1, 1, 100))).isTrue();
    tier.erase(HI, 2);
    TierTestLimits.eventually(() -> tier.remoteStats().commandsInFlight() == 0);
    TierTestLimits.eventually(() -> tier.remoteStats().unconfirmed() == 2);
    assertThat(tier.remoteStats().owedRemovals()).isEqualTo(2);
  }

  @Test
  void storesThatThrowOrLieAreMisses() {
    tier = builder().failuresToOpen(1_000).build();
    store.onRead =
        () -> {
          throw new IllegalStateException("thrown");
        };
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    store.onRead =
        () -> {
          throw new AssertionError("thrown");
        };
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    store.onRead = () -> null;
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    store.onRead = () -> CompletableFuture.completedFuture(null);
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.CORRUPT);
    store.onRead = () -> CompletableFuture.completedFuture(List.of());
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.CORRUPT);
    store.onWrite = () -> null;
    store.onRemove = () -> null;
    assertThat(insert(tier, 1, value(1, 1, 100))).isTrue();
    tier.erase(HI, 1);
    assertThat(tier.remoteStats().unconfirmed()).isEqualTo(2);
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.ABSENT);
  }

  /** A stuck codec, or an executor that refuses, ends by the time limit. */
  @Test
  void stuckExecutorsHoldUpNobody() {
    List<Runnable> stuck = new ArrayList<>();
    tier = builder().timeout(Duration.ofSeconds(2)).executor(stuck::add).build();
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.TIMED_OUT);
    assertThat(stuck).hasSize(1);
    assertThat(tier.remoteStats().commandsInFlight()).isEqualTo(1);
    stuck.get(0).run();
    assertThat(tier.remoteStats().commandsInFlight()).isZero();
    tier.close();
    tier =
        builder()
            .executor(
                task -> {
                  throw new RejectedExecutionException("on purpose");
                })
            .build();
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    TierTestLimits.eventually(() -> tier.remoteStats().commandsInFlight() == 0);
  }

  @Test
  void executorThatRejectsWhatItRanGivesRoomBackOnce() {
    tier =
        builder()
            .executor(
                task -> {
                  task.run();
                  throw new RejectedExecutionException("on purpose");
                })
            .build();
    lookup(tier, 1);
    tier.close();
    assertThat(tier.remoteStats().commandsInFlight()).isZero();
    assertThat(tier.remoteStats().bytesInFlight()).isZero();
  }

  /** Neither codecs nor dependents run on the thread that completes the store's futures. */
  @Test
  void foreignCodeStaysOffTheStoresThread() throws Exception {
    FickleStore memory = new FickleStore(new Random(1));
    tier = RemoteTiers.builder(memory).build();
    List<String> threads = new CopyOnWriteArrayList<>();
    var spying = TestValues.calling(() -> threads.add(Thread.currentThread().getName()));
    tier.insert(HI, 1, value(1, 1, 100), spying, true);
    threads.clear();
    CountDownLatch ended = new CountDownLatch(1);
    tier.lookup(TierRequest.<byte[]>of(HI, 1, spying))
        .thenRun(
            () -> {
              threads.add(Thread.currentThread().getName());
              ended.countDown();
            });
    assertThat(ended.await(TierTestLimits.SECONDS, SECONDS)).isTrue();
    assertThat(threads.get(0)).startsWith("remote-decoder");
  }

  /** A value that comes when its lookup has been given up is disposed of. */
  @Test
  void valueThatNobodyTakesIsDisposedOf() {
    FickleStore memory = new FickleStore(new Random(1));
    List<Runnable> tasks = new ArrayList<>();
    tier = RemoteTiers.builder(memory).executor(tasks::add).build();
    AtomicInteger disposed = new AtomicInteger();
    var type =
        EntryType.<byte[]>named("counted")
            .codec(TestValues.BYTES.codec())
            .disposer((hi, lo, value) -> disposed.incrementAndGet())
            .build();
    tier.insert(HI, 1, value(1, 1, 100), type, true);
    CompletableFuture<TierResult<byte[]>> future = tier.lookup(TierRequest.<byte[]>of(HI, 1, type));
    future.cancel(true);
    tasks.get(0).run();
    assertThat(disposed).hasValue(1);
    assertThat(tier.stats().count(TierOutcome.HIT)).isEqualTo(1);
  }

  @Test
  void refusesSettingsThatDoNotFit() {
    assertThatThrownBy(() -> RemoteSecondaryCache.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("store and namespace must be set: store=null, namespace=null");
    assertThatThrownBy(() -> builder().maxInFlightBytes(1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("maxInFlightBytes must be >= twice");
    assertThatThrownBy(() -> builder().ttl(Duration.ZERO))
        .hasMessage("ttl must be in [1 ms, 3650 days]: ttl=PT0S");
    assertThatThrownBy(() -> builder().namespace(" ")).hasMessageContaining("must not be blank");
    assertThatThrownBy(() -> builder().maxBatchKeys(0)).hasMessage("keys must be > 0: keys=0");
    assertThat(store.closes).hasValue(0);
  }
}
