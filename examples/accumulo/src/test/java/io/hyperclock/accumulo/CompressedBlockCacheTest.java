/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.accumulo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperclock.entry.EntryRole;
import io.hyperclock.secondary.testing.DiskWriters;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same with a compressed tier below. */
class CompressedBlockCacheTest extends HyperClockBlockCacheTest {
  private static final int BLOCKS = 600;

  private final DiskWriters writers = new DiskWriters();

  @Override
  HyperClockBlockCache open(long maxBytes, long entryBytes) {
    return new HyperClockBlockCache(maxBytes, entryBytes, EntryRole.DATA_BLOCK, 0.5);
  }

  /** Half of it is the primary's. */
  @Override
  long largestPart(long maxBytes) {
    return maxBytes / 2;
  }

  @Test
  void findsMoreOfWhatShrinks() {
    long plain = hits(new HyperClockBlockCache(1 << 20, 4096, EntryRole.DATA_BLOCK));
    long compressed = 0;
    // Blocks that move down faster than a thread takes them are lost, where it finds no processor.
    for (int i = 0; i < 5 && compressed <= plain * 5 / 4; i++) {
      compressed = hits(open(1 << 20, 4096));
    }
    assertThat(compressed).isGreaterThan(plain * 5 / 4);
  }

  private static long hits(HyperClockBlockCache cache) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      int number = random.nextInt(BLOCKS);
      byte[] expected = block(number);
      assertThat(cache.getBlock("f+" + number, TestLoader.ofBytes(expected)).getBuffer())
          .isEqualTo(expected);
    }
    return cache.getStats().hitCount();
  }

  /** Shrinks to about a quarter. */
  private static byte[] block(int number) {
    byte[] block = new byte[4096];
    new Random(number).nextBytes(block);
    Arrays.fill(block, 1024, block.length, (byte) number);
    return block;
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1, Double.NaN})
  void refusesAShareThatLeavesNothing(double share) {
    assertThatThrownBy(() -> new HyperClockBlockCache(1 << 20, 4096, EntryRole.DATA_BLOCK, share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("compressedShare must be in [0, 1): compressedShare=" + share);
  }

  @Test
  void aCacheThatCannotBeMadeLeavesItsDirectoryToTheNext(@TempDir Path directory) {
    DiskSpace disk = new DiskSpace(directory, DiskSpace.MIN_BYTES);
    EntryRole role = EntryRole.DATA_BLOCK;
    long tooMuch = 16 * Runtime.getRuntime().maxMemory();
    assertThatThrownBy(() -> new HyperClockBlockCache(tooMuch, 100, role, 0.0001, disk))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slots must fit into the heap");

    // Where the disk is slow, a writer keeps its directory for a while after the close.
    HyperClockBlockCache next =
        await()
            .atMost(60, TimeUnit.SECONDS)
            .ignoreException(IllegalStateException.class)
            .until(() -> new HyperClockBlockCache(1 << 20, 4096, role, 0.5, disk), any -> true);
    next.cacheBlock("f+0", new byte[] {1});
    assertThat(next.getBlock("f+0").getBuffer()).containsExactly(1);
    next.clear();
    writers.awaitEnd();
  }
}
