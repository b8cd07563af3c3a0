/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.remote;

import static io.hyperclock.secondary.testing.TestValues.BYTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Caches that share a server, each of which opens files in an order of its own. */
class SharedFilesTest {
  private static final int FILES = 100;
  private static final int BLOCKS = 5;
  private static final int VALUE_BYTES = 64;

  private final String namespace = RemoteTiers.newNamespace();

  /** One of the caches, with its tier. */
  private final class Instance implements AutoCloseable {
    private final RemoteSecondaryCache remote =
        RemoteTiers.builder(RemoteTiers.store(RedisProcess.shared()))
            .namespace(namespace)
            .maxInFlightCommands(4 * FILES * BLOCKS)
            .build();
    private final TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder()
                    .capacityBytes(4 << 20)
                    .estimatedEntryCharge(VALUE_BYTES))
            .tier(remote)
            .admission(AdmissionPolicy.ALL)
            .handOffEntries(FILES * BLOCKS)
            .tierTimeout(TierTestLimits.TIME)
            .build();

    /** Fills the server with the blocks of some files. */
    void share(String database, int from, int step) {
      for (int number = from; number >= 0 && number < FILES; number += step) {
        FileKey file = cache.fileKeys().open(database, number);
        for (int block = 0; block < BLOCKS; block++) {
          byte[] value = value(database, number, block);
          cache.insert(file.hi(), file.lo(block), value, BYTES, VALUE_BYTES, Priority.LOW);
        }
      }
      cache.setCapacityBytes(1);
      await()
          .atMost(TierTestLimits.SECONDS, SECONDS)
          .until(
              () ->
                  cache.stats().pendingOffers() == 0
                      && remote.remoteStats().commandsInFlight() == 0);
    }

    /** Blocks of a database that are found; each must be the right one. */
    int found(String database) {
      long[] keys = new long[2 * FILES * BLOCKS];
      List<byte[]> expected = new ArrayList<>();
      for (int number = 0; number < FILES; number++) {
        FileKey file = cache.fileKeys().open(database, number);
        for (int block = 0; block < BLOCKS; block++) {
          keys[2 * expected.size()] = file.hi();
          keys[2 * expected.size() + 1] = file.lo(block);
          expected.add(value(database, number, block));
        }
      }
      List<AsyncLookup<byte[]>> lookups = cache.startLookups(keys, BYTES, null);
      cache.waitAll(lookups);
      int found = 0;
      for (int i = 0; i < lookups.size(); i++) {
        try (Handle<byte[]> handle = lookups.get(i).await()) {
          if (handle != null) {
            assertThat(handle.value()).isEqualTo(expected.get(i));
            found++;
          }
        }
      }
      return found;
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  private static byte[] value(String database, int number, int block) {
    byte[] value = new byte[VALUE_BYTES];
    ByteBuffer.wrap(value).putInt(database.hashCode()).putInt(number).putInt(block);
    return value;
  }

  @Test
  void blocksOfTheSameFilesAreSharedAndOfOthersNever() {
    try (Instance first = new Instance();
        Instance second = new Instance()) {
      first.share("db-1", 0, 1);
      assertThat(second.found("db-1")).isEqualTo(FILES * BLOCKS);
      assertThat(second.found("db-2")).isZero();
      second.share("db-2", FILES - 1, -1);
      assertThat(first.found("db-2")).isEqualTo(FILES * BLOCKS);
      assertThat(first.found("db-1")).isEqualTo(FILES * BLOCKS);
    }
  }
}
