/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ChangedPagesTest {
  private static final int PAGE = 512;
  private static final int NUMBERS = 200;

  private static byte[] page(int version) {
    return ByteBuffer.allocate(PAGE).putInt(version).array();
  }

  private static int version(byte[] page) {
    return page == null ? 0 : ByteBuffer.wrap(page).getInt();
  }

  /** More pages wait to be written than the cache has space for. */
  @Test
  void readsFindTheNewestPageBeforeItIsWritten() {
    try (ChangedPages pages = new ChangedPages(20L * PAGE)) {
      assertThat(pages.read(0)).isNull();
      for (int version = 1; version <= 5; version++) {
        for (int number = 0; number < NUMBERS; number++) {
          pages.replace(number, page(version));
          assertThat(version(pages.read(number))).isEqualTo(version);
          if (number % 50 == 0) {
            pages.flush();
          }
        }
        for (int number = 0; number < NUMBERS; number++) {
          assertThat(version(pages.read(number))).isEqualTo(version);
        }
      }
    }
  }

  @Test
  void pagesDoNotGoBackForReaders() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicBoolean ended = new AtomicBoolean();
    try (ChangedPages pages = new ChangedPages(50L * PAGE)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        SplittableRandom random = new SplittableRandom(reader);
        readers.add(
            threads.submit(
                () -> {
                  int[] seen = new int[NUMBERS];
                  while (!ended.get()) {
                    int number = random.nextInt(NUMBERS);
                    int version = version(pages.read(number));
                    assertThat(version).isGreaterThanOrEqualTo(seen[number]);
                    seen[number] = version;
                  }
                }));
      }
      Future<?> flushes =
          threads.submit(
              () -> {
                while (!ended.get()) {
                  pages.flush();
                  Thread.yield();
                }
              });
      for (int version = 1; version <= 100; version++) {
        for (int number = 0; number < NUMBERS; number++) {
          pages.replace(number, page(version));
        }
      }
      ended.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
      flushes.get();
    } finally {
      ended.set(true);
      threads.shutdown();
    }
  }
}
