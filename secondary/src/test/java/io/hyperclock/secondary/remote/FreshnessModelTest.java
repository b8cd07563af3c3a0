/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.value;
import static io.hyperclock.secondary.testing.TestValues.versionOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever becomes of commands, a lookup gives no value older than the last write of the key that
 * had returned when it began. More rounds: {@code -Dremote.model.rounds=2000}.
 */
class FreshnessModelTest {
  private static final int ROUNDS = Integer.getInteger("remote.model.rounds", 40);
  private static final int STEPS = 1_000;
  private static final int KEYS = 6;
  private static final int VALUE_BYTES = 32;

  private record Pending(long key, int oldest, CompletableFuture<TierResult<byte[]>> future) {}

  @ParameterizedTest
  @ValueSource(ints = {2, 1000})
  void neverGivesAnOlderValue(int maxOwedRemovals) {
    long hits = 0;
    for (int round = 0; round < ROUNDS; round++) {
      hits += run(System.nanoTime(), maxOwedRemovals);
    }
    assertThat(hits).isGreaterThan(ROUNDS);
  }

  private static long run(long seed, int maxOwedRemovals) {
    Random random = new Random(seed);
    FickleStore store = new FickleStore(random);
    int[] newest = new int[KEYS];
    long hits = 0;
    try (RemoteSecondaryCache tier =
        RemoteSecondaryCache.builder()
            .store(store)
            .namespace("model")
            .timeout(Duration.ofHours(1))
            .failuresToOpen(1_000_000)
            .probeInterval(Duration.ofMillis(1))
            .maxInFlightCommands(8)
            .maxOwedRemovals(maxOwedRemovals)
            .executor(Runnable::run)
            .build()) {
      store.orderly = false;
      List<Pending> pending = new ArrayList<>();
      for (int version = 1; version <= STEPS; version++) {
        int key = random.nextInt(KEYS);
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            tier.insert(0, key, value(key, version, VALUE_BYTES), BYTES, true);
            newest[key] = version;
          }
          case 2 -> {
            tier.erase(0, key);
            newest[key] = version;
          }
          case 3, 4 ->
              pending.add(
                  new Pending(key, newest[key], tier.lookup(TierRequest.of(0, key, BYTES))));
          default -> store.step();
        }
      }
      store.settle();
      for (Pending one : pending) {
        byte[] given = one.future.join().value();
        if (given != null) {
          hits++;
          assertThat(versionOf(one.key, given))
              .as("seed=" + seed)
              .isGreaterThanOrEqualTo(one.oldest);
        }
      }
    }
    return hits;
  }
}
