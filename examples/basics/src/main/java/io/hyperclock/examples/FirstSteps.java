/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import io.hyperclock.BlockCache;
import io.hyperclock.BlockLoader;
import io.hyperclock.Handle;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.entry.FileKeys;
import io.hyperclock.secondary.AsyncLookup;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.compressed.CompressedSecondaryCache;
import io.hyperclock.versioned.Decision;
import io.hyperclock.versioned.PrepareMode;
import io.hyperclock.versioned.PrepareToken;
import io.hyperclock.versioned.VersionedCache;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The code in the README and on the page about tiers. Each method runs one part of it. */
final class FirstSteps {
  private static final FileKey FILE = FileKey.of("db-3f2a91c0", 123);
  private static final long FILE_BYTES = 1L << 30;

  private FirstSteps() {}

  /** Caches a block that the garbage collector frees. */
  static byte @Nullable [] read(long offset) {
    // [read]
    BlockCache<byte[]> cache = BlockCache.<byte[]>builder().capacityBytes(1L << 30).build();
    FileKeys files = cache.fileKeys();
    FileKey file = files.open("db-3f2a91c0", 123); // name and number, never used again
    byte[] block = cache.get(file.hi(), file.lo(offset), (hi, lo) -> readFromDisk(offset));
    files.drop(file); // once the file is deleted: its blocks are evicted before others
    cache.close();
    // [/read]
    return block;
  }

  /** Loads blocks of one file that go back to a pool. Made once, for all reads. */
  static BlockLoader<ByteBuffer> loader(DirectBufferPool pool) {
    // [loader]
    EntryType<ByteBuffer> type =
        EntryType.<ByteBuffer>named("native block").disposer((hi, lo, b) -> pool.give(b)).build();
    BlockLoader<ByteBuffer> loader =
        BlockLoader.of(type, ByteBuffer::capacity, (hi, lo) -> load(pool, FILE.offset(lo)));
    // [/loader]
    return loader;
  }

  /** Reads a block without losing its buffer if that fails. */
  private static ByteBuffer load(DirectBufferPool pool, long offset) throws IOException {
    ByteBuffer buffer = pool.take();
    boolean done = false;
    try {
      readInto(buffer, offset);
      done = true;
      return buffer;
    } finally {
      if (!done) {
        pool.give(buffer);
      }
    }
  }

  /** Caches a block that goes back to its pool. */
  @SuppressWarnings("NullAway") // the loader always gives a buffer
  static long pin(BlockCache<ByteBuffer> cache, BlockLoader<ByteBuffer> loader, long offset) {
    long first;
    // [pin]
    try (Handle<ByteBuffer> pin = cache.lookup(FILE.hi(), FILE.lo(offset), loader)) {
      first = pin.value().getLong(0); // cannot be evicted or freed meanwhile
    } // may be freed from here on, once
    // [/pin]
    return first;
  }

  /** Reads two blocks through a cache with a compressed tier below it. */
  static int tiers(long budget) {
    int found = 0;
    // [tiers]
    EntryType<byte[]> type = EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();
    TieredBlockCache<byte[]> cache =
        TieredBlockCache.builder(BlockCache.<byte[]>builder().capacityBytes(budget / 2))
            .tier(CompressedSecondaryCache.builder().capacityBytes(budget / 2).build())
            .build();
    byte[] first = cache.get(FILE.hi(), FILE.lo(0), type, null, (hi, lo) -> readFromDisk(0));
    // [/tiers]
    // [batch]
    List<AsyncLookup<byte[]>> batch = cache.startLookups(keys(), type, null);
    cache.waitAll(batch); // each key is read once, however many callers ask
    for (AsyncLookup<byte[]> one : batch) {
      try (Handle<byte[]> block = one.await()) { // null is a miss
        found += block == null ? 0 : block.value().length;
      }
    }
    // [/batch]
    cache.close();
    return first == null ? -1 : found;
  }

  /** A cache that shares one budget with a compressed tier, each with the part that pays. */
  static TieredBlockCache<byte[]> budget(long budget) {
    TieredBlockCache<byte[]> cache;
    // [budget]
    cache =
        TieredBlockCache.builder(BlockCache.<byte[]>builder())
            .tier(
                CompressedSecondaryCache.builder()
                    .capacityBytes(budget / 16) // to begin with
                    .maxCapacityBytes(budget) // its tables are made for it
                    .build())
            .totalCapacityBytes(budget) // also sets AdmissionPolicy.ADAPTIVE
            .build();
    // [/budget]
    return cache;
  }

  /** Prepares and commits a row. */
  static byte @Nullable [] versions(VersionedCache<byte[]> rows, long table, long id, byte[] row) {
    PrepareToken vote = rows.prepare(table, id, row, row.length, PrepareMode.PLAIN).orThrow();
    rows.get(table, id); // the committed row, as before
    if (rows.commit(vote) != Decision.OK) { // or abort
      return null; // STALE: the vote's lease had ended, so nothing is committed
    }
    return rows.get(table, id);
  }

  private static long[] keys() {
    return new long[] {FILE.hi(), FILE.lo(0), FILE.hi(), FILE.lo(1)};
  }

  private static byte[] readFromDisk(long offset) {
    return new byte[] {(byte) offset};
  }

  private static void readInto(ByteBuffer buffer, long offset) throws IOException {
    if (offset >= FILE_BYTES) {
      throw new EOFException("offset must be < " + FILE_BYTES + ": offset=" + offset);
    }
    buffer.putLong(0, offset);
  }
}
