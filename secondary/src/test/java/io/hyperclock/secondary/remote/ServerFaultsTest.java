/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.remote.RemoteTiers.start;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.TierState;
import io.hyperclock.secondary.TierState.Mode;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real server that dies, freezes, returns, is slow, is full or was never there. */
class ServerFaultsTest {
  private static final Duration TIMEOUT = Duration.ofMillis(200);

  /** The store's time limit where it is always the tier's that ends a lookup. */
  private static final Duration LONGER = RemoteTiers.PATIENT;

  private static final Duration LATEST = TierTestLimits.TIME;

  private RedisProcess server;
  private RemoteSecondaryCache tier;

  private static RemoteSecondaryCache connect(String uri, Duration commandTimeout) {
    return RemoteTiers.builder(LettuceRemoteStore.connect(uri, RemoteTiers.PATIENT, commandTimeout))
        .timeout(TIMEOUT)
        .build();
  }

  private void open(RedisProcess on) {
    open(on, TIMEOUT);
  }

  private void open(RedisProcess on, Duration commandTimeout) {
    server = on;
    tier = connect(server.uri(), commandTimeout);
  }

  @AfterEach
  void close() {
    tier.close();
    server.close();
  }

  private void awaitMode(Mode mode) {
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> tier.state().mode() == mode);
  }

  /** What a server says that is well, though perhaps not at once. */
  private TierResult<byte[]> answer(long key) {
    return await()
        .pollDelay(Duration.ZERO)
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(
            () -> lookup(tier, key),
            result ->
                result.outcome() != TierOutcome.TIMED_OUT
                    && result.outcome() != TierOutcome.UNAVAILABLE);
  }

  private void awaitHit(long key, int version) {
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .untilAsserted(
            () -> {
              insert(tier, key, value(key, version, 100));
              assertThat(lookup(tier, key).value()).isEqualTo(value(key, version, 100));
            });
  }

  /** Looks up until the tier gives up on the server; every lookup ends in time without a value. */
  private List<TierOutcome> lookUpUntilBypassed(long key) {
    return Objects.requireNonNull(lookUpUntilBypassed(key, LATEST.multipliedBy(10)));
  }

  /** Null if the tier does not give up on the server within the time for which that is slow. */
  private @Nullable List<TierOutcome> lookUpUntilBypassed(long key, Duration slow) {
    List<TierOutcome> outcomes = new ArrayList<>();
    long first = System.nanoTime();
    while (tier.state().mode() != Mode.BYPASS) {
      long begin = System.nanoTime();
      long sent = tier.remoteStats().batches();
      TierResult<byte[]> result = lookup(tier, key);
      long end = System.nanoTime();
      assertThat(end - begin).isLessThan(LATEST.toNanos());
      if (end - first > slow.toNanos()) {
        return null;
      }
      assertThat(result.isHit()).isFalse();
      if (tier.remoteStats().batches() > sent) {
        outcomes.add(result.outcome());
      } else {
        // The last failure was counted between the look at the mode and this lookup.
        assertThat(result.outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
      }
    }
    return outcomes;
  }

  @Test
  void killedServerCostsMissesAndIsUsedAgainWhenItReturns() {
    open(RedisProcess.start());
    awaitHit(1, 1);
    server.kill();
    assertThat(lookUpUntilBypassed(1)).hasSizeBetween(1, 6);
    assertThat(tier.state().reason()).startsWith("server must answer: failures=");
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    assertThat(insert(tier, 2, value(2, 1, 100))).isFalse();
    assertThat(tier.remoteStats().owedRemovals()).isPositive();
    server.restart();
    awaitMode(Mode.OPEN);
    assertThat(answer(1).outcome()).isEqualTo(TierOutcome.ABSENT);
    awaitHit(1, 2);
    await()
        .atMost(TierTestLimits.SECONDS, SECONDS)
        .until(() -> tier.remoteStats().owedRemovals() == 0);
  }

  @Test
  void frozenServerTimesOutAndThenNobodyWaits() {
    open(RedisProcess.start(), LONGER);
    awaitHit(1, 1);
    server.freeze();
    assertThat(lookUpUntilBypassed(1)).containsOnly(TierOutcome.TIMED_OUT);
    List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      futures.add(start(tier, 1));
    }
    assertThat(futures).allMatch(CompletableFuture::isDone);
    server.thaw();
    awaitMode(Mode.OPEN);
    assertThat(answer(1).value()).isEqualTo(value(1, 1, 100));
  }

  @Test
  void whatWasWrittenWhileFrozenIsNeverUndone() {
    open(RedisProcess.start());
    for (int round = 1; round <= 3; round++) {
      awaitHit(1, 10 * round);
      awaitHit(2, 10 * round);
      server.freeze();
      insert(tier, 1, value(1, 10 * round + 1, 100));
      tier.erase(RemoteTiers.HI, 2);
      assertThat(lookup(tier, 1).isHit()).isFalse();
      assertThat(lookup(tier, 2).isHit()).isFalse();
      server.thaw();
      awaitMode(Mode.OPEN);
      TierResult<byte[]> newest = lookup(tier, 1);
      assertThat(newest.value()).isIn(null, value(1, 10 * round + 1, 100));
      assertThat(lookup(tier, 2).isHit()).isFalse();
    }
  }

  @Test
  void serverMayComeLater() {
    open(RedisProcess.notStarted());
    assertThat(tier.state().mode()).isEqualTo(Mode.BYPASS);
    assertThat(lookup(tier, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    assertThat(insert(tier, 1, value(1, 1, 100))).isFalse();
    server.restart();
    awaitMode(Mode.OPEN);
    awaitHit(1, 2);
  }

  @Test
  void fullServerIsReadOnlyUntilThereIsRoom() {
    open(RedisProcess.start("--maxmemory-policy", "noeviction"));
    awaitHit(1, 1);
    var commands = server.commands();
    commands.configSet("maxmemory", "1");
    AtomicInteger key = new AtomicInteger(1);
    // A server that stalls for a moment is bypassed first.
    TierState full =
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .atMost(TierTestLimits.SECONDS, SECONDS)
            .until(
                () -> {
                  insert(tier, key.incrementAndGet(), value(key.get(), 1, 100));
                  assertThat(lookup(tier, key.get()).isHit()).isFalse();
                  return tier.state();
                },
                state -> state.mode() == Mode.READ_ONLY);
    assertThat(full.reason()).contains("server must take values").contains("OOM");
    assertThat(answer(1).isHit()).isTrue();
    assertThat(insert(tier, 1, value(1, 2, 100))).isFalse();
    assertThat(lookup(tier, 1).isHit()).isFalse();
    commands.configSet("maxmemory", "64mb");
    awaitMode(Mode.OPEN);
    awaitHit(1, 3);
  }

  /** Null if this process stood still for as long as the server. */
  private @Nullable List<TierOutcome> pauseAndLookUp() {
    var commands = server.commands();
    long begin = System.nanoTime();
    commands.clientPause(6_000);
    return lookUpUntilBypassed(1, Duration.ofSeconds(6).minusNanos(System.nanoTime() - begin));
  }

  @Test
  void slowServerTimesOut() {
    open(RedisProcess.start(), LONGER);
    int late = 0;
    List<TierOutcome> outcomes = null;
    while (outcomes == null) {
      assertThat(late++).as("pauses of the server that went by").isLessThan(10);
      awaitHit(1, 1);
      outcomes = pauseAndLookUp();
    }
    assertThat(outcomes).containsOnly(TierOutcome.TIMED_OUT);
    awaitMode(Mode.OPEN);
    assertThat(answer(1).value()).isEqualTo(value(1, 1, 100));
  }

  @Test
  void serverThatRefusesToReadIsBypassed() {
    open(RedisProcess.start());
    awaitHit(1, 1);
    server.commands().configSet("requirepass", "secret");
    server.kill();
    server.close();
    server = RedisProcess.start("--requirepass", "secret");
    RemoteSecondaryCache stranger = connect(server.uri(), TIMEOUT);
    try (stranger) {
      assertThat(stranger.state().mode()).isEqualTo(Mode.BYPASS);
      assertThat(lookup(stranger, 1).outcome()).isEqualTo(TierOutcome.UNAVAILABLE);
    }
  }

  @Test
  void closesInTimeWithPendingLookups() {
    open(RedisProcess.start());
    awaitHit(1, 1);
    server.freeze();
    List<CompletableFuture<TierResult<byte[]>>> futures = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      futures.add(start(tier, 1));
    }
    long begin = System.nanoTime();
    tier.close();
    tier.close();
    assertThat(System.nanoTime() - begin).isLessThan(LATEST.toNanos());
    assertThat(futures).allMatch(CompletableFuture::isDone);
    assertThat(tier.state()).isEqualTo(TierState.CLOSED);
    server.thaw();
  }

  /** As when the server's machine loses its power: no answer, and no end of the connection. */
  @Test
  void connectionThatHangsIsReplaced() throws Exception {
    server = RedisProcess.start();
    try (Proxy proxy = new Proxy(server.port())) {
      // A connection is replaced after ten times as long without an answer.
      tier = connect(proxy.uri(), Duration.ofSeconds(2));
      awaitHit(1, 1);
      proxy.hang();
      assertThat(lookUpUntilBypassed(1)).containsOnly(TierOutcome.TIMED_OUT);
      awaitMode(Mode.OPEN);
      awaitHit(1, 2);
      tier.close();
    }
  }
}
