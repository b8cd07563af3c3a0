/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.internal.tier.TierCounters;
import io.hyperclock.secondary.testing.TestValues;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a command that fails, or for which there is no memory. A part that is missing
 * stands for the latter: it throws where a part that allocates might.
 */
class RemoteWriterTest {
  private final ScriptedStore store = new ScriptedStore();
  private final RemoteSecondaryCacheBuilder settings =
      RemoteTiers.builder(store).failuresToOpen(1_000).probeInterval(Duration.ofMillis(1));
  private final WriteTracker ledger = new WriteTracker(100, SECONDS.toNanos(100));
  private final WireFormat envelope = new WireFormat("writer", 1, null);
  private final TierCounters counters = new TierCounters();
  private final RequestWindow line = new RequestWindow("line", 4, 1 << 20, RemoteTiers.PATIENT);
  private final ServerHealth health =
      new ServerHealth(
          line,
          store,
          new StateLog("tier", System.getLogger("writer"), line),
          new byte[1],
          1_000,
          Duration.ofMillis(1));

  @BeforeEach
  void open() {
    health.begin(() -> {});
  }

  @AfterEach
  void close() {
    line.close(RemoteTiers.PATIENT, () -> {}, Thread::new);
  }

  private RemoteWriter writer(WireFormat envelope, WriteTracker ledger) {
    return new RemoteWriter(settings, store, envelope, ledger, line, health, counters);
  }

  private void assertNothingUnderWay() {
    assertThat(line.commandsUnderWay()).isZero();
    assertThat(line.bytesUnderWay()).isZero();
  }

  @Test
  void roomIsGivenBackWhereAWriteCannotBegin() {
    RemoteWriter writer = writer(envelope, null);
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> writer.put(HI, 1, TestValues.BYTES, new byte[100]))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> writer.remove(HI, 1)).isInstanceOf(NullPointerException.class);
      assertNothingUnderWay();
    }
  }

  @Test
  void removalThatCannotBeSentIsOwed() {
    RemoteWriter writer = writer(null, ledger);
    writer.remove(HI, 1);
    assertThat(ledger.owed()).isEqualTo(1);
    assertNothingUnderWay();
  }

  @Test
  void owedRemovalThatCannotBeSentIsTriedAgain() {
    RemoteWriter writer = writer(null, ledger);
    ledger.owe(HI, 1);
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () -> {
              writer.removeOwed();
              return writer.unconfirmed() > 2;
            });
    assertThat(ledger.owed()).isEqualTo(1);
    assertNothingUnderWay();
  }

  /** What was refused or not sent is certainly not done; of anything else that is not known. */
  @Test
  void unconfirmedIsWhatMayStillBeDone() {
    RemoteWriter writer = writer(envelope, ledger);
    putAndRemove(writer, ScriptedStore.refused());
    putAndRemove(writer, ScriptedStore.notSent());
    assertThat(writer.unconfirmed()).isZero();
    putAndRemove(writer, new TimeoutException("late"));
    assertThat(writer.unconfirmed()).isEqualTo(2);
    assertNothingUnderWay();
  }

  private void putAndRemove(RemoteWriter writer, Throwable failure) {
    store.onWrite = () -> CompletableFuture.failedFuture(failure);
    store.onRemove = store.onWrite;
    assertThat(writer.put(HI, 1, TestValues.BYTES, new byte[100])).isTrue();
    int before = store.removed.size();
    writer.remove(HI, 1);
    assertThat(store.removed).hasSize(before + 1);
  }

  /** A removal has no value that could be. */
  @Test
  void droppedAreTheValuesThatDidNotGetThrough() {
    RemoteWriter writer = writer(envelope, ledger);
    putAndRemove(writer, ScriptedStore.refused());
    assertThat(counters.toStats(1, 0, 0).dropped()).isEqualTo(1);
    putAndRemove(writer, new TimeoutException("late"));
    assertThat(counters.toStats(1, 0, 0).dropped()).isEqualTo(2);
  }

  @Test
  void owedRemovalsAreSentAsManyAtOnceAsABatchHasKeys() {
    settings.maxBatchKeys(3);
    RemoteWriter writer = writer(envelope, owing(8));
    List<Integer> sums = new ArrayList<>();
    store.onRemove =
        () -> {
          sums.add(store.removed.size());
          return CompletableFuture.completedFuture(1L);
        };
    writer.removeOwed();
    assertThat(sums).containsExactly(3, 6, 8);
    assertThat(ledger.owed()).isZero();
    assertNothingUnderWay();
  }

  /** A server that fails is not asked at every answer to something else. */
  @Test
  void owedRemovalsWaitAfterAFailureUntilARemovalGetsThrough() {
    settings.probeInterval(Duration.ofHours(1));
    RemoteWriter writer = writer(envelope, owing(2));
    store.onRemove = () -> CompletableFuture.failedFuture(ScriptedStore.refused());
    writer.removeOwed();
    assertThat(store.removed).hasSize(2);
    store.onRemove = () -> CompletableFuture.completedFuture(1L);
    writer.removeOwed();
    assertThat(writer.put(HI, 7, TestValues.BYTES, new byte[100])).isTrue();
    assertThat(store.removed).hasSize(2);
    assertThat(ledger.owed()).isEqualTo(2);
    writer.remove(HI, 9);
    assertThat(store.removed).hasSize(5);
    assertThat(ledger.owed()).isZero();
  }

  /** One command of them at a time, which counts as what is under way. */
  @Test
  void owedRemovalsUnderWayAreCounted() {
    RemoteWriter writer = writer(envelope, owing(2));
    CompletableFuture<Long> answer = new CompletableFuture<>();
    store.onRemove = () -> answer;
    writer.removeOwed();
    ledger.owe(HI, 3);
    writer.removeOwed();
    assertThat(line.commandsUnderWay()).isEqualTo(1);
    assertThat(line.bytesUnderWay()).isPositive();
    answer.complete(2L);
    assertThat(store.removed).hasSize(3);
    assertThat(ledger.owed()).isZero();
    assertNothingUnderWay();
  }

  private WriteTracker owing(int keys) {
    for (int key = 1; key <= keys; key++) {
      ledger.owe(HI, key);
    }
    return ledger;
  }
}
