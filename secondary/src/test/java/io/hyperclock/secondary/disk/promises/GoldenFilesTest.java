/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.secondary.disk.promises;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.secondary.disk.DiskSecondaryCache;
import io.hyperclock.secondary.testing.DiskWriters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P8: what a released format wrote is served, and what is written now is of that format. A change
 * of the bytes needs a new number of the format and new golden files.
 */
class GoldenFilesTest {
  private static final String[] FILES = {"data", "index.snap"};

  /** Where the index begins in a snapshot of six regions. */
  private static final int INDEX_AT = 64 + 6 * 16;

  @TempDir private Path scratch;
  @RegisterExtension final DiskWriters writers = new DiskWriters();

  static byte[] golden(String format, String file) throws IOException {
    String name = "/disk-format/" + format + "/" + file;
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {GoldenStore.PLAIN, GoldenStore.SIGNED})
  void goldenFilesAreServedWarm(String format) throws IOException {
    for (String file : FILES) {
      Files.write(scratch.resolve(file), golden(format, file));
    }
    for (int life = 0; life < 3; life++) {
      try (DiskSecondaryCache tier = GoldenStore.settings(scratch, format).build()) {
        assertThat(tier.diskStats().warmStart()).as(tier.diskStats().start()).isTrue();
        GoldenStore.check(tier);
      }
      writers.awaitEnd();
    }
  }

  /**
   * All but what is different in each store: its incarnation and epoch, the checksums and codes
   * over them, and the index, in which keys stand where the epoch puts them.
   */
  @ParameterizedTest
  @ValueSource(strings = {GoldenStore.PLAIN, GoldenStore.SIGNED})
  void theSameStoreIsTheSameBytes(String format) throws IOException {
    for (String file : FILES) {
      byte[] expected = golden(format, file);
      int pinned = file.equals("data") ? expected.length : INDEX_AT;
      byte[] first = written(0, format, file);
      BitSet differs = new BitSet();
      for (int store = 1; store < 8; store++) {
        byte[] other = written(store, format, file);
        assertThat(other).as(file).hasSameSizeAs(first);
        for (int i = 0; i < first.length; i++) {
          if (first[i] != other[i]) {
            differs.set(i);
          }
        }
      }
      assertThat(expected).as(file).hasSameSizeAs(first);
      for (int i = 0; i < pinned; i++) {
        if (!differs.get(i)) {
          assertThat(expected[i]).as("byte of %s: position=%d", file, i).isEqualTo(first[i]);
        }
      }
      System.out.println(
          "GoldenFilesTest: %s %s bytes=%d, pinned=%d"
              .formatted(
                  format, file, first.length, pinned - differs.get(0, pinned).cardinality()));
      assertThat(differs.get(0, pinned).cardinality())
          .as("not pinned")
          .isLessThan(format.equals(GoldenStore.PLAIN) ? 200 : 500);
    }
  }

  private byte[] written(int store, String format, String file) throws IOException {
    Path directory = scratch.resolve(file + "-of-store-" + store);
    GoldenStore.write(directory, format);
    writers.awaitEnd();
    return Files.readAllBytes(directory.resolve(file));
  }
}
