/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.HashSeed;
import io.hyperclock.MetadataCharge;
import io.hyperclock.ReplacementPolicy;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lines that an insert takes over from another thread, besides those of slots and tags: what keeps
 * inserts from scaling. Threads take turns, so that the counts are the same each time, and each
 * line that can be another's is.
 */
class SharedLinesTest {
  private static final int ENTRIES = 1 << 16;
  private static final int TURNOVERS = 2;
  private static final int MEASURED = 2048;
  private static final int TURN = 256;
  private static final Object VALUE = new Object();

  @ParameterizedTest(name = "{0}, {1} threads")
  @CsvSource({
    "ADAPTIVE, 2, 0, 0.25",
    "ADAPTIVE, 8, 0, 0.25",
    "ADAPTIVE, 64, 0, 0.25",
    // Its one hand, moved by four slots at a time: also shows that the lines are counted.
    "CLASSIC, 2, 0.5, 2",
    "CLASSIC, 64, 0.5, 2",
  })
  void insertsThatEvict(ReplacementPolicy policy, int threads, double least, double most)
      throws Exception {
    BlockCache<Object> cache =
        BlockCache.<Object>builder()
            .capacityBytes(ENTRIES)
            .estimatedEntryCharge(1)
            .metadataCharge(MetadataCharge.NONE)
            .replacementPolicy(policy)
            .hashSeed(HashSeed.fixed(1))
            .shards(1)
            .build();
    ExecutorService[] crew = crew(threads);
    long[] key = {0};
    for (int turn = 0; turn < (1 + TURNOVERS) * ENTRIES / TURN; turn++) {
      run(
          crew[turn % threads],
          () -> {
            for (int i = 0; i < TURN; i++) {
              cache.insert(0, key[0]++, VALUE, 1);
            }
          });
    }
    SharedLines lines = new SharedLines(cache);
    for (int insert = 0; insert < 2 * MEASURED; insert++) {
      if (insert == MEASURED) {
        lines.reset();
      }
      ExecutorService thread = crew[insert % threads];
      run(thread, () -> cache.insert(0, key[0]++, VALUE, 1));
      lines.changedBy(thread);
    }
    assertThat(lines.total() / (double) MEASURED)
        .as("%s", lines.counts())
        .isGreaterThan(least)
        .isLessThanOrEqualTo(most);
    assertThat(cache.monitor().problems()).isEmpty();
    for (ExecutorService thread : crew) {
      thread.shutdown();
    }
    cache.close();
  }

  /** Threads with numbers in a row, which share no request. */
  private static ExecutorService[] crew(int threads) throws Exception {
    ExecutorService[] crew = new ExecutorService[threads];
    long[] numbers = new long[threads];
    while (true) {
      for (int i = 0; i < threads; i++) {
        int place = i;
        crew[i] = Executors.newSingleThreadExecutor();
        run(crew[i], () -> numbers[place] = Thread.currentThread().getId());
      }
      if (numbers[threads - 1] - numbers[0] == threads - 1) {
        return crew;
      }
      Stream.of(crew).forEach(ExecutorService::shutdown);
    }
  }

  private static void run(ExecutorService thread, Runnable task) throws Exception {
    thread.submit(task).get(60, TimeUnit.SECONDS);
  }
}
