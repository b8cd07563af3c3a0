/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of blocks beside the cache: what it finds, forgets and tells. */
class BlockTableTest {
  private static final int BLOCKS = 128;

  private final TestSource source = new TestSource(4000 * 1024);
  private final BlockFiles files = files(ReplacementPolicy.ADAPTIVE);

  private static BlockFiles files(ReplacementPolicy policy) {
    return BlockFiles.builder()
        .capacityBytes(BLOCKS * 1024)
        .blockBytes(1024)
        .cache(settings -> settings.metadataCharge(MetadataCharge.NONE).replacementPolicy(policy))
        .build();
  }

  @AfterEach
  void nothingLeaks() throws Exception {
    files.close();
    TestSource.assertAllBack(files);
  }

  private BlockTable.Place place(CachedFile file, long start) {
    return files.table.find(file.key().hi(), file.key().lo(start));
  }

  @Test
  void aBlockThatWasReadHasAPlaceUntilItIsFreed() throws IOException {
    CachedFile file = files.open(FileKey.unique(), source);
    assertThat(place(file, 2048)).isNull();
    file.cursor().readByte(2050);
    PooledBuffer block = Objects.requireNonNull(place(file, 2048)).block;
    assertThat(block.isValid()).isTrue();
    assertThat(place(file, 1024)).isNull();
    file.cursor(ReadMode.NO_ADMIT).readByte(5000);
    assertThat(place(file, 4096)).as("of a reader that admits nothing").isNull();
    files.cache().eraseUnreferenced();
    assertThat(block.isValid()).isFalse();
    assertThat(place(file, 2048)).isNull();
    assertThat(file.cursor().readByte(2050)).isEqualTo(source.at(2050));
  }

  @Test
  void aBlockThatWasFreedBeforeItCameInIsNotKept() {
    PooledBuffer block = Objects.requireNonNull(files.pool().take(1024));
    PooledBuffer other = Objects.requireNonNull(files.pool().take(1024));
    files.table.put(1, 1024, block);
    assertThat(Objects.requireNonNull(files.table.find(1, 1024)).block).isSameAs(block);
    files.table.forget(1, 1024, other);
    assertThat(files.table.find(1, 1024)).isNotNull();
    files.pool().give(block);
    files.table.put(1, 1024, block);
    assertThat(files.table.find(1, 1024)).isNull();
    files.pool().give(other);
  }

  @Test
  void blocksOfOnePlaceAreAllFound() throws IOException {
    // Many more blocks are open than there are places; each place is of one of them at a time.
    CachedFile[] opened = new CachedFile[40];
    for (int i = 0; i < opened.length; i++) {
      opened[i] = files.open(FileKey.unique(), new TestSource(20_000, i));
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < opened.length; i++) {
        Cursor cursor = opened[i].cursor();
        for (long at = 0; at < 19_000; at += 700) {
          assertThat(cursor.readLong(at)).isEqualTo(new TestSource(20_000, i).longAt(at));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReplacementPolicy.class)
  void replacementLearnsOfUsesThatEndInTheTable(ReplacementPolicy policy) throws IOException {
    try (BlockFiles own = files(policy);
        CachedFile file = own.open(FileKey.unique(), source)) {
      Cursor hot = file.cursor();
      Cursor scan = file.cursor();
      int hotBlocks = 16;
      for (int number = hotBlocks; number < 4000; number++) {
        scan.readByte(number * 1024L);
        for (int i = 0; i < 4; i++) {
          hot.readByte((number + 5L * i) % hotBlocks * 1024);
        }
      }
      int again = 0;
      for (long piece = 0; piece < hotBlocks; piece++) {
        again += source.pieces.get(piece) - 1;
      }
      assertThat(again).as("reads of blocks in use that were evicted").isLessThan(2 * hotBlocks);
    }
  }

  @Test
  void whatIsHotIsToldOfOnceUntilBlocksAreLoaded() {
    BlockTable table = new BlockTable(320, 10);
    table.put(1, 1024, PooledBuffer.unpooled(10));
    BlockTable.Place place = Objects.requireNonNull(table.find(1, 1024));
    assertThat(table.isFirstUse(place)).as("the use that brought it in").isFalse();
    for (int i = 0; i < 10; i++) {
      table.loaded();
    }
    assertThat(table.isFirstUse(place)).isTrue();
    table.reportUse(place, files.cache());
    assertThat(table.isFirstUse(place)).isFalse();
    for (int i = 0; i < 9; i++) {
      table.loaded();
    }
    assertThat(table.isFirstUse(place)).isFalse();
    table.loaded();
    assertThat(table.isFirstUse(place)).isTrue();
  }

  @Test
  void eachBlockOfAFileHasAPlaceOfItsOwn() {
    BlockTable table = new BlockTable(320, 10);
    PooledBuffer block = PooledBuffer.unpooled(10).length(7);
    int places = 4 * 320;
    for (long number = 0; number < places; number++) {
      table.put(5, number << 10, block);
    }
    for (long number = 0; number < places; number++) {
      BlockTable.Place place = Objects.requireNonNull(table.find(5, number << 10));
      assertThat(place.block).isSameAs(block);
      assertThat(place.length).isEqualTo(7);
    }
  }

  @Test
  void aPlaceIsNotTakenForOneOfAnotherBlock() {
    BlockTable table = new BlockTable(16, 10);
    PooledBuffer block = PooledBuffer.unpooled(10);
    table.forget(1, 1024, block);
    table.put(1, 1024, block);
    for (int bit = 0; bit < Long.SIZE; bit++) {
      assertThat(table.find(1 ^ 1L << bit, 1024)).isNull();
      assertThat(table.find(1, 1024 ^ 1L << bit)).isNull();
    }
    assertThat(table.find(1, 1024)).isNotNull();
  }

  @Test
  void epochsAreShortWhereMemoryIsAndGrowAgainSlowly() {
    BlockTable table = new BlockTable(3200, 10);
    table.put(1, 1024, PooledBuffer.unpooled(10));
    assertThat(loadsOfAnEpoch(table)).isEqualTo(100);
    table.holdsOnly(32 * 64);
    int last = loadsOfAnEpoch(table);
    assertThat(last).isEqualTo(64);
    for (int i = 0; i < 5; i++) {
      int next = loadsOfAnEpoch(table);
      assertThat(next).isGreaterThan(last + 1).isLessThan(last + 5);
      last = next;
    }
    for (int i = 0; i < 20; i++) {
      last = loadsOfAnEpoch(table);
    }
    assertThat(last).isEqualTo(100);
  }

  private int loadsOfAnEpoch(BlockTable table) {
    BlockTable.Place place = Objects.requireNonNull(table.find(1, 1024));
    table.reportUse(place, files.cache());
    int loads = 0;
    while (!table.isFirstUse(place)) {
      table.loaded();
      loads++;
    }
    return loads;
  }
}
