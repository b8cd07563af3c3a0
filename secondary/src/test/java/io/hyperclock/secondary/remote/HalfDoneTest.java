/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.TestValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is left of calls and answers that throw half way, as they do where memory is short: no room
 * of a command, no value that nobody frees.
 */
class HalfDoneTest {
  private final ScriptedStore store = new ScriptedStore();
  private RemoteSecondaryCache tier;

  /** Throws where it is to be shown. */
  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("on purpose");
    }
  }

  @AfterEach
  void close() {
    if (tier != null) {
      tier.close();
    }
  }

  private void assertNothingUnderWay() {
    assertThat(tier.remoteStats().commandsInFlight()).isZero();
    assertThat(tier.remoteStats().bytesInFlight()).isZero();
  }

  @Test
  void failureThatCannotBeShownGivesItsRoomBack() {
    tier =
        RemoteTiers.builder(store)
            .failuresToOpen(1_000)
            .maxInFlightCommands(2)
            .executor(Runnable::run)
            .build();
    store.onRead = () -> CompletableFuture.failedFuture(new Unspeakable());
    store.onWrite = () -> CompletableFuture.failedFuture(new Unspeakable());
    store.onRemove = () -> CompletableFuture.failedFuture(new Unspeakable());
    for (int i = 0; i < 4; i++) {
      assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
      assertNothingUnderWay();
    }
    for (int i = 0; i < 4; i++) {
      assertThat(insert(tier, 2, value(2, 1, 100))).isTrue();
      tier.erase(HI, 3);
      assertNothingUnderWay();
    }
    assertThat(tier.remoteStats().owedRemovals()).isEqualTo(2);
  }

  @Test
  void serverIsAskedAgainAfterAFailureThatCannotBeShown() {
    store.onRead = () -> CompletableFuture.failedFuture(new Unspeakable());
    tier = RemoteTiers.builder(store).probeInterval(Duration.ofMillis(1)).build();
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    await().atMost(60, SECONDS).until(() -> store.reads.get() > 3);
    store.onRead = null;
    await().atMost(60, SECONDS).until(() -> tier.state().equals(TierState.OPEN));
  }

  /** The value of the first lookup is there, or is yet to come, when the second one throws. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lookupsThatThrowHalfWayFreeWhatWasFound(boolean isThere) {
    List<Runnable> tasks = new ArrayList<>();
    Executor executor = isThere ? Runnable::run : tasks::add;
    FickleStore memory = new FickleStore(new Random(1));
    tier = RemoteTiers.builder(memory).executor(executor).maxBatchKeys(1).build();
    AtomicInteger disposed = new AtomicInteger();
    EntryType<byte[]> type =
        EntryType.<byte[]>named("counted")
            .codec(TestValues.BYTES.codec())
            .disposer((hi, lo, value) -> disposed.incrementAndGet())
            .build();
    assertThat(tier.insert(HI, 1, value(1, 1, 100), type, true)).isTrue();
    TierRequest<byte[]> request = TierRequest.of(HI, 1, type);
    assertThatThrownBy(() -> tier.lookupAll(Arrays.asList(request, request, null)))
        .isInstanceOf(NullPointerException.class);
    tasks.forEach(Runnable::run);
    assertThat(disposed).hasValue(1);
    assertNothingUnderWay();
  }
}
