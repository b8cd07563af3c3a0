/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.tiers;

import io.hyperclock.BlockCache;
import io.hyperclock.entry.EntryCodec;
import io.hyperclock.entry.EntryType;
import io.hyperclock.secondary.TierRequest;
import io.hyperclock.secondary.TieredBlockCache;
import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.disk.DiskSecondaryCacheBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Blocks of 16 KiB that shrink to a half, in a disk tier in a directory of its own. */
public final class StoredBlocks implements AutoCloseable {
  /** Bytes of a block. */
  public static final int BLOCK_BYTES = 16 << 10;

  /** First word of all keys; the second is the number of the block. */
  public static final long FILE = 1;

  /** Type of the blocks. */
  public static final EntryType<byte[]> BLOCK =
      EntryType.<byte[]>named("block").codec(EntryCodec.ofBytes()).build();

  private static final long PAUSE_NANOS = 1_000_000;
  private static final int CACHED_BLOCKS = 64;

  private final Path directory;
  private final int count;

  /**
   * Makes an empty directory.
   *
   * @param count of blocks that a tier has room for
   */
  public StoredBlocks(int count) throws IOException {
    this.count = count;
    this.directory = Files.createTempDirectory("hyperclock-benchmark");
  }

  /**
   * A block.
   *
   * @param number its number
   * @return new bytes, the same each time
   */
  public static byte[] block(long number) {
    SplittableRandom random = new SplittableRandom(number);
    byte[] block = new byte[BLOCK_BYTES];
    for (int i = 0; i < block.length; i += 2 * Long.BYTES) {
      long fresh = random.nextLong();
      for (int j = 0; j < Long.BYTES; j++) {
        block[i + j] = (byte) (fresh >>> 8 * j);
        block[i + Long.BYTES + j] = (byte) (number >>> j % 4 * 8);
      }
    }
    return block;
  }

  /**
   * Where the tier lives.
   *
   * @return the directory
   */
  public Path directory() {
    return directory;
  }

  /**
   * Settings of a tier with room for twice all blocks.
   *
   * @return a new builder without directory or device
   */
  public DiskSecondaryCacheBuilder tier() {
    return DiskSecondaryCache.builder()
        .capacityBytes(Math.max(64L << 20, 2L * count * BLOCK_BYTES));
  }

  /** Puts all blocks into the tier, and closes it. */
  public void fill() {
    try (DiskSecondaryCache tier = tier().directory(directory).build()) {
      for (int i = 0; i < count; i++) {
        while (!tier.insert(FILE, i, block(i), BLOCK, true)) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  /**
   * The blocks that a tier has: where two keys are alike in its index, one of them goes.
   *
   * @param tier that was filled
   * @return their numbers
   */
  public int[] present(DiskSecondaryCache tier) {
    int[] numbers =
        IntStream.range(0, count)
            .filter(i -> tier.lookupNow(TierRequest.of(FILE, i, BLOCK)).isHit())
            .toArray();
    if (numbers.length < count * 0.9) {
      throw new IllegalStateException("the tier must have room: found=" + numbers.length);
    }
    return numbers;
  }

  /**
   * A cache that is so small that nearly every lookup asks the tier.
   *
   * @param tier closed with it
   * @return a new cache
   */
  public static TieredBlockCache<byte[]> smallCache(DiskSecondaryCache tier) {
    return TieredBlockCache.builder(
            BlockCache.<byte[]>builder()
                .capacityBytes((long) CACHED_BLOCKS * BLOCK_BYTES)
                .estimatedEntryCharge(BLOCK_BYTES))
        .tier(tier)
        .build();
  }

  /** Deletes the directory. */
  @Override
  public void close() throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
