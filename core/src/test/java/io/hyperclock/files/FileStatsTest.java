/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.entry.FileKey;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class FileStatsTest {
  private static final int FILES = 20_000;
  private static final int BYTES = 8;

  @Test
  void theSumsNeverGoBackWhileFilesAreClosed() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (BlockFiles files = BlockFiles.builder().capacityBytes(1 << 20).blockBytes(1024).build()) {
      Future<?> closes =
          thread.submit(
              () -> {
                for (int i = 0; i < FILES; i++) {
                  try (CachedFile file = files.open(FileKey.unique(), new TestSource(BYTES))) {
                    file.cursor().readByte(0);
                  }
                }
                return null;
              });
      long before = 0;
      while (!closes.isDone()) {
        long bytes = files.stats().sourceBytes();
        assertThat(bytes).isGreaterThanOrEqualTo(before);
        before = bytes;
      }
      closes.get();
      assertThat(files.stats().sourceBytes()).isEqualTo((long) FILES * BYTES);
    } finally {
      thread.shutdownNow();
    }
  }
}
