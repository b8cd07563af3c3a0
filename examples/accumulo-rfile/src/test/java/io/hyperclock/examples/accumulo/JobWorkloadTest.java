/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.examples.accumulo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobWorkloadTest {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final long BUDGET_BYTES = 256 << 10;
  private static final int LOOKUPS = 1_500;

  @TempDir private static Path directory;
  private static Map<String, Path> classFiles;
  private static ClassTable table;

  @BeforeAll
  static void makeTable() throws IOException {
    classFiles = ClassTable.classFiles("/modules/java.management");
    table = ClassTable.open(directory, BLOCK_BYTES, classFiles);
  }

  @ParameterizedTest
  @EnumSource(CacheChoice.class)
  void readsEveryClassAsItIs(CacheChoice choice) throws IOException {
    try (Caches caches = new Caches(choice, BUDGET_BYTES, BLOCK_BYTES);
        ClassReader reader = new ClassReader(table.file(), caches.provider())) {
      for (int pass = 0; pass < 2; pass++) {
        for (Map.Entry<String, Path> entry : classFiles.entrySet()) {
          assertThat(reader.read(entry.getKey()))
              .as(entry.getKey())
              .isEqualTo(Files.readAllBytes(entry.getValue()));
        }
      }
      assertThat(reader.read("java/lang/Object")).isNull();
      assertThat(reader.read("zzz")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(CacheChoice.class)
  void findsTheSameWithEveryCache(CacheChoice choice) throws IOException {
    Measurement measurement = measure(choice, 2);

    assertThat(measurement.findings()).isEqualTo(measure(CacheChoice.NONE, 2).findings());
    assertThat(measurement.findings().lookups()).isEqualTo(LOOKUPS);
    assertThat(measurement.findings().found()).isPositive();
    if (choice.cachesData()) {
      assertThat(measurement.hits()).isBetween(1L, measurement.requests() - 1);
      assertThat(measurement.cachedBytes()).isPositive();
    }
    if (choice == CacheChoice.HYPER_CLOCK) {
      assertThat(measurement.cachedBytes()).isBetween(BUDGET_BYTES / 2, BUDGET_BYTES);
    }
  }

  @Test
  void measuresInAProcessOfItsOwn() throws Exception {
    CacheProcess process =
        new CacheProcess(
            table,
            BLOCK_BYTES,
            2,
            LOOKUPS,
            1,
            0,
            new Progress(new PrintStream(OutputStream.nullOutputStream())));

    List<Measurement> measurements =
        process.run(CacheChoice.HYPER_CLOCK, List.of(BUDGET_BYTES, 2 * BUDGET_BYTES));

    assertThat(measurements)
        .extracting(Measurement::budgetBytes)
        .containsExactly(BUDGET_BYTES, 2 * BUDGET_BYTES);
    assertThat(measurements)
        .extracting(Measurement::findings)
        .containsOnly(measure(CacheChoice.LRU, 2).findings());
  }

  /** Each miss waits, with a cache or without; what is read is the same. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "HYPER_CLOCK", "HYPER_CLOCK_AUTO"})
  void missesOnSlowStorageTakeTime(CacheChoice choice) throws IOException {
    long delayNanos = Duration.ofMillis(2).toNanos();
    int lookups = 100;
    Measurement slow;
    try (Caches caches = new Caches(choice, BUDGET_BYTES, BLOCK_BYTES, delayNanos)) {
      slow = new JobWorkload(table, 1, 1, lookups, 1).run(caches, BUDGET_BYTES);
    }
    Measurement fast;
    try (Caches caches = new Caches(choice, BUDGET_BYTES, BLOCK_BYTES)) {
      fast = new JobWorkload(table, 1, 1, lookups, 1).run(caches, BUDGET_BYTES);
    }
    // Without a cache a lookup in the block of the one before reads nothing.
    long misses = choice.cachesData() ? slow.requests() - slow.hits() : lookups / 2;
    double seconds = lookups / slow.lookupsPerSecond();
    assertThat(misses).isPositive();
    assertThat(seconds).isGreaterThanOrEqualTo(misses * delayNanos / 1e9);
    assertThat(slow.findings()).isEqualTo(fast.findings());
  }

  @Test
  void tableIsBuiltOnceAndRemembered() throws IOException {
    long written = Files.getLastModifiedTime(table.file()).toMillis();

    assertThat(ClassTable.open(directory, BLOCK_BYTES, classFiles)).isEqualTo(table);
    assertThat(Files.getLastModifiedTime(table.file()).toMillis()).isEqualTo(written);
    assertThat(table.classes()).hasSameSizeAs(classFiles.keySet()).isSorted();
    assertThat(table.blocks()).doesNotHaveDuplicates().hasSizeGreaterThan(30);
  }

  private static Measurement measure(CacheChoice choice, int threads) throws IOException {
    try (Caches caches = new Caches(choice, BUDGET_BYTES, BLOCK_BYTES)) {
      return new JobWorkload(table, threads, LOOKUPS / 2, LOOKUPS, 1).run(caches, BUDGET_BYTES);
    }
  }
}
