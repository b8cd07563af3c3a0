/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.remote.RemoteTiers.HI;
import static io.hyperclock.secondary.remote.RemoteTiers.insert;
import static io.hyperclock.secondary.remote.RemoteTiers.lookup;
import static io.hyperclock.secondary.remote.RemoteTiers.lookupAll;
import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static io.hyperclock.secondary.testing.TestValues.value;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TierOutcome;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compression.Compression;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Instances that share a server and a namespace. */
class SharingTest {
  private final String namespace = RemoteTiers.newNamespace();
  private final RemoteSecondaryCache first = open(Compression.LZ4);
  private final RemoteSecondaryCache second = open(Compression.DEFLATE);

  private RemoteSecondaryCache open(Compression compression) {
    return RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared()))
        .namespace(namespace)
        .compression(compression)
        .build();
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  @Test
  void whatOnePutsTheOtherFinds() {
    insert(first, 1, value(1, 1, 4_000));
    assertThat(lookup(first, 1).isHit()).isTrue();
    assertThat(lookup(second, 1).value()).isEqualTo(value(1, 1, 4_000));
    insert(second, 1, value(1, 2, 4_000));
    assertThat(lookup(second, 1).isHit()).isTrue();
    assertThat(lookup(first, 1).value()).isEqualTo(value(1, 2, 4_000));
    first.erase(HI, 1);
    assertThat(lookup(first, 1).outcome()).isEqualTo(TierOutcome.ABSENT);
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> !lookup(second, 1).isHit());
  }

  @Test
  void afterCapacityZeroOnlyWhatIsNewIsGiven() {
    insert(first, 1, value(1, 1, 100));
    insert(second, 2, value(2, 1, 100));
    assertThat(lookup(second, 2).isHit()).isTrue();
    first.setCapacity(0);
    first.erase(HI, 1);
    first.setCapacity(1);
    assertThat(lookupAll(first, 1, 2)).noneMatch(result -> result.isHit());
    assertThat(first.remoteStats().distrusting()).isTrue();
    assertThat(first.remoteStats().untrusted()).isEqualTo(2);
    insert(first, 1, value(1, 2, 100));
    assertThat(lookup(first, 1).value()).isEqualTo(value(1, 2, 100));
  }

  @Test
  void lookupsTravelTogether() {
    long[] keys = LongStream.range(0, 200).toArray();
    for (long key : keys) {
      insert(first, key, value(key, 1, 100));
      assertThat(lookup(first, key).isHit()).isTrue();
    }
    long before = first.remoteStats().batches();
    assertThat(lookupAll(first, keys)).allMatch(result -> result.isHit());
    assertThat(first.remoteStats().batches() - before).isEqualTo(4);
    assertThat(first.remoteStats().batchedKeys()).isEqualTo(400);
  }

  @Test
  void largeValuesTravelInSmallerBatches() {
    int bytes = 256 << 10;
    long[] keys = LongStream.range(0, 32).toArray();
    for (long key : keys) {
      insert(second, key, value(key, 1, bytes));
      assertThat(lookup(second, key).value()).isEqualTo(value(key, 1, bytes));
    }
    long before = second.remoteStats().batches();
    assertThat(lookupAll(second, keys)).allMatch(result -> result.isHit());
    assertThat(second.remoteStats().batches() - before).isBetween(4L, 16L);
  }

  @Test
  void connectionOfTheCallersStaysOpen() {
    try (RedisProcess server = RedisProcess.start()) {
      var connection = server.commands().getStatefulConnection();
      RemoteSecondaryCache tier = RemoteTiers.builder(LettuceRemoteStore.using(connection)).build();
      insert(tier, 1, value(1, 1, 100));
      assertThat(lookup(tier, 1).isHit()).isTrue();
      tier.close();
      assertThat(connection.isOpen()).isTrue();
    }
  }

  /** A value that another process puts after this one's miss is found by this one's next lookup. */
  @Test
  void cacheAboveFindsWhatOthersPut() {
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(1 << 20).estimatedEntryCharge(1 << 10))
            .tier(first)
            .tierTimeout(TierTestLimits.TIME)
            .build()) {
      assertThat(cache.lookup(HI, 1, BYTES)).isNull();
      insert(second, 1, value(1, 1, 100));
      assertThat(lookup(second, 1).isHit()).isTrue();
      try (Handle<byte[]> handle = cache.lookup(HI, 1, BYTES)) {
        assertThat(handle.value()).isEqualTo(value(1, 1, 100));
      }
      for (long key = 10; key < 42; key++) {
        insert(second, key, value(key, 1, 100));
        assertThat(lookup(second, key).isHit()).isTrue();
      }
      long before = first.remoteStats().batches();
      List<AsyncLookup<byte[]>> lookups =
          cache.startLookups(
              LongStream.range(10, 42).flatMap(key -> LongStream.of(HI, key)).toArray(),
              BYTES,
              null);
      cache.waitAll(lookups);
      for (AsyncLookup<byte[]> lookup : lookups) {
        assertThat(lookup.await()).isNotNull().satisfies(Handle::close);
      }
      assertThat(first.remoteStats().batches() - before).isEqualTo(1);
    }
  }
}
