/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.hyperclock.secondary.SecondaryCache;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TierResult;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Tiers for tests, and short ways to use them. */
final class RemoteTiers {
  static final long HI = 7;

  /** Long enough for a machine that is busy. */
  static final Duration PATIENT = TierTestLimits.TIME.minusSeconds(10);

  private RemoteTiers() {}

  static String newNamespace() {
    return "test-" + UUID.randomUUID();
  }

  static LettuceRemoteStore store(RedisProcess server) {
    return LettuceRemoteStore.connect(server.uri(), PATIENT, PATIENT);
  }

  static RemoteSecondaryCacheBuilder builder(RemoteStore store) {
    return RemoteSecondaryCache.builder()
        .store(store)
        .namespace(newNamespace())
        .ttl(Duration.ofMinutes(2))
        .timeout(PATIENT)
        .probeInterval(Duration.ofMillis(50));
  }

  static boolean insert(SecondaryCache tier, long key, byte[] value) {
    return tier.insert(HI, key, value, BYTES, true);
  }

  static CompletableFuture<TierResult<byte[]>> start(SecondaryCache tier, long key) {
    return tier.lookup(TierRequest.of(HI, key, BYTES));
  }

  static TierResult<byte[]> lookup(SecondaryCache tier, long key) {
    return start(tier, key).orTimeout(2 * TierTestLimits.SECONDS, SECONDS).join();
  }

  static List<TierResult<byte[]>> lookupAll(SecondaryCache tier, long... keys) {
    List<TierRequest<byte[]>> requests =
        LongStream.of(keys).mapToObj(key -> TierRequest.<byte[]>of(HI, key, BYTES)).toList();
    return tier.lookupAll(requests).stream()
        .map(future -> future.orTimeout(2 * TierTestLimits.SECONDS, SECONDS).join())
        .toList();
  }
}
