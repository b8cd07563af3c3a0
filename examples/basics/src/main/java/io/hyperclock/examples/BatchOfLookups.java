/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.Priority;
import io.hyperclock.secondary.AdmissionPolicy;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import java.nio.ByteBuffer;
import java.util.List;

/** A cache of a megabyte with a compressed tier below it, and batches of lookups over both. */
public final class BatchOfLookups {
  private static final int BLOCK = 4096;
  private static final int BATCH = 32;
  private static final FileKey FILE = FileKey.of("db", 1);

  private static final EntryType<byte[]> TYPE =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  private BatchOfLookups() {}

  /**
   * Reads 1,000 blocks twice, in batches, and prints how many of the second pass were cached.
   *
   * @param args none
   */
  public static void main(String[] args) {
    System.out.println(foundAgain(1_000) + " of 1000 blocks found again in one megabyte");
  }

  static int foundAgain(int blocks) {
    CompressedSecondaryCache compressed =
        CompressedSecondaryCache.builder()
            .capacityBytes(512 << 10)
            .estimatedEntryCharge(BLOCK / 8)
            .build();
    try (TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(
                BlockCache.<byte[]>builder().capacityBytes(512 << 10).estimatedEntryCharge(BLOCK))
            .tier(compressed)
            .admission(AdmissionPolicy.ALL)
            .executor(Runnable::run)
            .build()) {
      readAll(cache, blocks);
      return readAll(cache, blocks);
    }
  }

  private static int readAll(TieredBlockCache<byte[]> cache, int blocks) {
    int found = 0;
    for (int from = 0; from < blocks; from += BATCH) {
      long[] keys = new long[2 * Math.min(BATCH, blocks - from)];
      for (int i = 0; i < keys.length; i += 2) {
        keys[i] = FILE.hi();
        keys[i + 1] = FILE.lo(from + i / 2);
      }
      List<AsyncLookup<byte[]>> lookups = cache.startLookups(keys, TYPE, null);
      cache.waitAll(lookups);
      for (int i = 0; i < lookups.size(); i++) {
        try (Handle<byte[]> handle = lookups.get(i).await()) {
          if (handle != null) {
            found++;
          } else {
            byte[] block = readFromDisk(from + i);
            cache.insert(FILE.hi(), FILE.lo(from + i), block, TYPE, BLOCK, Priority.LOW);
          }
        }
      }
    }
    return found;
  }

  private static byte[] readFromDisk(int number) {
    byte[] block = new byte[BLOCK];
    ByteBuffer.wrap(block).putInt(number);
    return block;
  }
}
