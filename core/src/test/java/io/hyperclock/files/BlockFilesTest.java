/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.Handle;
import io.hyperclock.entry.EntryType;
import io.hyperclock.entry.FileKey;
import io.hyperclock.memory.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockFilesTest {
  private final TestSource source = new TestSource(100_000);
  private final BlockFiles files =
      BlockFiles.builder().capacityBytes(1 << 20).blockBytes(1024).build();

  @AfterEach
  void nothingLeaks() throws Exception {
    files.close();
    TestSource.assertAllBack(files);
  }

  private CachedFile open() throws IOException {
    return files.open(FileKey.unique(), source);
  }

  @Test
  void blocksGoBackToThePoolWhateverTypeTheCacheIsGiven() throws Exception {
    BlockFiles typed =
        BlockFiles.builder()
            .capacityBytes(1 << 20)
            .cache(settings -> settings.defaultType(EntryType.of("other")))
            .build();
    try (typed;
        CachedFile file = typed.open("typed", source)) {
      assertThat(file.cursor().readLong(5)).isEqualTo(source.longAt(5));
      assertThat(typed.pool().outstanding()).isPositive();
    }
    TestSource.assertAllBack(typed);
  }

  @Test
  void everythingReadIsRightInAllModes() throws IOException {
    CachedFile file = open();
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (ReadMode mode : ReadMode.values()) {
      Cursor cursor = file.cursor(mode);
      for (int i = 0; i < 3000; i++) {
        long at = random.nextInt(100_000 - 8);
        int count = random.nextInt(Math.min(5000, 100_000 - (int) at));
        switch (random.nextInt(7)) {
          case 0 -> assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
          case 1 -> assertThat(cursor.readShort(at)).isEqualTo((short) source.longAt(at));
          case 2 -> assertThat(cursor.readInt(at)).isEqualTo((int) source.longAt(at));
          case 3 ->
              assertThat(cursor.readLong(at)).as("%s %d", mode, seed).isEqualTo(source.longAt(at));
          case 4 -> {
            byte[] read = new byte[count + 3];
            cursor.read(at, read, 2, count);
            byte[] expected = new byte[count + 3];
            System.arraycopy(source.bytes(at, count), 0, expected, 2, count);
            assertThat(read).isEqualTo(expected);
          }
          case 5 -> {
            long[] read = new long[count / 8];
            cursor.read(at, read, 0, read.length);
            for (int k = 0; k < read.length; k++) {
              assertThat(read[k]).isEqualTo(source.longAt(at + 8L * k));
            }
          }
          default -> {
            int[] read = new int[count / 4];
            cursor.read(at, read, 0, read.length);
            for (int k = 0; k < read.length; k++) {
              assertThat(read[k]).isEqualTo((int) source.longAt(at + 4L * k));
            }
          }
        }
      }
    }
  }

  @Test
  void aPartIsReadFromItsOwnBeginningToItsEnd() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    CachedFile file = open();
    for (ReadMode mode : ReadMode.values()) {
      Cursor whole = file.cursor(mode);
      for (int i = 0; i < 500; i++) {
        whole.readByte(random.nextInt(100_000));
        int from = random.nextInt(90_000);
        int count = 8 + random.nextInt(5000);
        Cursor part = whole.part(from, count);
        assertThat(part.length()).isEqualTo(count);
        int inner = random.nextInt(count - 7);
        Cursor last = part.part(inner, count - inner);
        assertThat(last.readLong(0)).as("seed %d", seed).isEqualTo(source.longAt(from + inner));
        assertThat(last.copy().readLong(0)).isEqualTo(source.longAt(from + inner));
        assertThat(part.readByte(count - 1)).isEqualTo(source.at(from + count - 1));
        assertThat(part.readInt(count - 4)).isEqualTo((int) source.longAt(from + count - 4));
        byte[] read = new byte[count];
        part.read(0, read, 0, count);
        assertThat(read).isEqualTo(source.bytes(from, count));
        assertThatThrownBy(() -> part.readByte(count)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> part.readByte(-1)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> part.readLong(count - 7)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> part.readLong(-1)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> part.read(1, new long[count / 8], 0, count / 8 + 1))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
    Cursor cursor = file.cursor();
    assertThatThrownBy(() -> cursor.part(-1, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.part(5, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.part(99_999, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.part(100_000, 0).readByte(0)).isInstanceOf(EOFException.class);
  }

  @Test
  void aPartFarInFrontOfTheBlockItStartsInEndsWhereItEnds() throws IOException {
    long far = 3L << 30;
    TestSource large = new TestSource(far + 4096);
    Cursor cursor = files.open(FileKey.unique(), large).cursor();
    assertThat(cursor.readByte(far)).isEqualTo(large.at(far));
    Cursor part = cursor.part(0, 100);
    assertThatThrownBy(() -> part.readByte(far)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> part.readLong(far + 2000)).isInstanceOf(EOFException.class);
    assertThat(part.readByte(99)).isEqualTo(large.at(99));
  }

  @Test
  void eachBlockIsReadOnceAndFoundFromThenOn() throws IOException {
    CachedFile file = open();
    Cursor cursor = file.cursor();
    for (int round = 0; round < 3; round++) {
      for (long at = 0; at < 100_000; at += 512) {
        assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
      }
    }
    assertThat(source.reads).hasValue(98);
    assertThat(source.bytes).hasValue(100_000);
    FileStats stats = file.stats();
    assertThat(stats.misses()).isEqualTo(98);
    assertThat(stats.hits()).isEqualTo(2 * 98);
    assertThat(stats.sourceReads()).isEqualTo(98);
    assertThat(stats.sourceBytes()).isEqualTo(100_000);
    file.close();
    assertThat(files.stats()).isEqualTo(stats);
  }

  @Test
  void numbersReadInManyBlocksAreRightAndEachMoveIsOneHit() throws IOException {
    CachedFile file = open();
    file.cursor().read(0, new byte[100_000], 0, 100_000);
    long before = file.stats().hits();
    Cursor cursor = file.cursor();
    for (int round = 0; round < 2; round++) {
      for (long at = 0; at < 97 * 1024; at += 1024) {
        for (long in = 0; in < 1016; in += 127) {
          assertThat(cursor.readLong(at + in)).isEqualTo(source.longAt(at + in));
          assertThat(cursor.readInt(at + in)).isEqualTo((int) source.longAt(at + in));
        }
        assertThat(cursor.readShort(at + 1022)).isEqualTo((short) source.longAt(at + 1022));
      }
    }
    assertThat(file.stats().hits() - before).isEqualTo(2 * 97);
    long[] blocks = {0, 5, 0, 5, 9, 0};
    before = file.stats().hits();
    for (long block : blocks) {
      assertThat(cursor.readLong(block * 1024 + 8)).isEqualTo(source.longAt(block * 1024 + 8));
    }
    assertThat(file.stats().hits() - before).isEqualTo(blocks.length);
    assertThat(cursor.readLong(1020)).as("in two blocks").isEqualTo(source.longAt(1020));
  }

  @Test
  void neighboursThatAreMissingAreReadTogether() throws IOException {
    CachedFile file = open();
    Cursor cursor = file.cursor();
    cursor.readByte(5 * 1024);
    source.reads.set(0);
    byte[] read = new byte[10 * 1024];
    cursor.read(1024, read, 0, read.length);
    assertThat(read).isEqualTo(source.bytes(1024, read.length));
    assertThat(source.reads).as("up to block 5, and behind it").hasValue(2);
    assertThat(source.pieces).allSatisfy((piece, times) -> assertThat(times).isEqualTo(1));
    assertThat(file.stats().blocksAhead()).isEqualTo(3 + 4);
  }

  @Test
  void readAheadIsForSourcesThatAskForIt() throws IOException {
    source.readAhead = 16 * 1024;
    Cursor cursor = open().cursor();
    for (long at = 0; at < 100_000; at += 512) {
      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
    }
    assertThat(source.reads.get()).isLessThan(15);
    assertThat(source.pieces)
        .hasSize(98)
        .allSatisfy((piece, times) -> assertThat(times).isEqualTo(1));
  }

  @ParameterizedTest
  @EnumSource(
      value = ReadMode.class,
      names = {"NO_ADMIT", "BYPASS"})
  void aScanReadsAsMuchAtATimeAsItsSourceWants(ReadMode mode) throws IOException {
    source.length = 4 << 20;
    source.readAhead = 256 << 10;
    Cursor cursor = open().cursor(mode);
    for (long at = 0; at < source.length; at += 512) {
      assertThat(cursor.readByte(at)).isEqualTo(source.at(at));
    }
    assertThat(source.reads.get()).isLessThan(30);
    assertThat(source.bytes).hasValue(source.length);
    source.bytes.set(0);
    for (int jump = 50; jump > 0; jump--) {
      int at = jump * (64 << 10);
      cursor.readByte(at);
      cursor.readByte(at + 1024);
    }
    assertThat(source.bytes.get()).as("after each jump").isLessThanOrEqualTo(50 * 3 * 1024);
  }

  @Test
  void modesSayWhatBecomesOfBlocks() throws IOException {
    CachedFile file = open();
    Cursor bypass = file.cursor(ReadMode.BYPASS);
    Cursor scan = file.cursor(ReadMode.NO_ADMIT);
    for (long at = 0; at < 100_000; at += 512) {
      assertThat(bypass.readByte(at)).isEqualTo(source.at(at));
      assertThat(scan.readByte(at)).isEqualTo(source.at(at));
    }
    assertThat(files.cache().monitor().occupancy()).isZero();
    assertThat(source.reads.get()).as("more at a time in order").isLessThan(20);
    file.cursor().readByte(3000);
    source.reads.set(0);
    file.cursor(ReadMode.NO_ADMIT).readByte(3000);
    assertThat(source.reads).hasValue(0);
    file.cursor(ReadMode.BYPASS).readByte(3000);
    assertThat(source.reads).hasValue(1);
  }

  @Test
  void readsOutsideTheFileAreRefused() throws IOException {
    CachedFile file = open();
    for (ReadMode mode : ReadMode.values()) {
      Cursor cursor = file.cursor(mode);
      assertThat(cursor.readByte(99_999)).isEqualTo(source.at(99_999));
      assertThatThrownBy(() -> cursor.readByte(100_000)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.readByte(-1)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.readShort(99_999)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.readInt(99_997)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.readLong(99_993)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.readLong(Long.MAX_VALUE)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.readByte(Long.MIN_VALUE)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.read(99_000, new byte[2000], 0, 2000))
          .isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.read(-5, new long[2], 0, 2)).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> cursor.read(0, new byte[2], 1, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      cursor.read(100_000, new byte[0], 0, 0);
    }
    assertThatThrownBy(() -> file.pin(100_000)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> file.pin(-1)).isInstanceOf(EOFException.class);
    assertThat(file.prefetch(-10, Long.MAX_VALUE)).isFalse();
  }

  @Test
  void anEmptyFileHasNothingToRead() throws IOException {
    source.length = 0;
    CachedFile file = open();
    assertThat(file.length()).isZero();
    assertThatThrownBy(() -> file.cursor().readByte(0)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> file.pin(0)).isInstanceOf(EOFException.class);
    assertThat(file.prefetch(0, 10)).isFalse();
    assertThat(source.reads).hasValue(0);
  }

  @Test
  void pinsHoldWhileTheirBlockIsDropped() throws IOException {
    CachedFile file = open();
    try (Handle<PooledBuffer> pin = file.pin(2500)) {
      files.cache().erase(pin.keyHi(), pin.keyLo());
      assertThat(file.offsetInBlock(2500)).isEqualTo(452);
      assertThat(pin.value().bytes().get(452)).isEqualTo(source.at(2500));
      assertThat(pin.value().isValid()).isTrue();
    }
    assertThat(files.pool().outstanding()).isZero();
  }

  @Test
  void cursorsHoldNothing() throws IOException {
    CachedFile file = open();
    List<Cursor> cursors = new ArrayList<>();
    for (long at = 0; at < 100_000; at += 1024) {
      Cursor cursor = file.cursor();
      cursor.readByte(at);
      cursors.add(cursor.copy());
      cursors.add(cursor);
    }
    files.cache().eraseUnreferenced();
    assertThat(files.pool().outstanding()).isZero();
    for (int i = 0; i < cursors.size(); i++) {
      long at = i / 2 * 1024L + 3;
      assertThat(cursors.get(i).readByte(at)).isEqualTo(source.at(at));
    }
  }

  @Test
  void aFileIsFoundAgainByItsNameAndDroppedAtOnce() throws IOException {
    CachedFile first = files.open("name", source);
    first.cursor().readByte(0);
    first.close();
    assertThat(source.closes).hasValue(1);
    TestSource again = new TestSource(100_000);
    CachedFile second = files.open("name", again);
    assertThat(second.cursor().readByte(1)).isEqualTo(source.at(1));
    assertThat(again.reads).hasValue(0);
    files.dropAll(List.of(second.key()));
    assertThat(files.cache().fileKeys().isDropped(second.key().hi())).isTrue();
  }

  @Test
  void anIdentityUsedForAnotherLengthFindsNoBlockOfTheWrongSize() throws IOException {
    files.open("name", source).cursor().readByte(99_999);
    TestSource shorter = new TestSource(99_500, 7);
    Cursor cursor = files.open("name", shorter).cursor();
    assertThat(cursor.readByte(99_499)).isEqualTo(shorter.at(99_499));
    assertThatThrownBy(() -> cursor.readByte(99_500)).isInstanceOf(EOFException.class);
  }

  @Test
  void aChannelIsASource(@TempDir Path dir) throws IOException {
    Path path = Files.write(dir.resolve("file"), source.bytes(0, 50_000));
    try (CachedFile file = files.open("file", BlockSource.of(FileChannel.open(path)))) {
      byte[] read = new byte[50_000];
      file.cursor().read(0, read, 0, read.length);
      assertThat(read).isEqualTo(source.bytes(0, 50_000));
    }
  }

  @Test
  void openingAfterCloseIsRefusedAndTheSourceClosed() throws IOException {
    CachedFile before = open();
    Cursor cursor = before.cursor();
    files.close();
    assertThat(source.closes).hasValue(1);
    assertThatThrownBy(() -> open()).isInstanceOf(IllegalStateException.class);
    assertThat(source.closes).hasValue(2);
    assertThatThrownBy(() -> cursor.readByte(0)).isInstanceOf(IllegalStateException.class);
    before.close();
    assertThat(source.closes).hasValue(2);
    files.drop(before.key());
  }

  @Test
  void anErrorOfASourceKeepsNeitherFilesNorTheCacheOpen() throws IOException {
    Error failure = new AssertionError("broken");
    BlockSource broken =
        new TestSource(0) {
          @Override
          public void close() {
            throw failure;
          }
        };
    files.open("broken", broken);
    open();
    assertThatThrownBy(files::close).isSameAs(failure);
    assertThat(source.closes).hasValue(1);
    assertThatThrownBy(() -> files.cache().openScope()).hasMessageContaining("closed");
  }
}
