/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.testing.DiskWriters;
import io.hyperclock.secondary.testing.TierTestLimits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A disk tier filled under the keys of files, and what the next process finds there. */
class FileKeysRestartTest {
  private static final int FILES = 1_000;
  private static final int BLOCKS = 4;
  private static final int VALUE_BYTES = 256;

  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("bytes").codec(EntryCodec.ofBytes()).build();

  @TempDir Path directory;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  /** Opens a cache, once the one that was closed before has left the directory. */
  private TieredBlockCache<byte[]> open() {
    writers.awaitEnd();
    return TieredBlockCache.builder(
            BlockCache.<byte[]>builder().capacityBytes(16 << 20).estimatedEntryCharge(VALUE_BYTES))
        .tier(
            DiskSecondaryCache.builder()
                .directory(directory)
                .capacityBytes(64 << 20)
                .estimatedRecordBytes(VALUE_BYTES)
                .stallLimit(TierTestLimits.TIME)
                .build())
        .admission(AdmissionPolicy.ALL)
        .handOffEntries(FILES * BLOCKS)
        .tierTimeout(TierTestLimits.TIME)
        .build();
  }

  private static byte[] value(String database, long number, long offset) {
    byte[] value = new byte[VALUE_BYTES];
    ByteBuffer.wrap(value).putInt(database.hashCode()).putLong(number).putLong(offset);
    return value;
  }

  private static long offset(int number, int block) {
    return (long) block * VALUE_BYTES << number % 40;
  }

  private static void fill(TieredBlockCache<byte[]> cache, String database) {
    for (int number = 0; number < FILES; number++) {
      FileKey file = cache.fileKeys().open(database, number);
      for (int block = 0; block < BLOCKS; block++) {
        long offset = offset(number, block);
        byte[] value = value(database, number, offset);
        cache.insert(file.hi(), file.lo(offset), value, TYPE, VALUE_BYTES, Priority.LOW);
      }
    }
  }

  /** Moves everything down, and waits for that. */
  private static void flush(TieredBlockCache<byte[]> cache) {
    cache.setCapacityBytes(1);
    await().atMost(TierTestLimits.SECONDS, SECONDS).until(() -> cache.stats().pendingOffers() == 0);
  }

  /** Opens files and counts the blocks found, which must be the right ones. */
  private static int found(TieredBlockCache<byte[]> cache, String database, IntPredicate numbers) {
    int found = 0;
    for (int number = FILES - 1; number >= 0; number--) {
      if (!numbers.test(number)) {
        continue;
      }
      FileKey file = cache.fileKeys().open(database, number);
      for (int block = 0; block < BLOCKS; block++) {
        long offset = offset(number, block);
        try (Handle<byte[]> handle = cache.lookup(file.hi(), file.lo(offset), TYPE)) {
          if (handle != null) {
            assertThat(handle.value()).isEqualTo(value(database, number, offset));
            found++;
          }
        }
      }
    }
    return found;
  }

  /** All but a few: where two keys have one fingerprint, the tier forgets one of the blocks. */
  private static int kept(TieredBlockCache<byte[]> cache, int blocks, IntPredicate numbers) {
    flush(cache);
    int kept = found(cache, "db-1", numbers);
    assertThat(kept).isBetween(blocks * 99 / 100, blocks);
    return kept;
  }

  @Test
  void allBlocksOfAllFilesComeBack() {
    int kept;
    try (TieredBlockCache<byte[]> cache = open()) {
      fill(cache, "db-1");
      kept = kept(cache, FILES * BLOCKS, number -> true);
    }
    try (TieredBlockCache<byte[]> cache = open()) {
      assertThat(found(cache, "db-1", number -> true)).isEqualTo(kept);
      assertThat(found(cache, "db-2", number -> true)).as("another database").isZero();
    }
  }

  /** Blocks of dropped files do not move down; a file opened again is as others, and comes back. */
  @Test
  void droppedFilesAreLeftBehindUnlessOpenedAgain() {
    int kept;
    try (TieredBlockCache<byte[]> cache = open()) {
      fill(cache, "db-1");
      for (int number = 0; number < FILES; number++) {
        cache.fileKeys().drop(FileKey.of("db-1", number));
      }
      for (int number = 0; number < FILES; number += 2) {
        cache.fileKeys().open("db-1", number);
      }
      kept = kept(cache, FILES / 2 * BLOCKS, number -> number % 2 == 0);
    }
    try (TieredBlockCache<byte[]> cache = open()) {
      assertThat(found(cache, "db-1", number -> number % 2 == 1)).isZero();
      assertThat(found(cache, "db-1", number -> number % 2 == 0)).isEqualTo(kept);
    }
  }
}
