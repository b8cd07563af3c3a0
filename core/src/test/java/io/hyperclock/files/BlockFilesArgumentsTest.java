/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperclock.entry.FileKey;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Arguments that are refused, and how the refusal reads. */
@SuppressWarnings("NullAway")
class BlockFilesArgumentsTest {
  private static void refusesNull(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(name + " must not be null");
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> BlockFiles.builder().blockBytes(1000))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BlockFiles.builder().blockBytes(128 << 10))
        .isInstanceOf(IllegalArgumentException.class);
    for (long capacity : new long[] {Long.MIN_VALUE, 1023, (1L << 62) + 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> BlockFiles.builder().capacityBytes(capacity))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "capacityBytes must be in [1024, 4611686018427387904]: capacityBytes=" + capacity);
    }
    assertThatThrownBy(() -> BlockFiles.builder().prefetcher(Runnable::run, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The pool would be too small for it, or too large. */
  @Test
  void aCapacityOfTheCacheAloneIsRefused() throws IOException {
    BlockFiles.Builder builder = BlockFiles.builder().capacityBytes(1 << 20);
    builder.cache(cache -> cache.capacityBytes(1 << 22));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "capacityBytes must be set at the builder of the files: capacityBytes=1048576,"
                + " capacityBytes of the cache=4194304");
    try (BlockFiles files = builder.cache(cache -> cache.capacityBytes(1 << 20)).build()) {
      assertThat(files.cache().monitor().capacityBytes()).isEqualTo(1 << 20);
    }
  }

  @Test
  void nullSettingsAreRefusedByName() {
    BlockFiles.Builder builder = BlockFiles.builder();
    refusesNull("executor", () -> builder.prefetcher(null, 1));
    refusesNull("settings", () -> builder.cache(null));
    builder.cache(settings -> null);
    refusesNull("what settings returns", builder::build);
  }

  @Test
  void aNullIdentityIsRefusedByNameAndTheSourceClosed() throws IOException {
    TestSource source = new TestSource(1000);
    try (BlockFiles files = BlockFiles.builder().build()) {
      refusesNull("name", () -> files.open((String) null, source));
      assertThat(source.closes).hasValue(1);
      refusesNull("key", () -> files.open((FileKey) null, source));
      assertThat(source.closes).hasValue(2);
      assertThat(files).asString().contains("open=0");
    }
  }

  @Test
  void droppingNullIsRefusedByName() throws IOException {
    FileKey one = FileKey.of("one");
    try (BlockFiles files = BlockFiles.builder().build()) {
      refusesNull("key", () -> files.drop(null));
      refusesNull("keys", () -> files.dropAll(null));
      refusesNull("file", () -> files.dropAll(Arrays.asList(one, null)));
      assertThat(files.cache().fileKeys().isDropped(one.hi())).isTrue();
    }
  }

  @Test
  void theLargestPositionsAreOutsideOfTheShortestFiles() throws IOException {
    try (BlockFiles files = BlockFiles.builder().build()) {
      // Its block is before the others: what was read of it would pass for a number of theirs.
      files.open("before", new TestSource(1000)).cursor().readByte(0);
      for (int length = 0; length <= Long.BYTES; length++) {
        CachedFile file = files.open("of " + length, new TestSource(length));
        for (ReadMode mode : ReadMode.values()) {
          Cursor fresh = file.cursor(mode);
          Cursor moved = file.cursor(mode);
          if (length > 0) {
            moved.readByte(0);
          }
          refusesTheLargestPositions(fresh);
          refusesTheLargestPositions(moved);
          refusesTheLargestPositions(moved.part(length / 2, length - length / 2));
        }
      }
    }
  }

  private static void refusesTheLargestPositions(Cursor cursor) {
    for (long position = Long.MAX_VALUE - Long.BYTES; position > 0; position++) {
      long at = position;
      for (ThrowingCallable read :
          List.<ThrowingCallable>of(
              () -> cursor.readByte(at),
              () -> cursor.readShort(at),
              () -> cursor.readInt(at),
              () -> cursor.readLong(at))) {
        assertThatThrownBy(read).isInstanceOf(EOFException.class);
      }
    }
  }
}
