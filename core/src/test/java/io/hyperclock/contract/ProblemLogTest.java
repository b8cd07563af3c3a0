/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperclock.BlockCache;
import io.hyperclock.stats.Problem;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Problems that cost something are logged, however often they are asked for. */
class ProblemLogTest {
  private final Logger logger = Logger.getLogger("io.hyperclock");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  private static BlockCache<String> full(long estimated) {
    BlockCache<String> cache =
        BlockCache.<String>builder().capacityBytes(1 << 20).estimatedEntryCharge(estimated).build();
    for (long key = 0; key < 20_000; key++) {
      cache.insert(1, key, "v", 256);
    }
    return cache;
  }

  @Test
  void isLoggedTheFirstSecondFourthTime() {
    try (BlockCache<String> cache = full(8192)) {
      List<Problem> problems = cache.monitor().problems();
      assertThat(problems).hasSize(1);
      assertThat(problems.get(0).severity()).isNotEqualTo(Problem.Severity.INFO);
      assertThat(lines).hasSize(1);
      assertThat(lines.get(0))
          .startsWith("WARNING a setting costs capacity or speed: ")
          .contains(problems.get(0).severity() + " " + problems.get(0).message())
          .endsWith("count=1");
      for (int more = 0; more < 6; more++) {
        cache.monitor().problems();
      }
      assertThat(lines).hasSize(3).last().asString().endsWith("count=4");
    }
  }

  @Test
  void nothingIsLoggedWhereAllIsWell() {
    try (BlockCache<String> cache = full(256)) {
      assertThat(cache.monitor().problems()).isEmpty();
      assertThat(lines).isEmpty();
    }
  }
}
