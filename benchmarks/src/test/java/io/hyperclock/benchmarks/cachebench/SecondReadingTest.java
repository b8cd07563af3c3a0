/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.cachebench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperclock.benchmarks.cachebench.ReferenceRun.Expected;
import io.hyperclock.benchmarks.cachebench.ReferenceRun.NewcomerDroppedException;
import io.hyperclock.benchmarks.cachebench.ReferenceRun.Setup;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The model against RocksDB's rules and workload written down a second time. */
final class SecondReadingTest {
  private static final int OPERATIONS = 20_000;

  @Test
  void modelAgreesWithASecondReadingOfTheRules() throws Exception {
    long randomSeed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(randomSeed);
    for (int i = 0; i < 25; i++) {
      agrees(setup(random), random.nextBoolean(), "randomSeed=" + randomSeed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1092, 351994,  18,   48, 75, 0.3437168016357242, 8, 0.9588748876529102, 0.0885080836832407,"
        + " -1",
    "  25, 145700, 675, 2021, 30, 0.736662500422823,  5, 0,                  0.9171362295194856,  2"
  })
  void endsWhereTheRulesDropANewcomer(
      long seed,
      long cacheSize,
      int valueBytes,
      long estimate,
      int effortCap,
      double residentRatio,
      int skew,
      double pinnedRatio,
      double compressibleToRatio,
      int shardBits) {
    Setup setup =
        new Setup(
            seed,
            cacheSize,
            valueBytes,
            estimate,
            effortCap,
            residentRatio,
            skew,
            pinnedRatio,
            compressibleToRatio,
            shardBits,
            List.of(39, 27, 16, 13, 5),
            OPERATIONS);
    NewcomerDroppedException dropped =
        catchThrowableOfType(NewcomerDroppedException.class, () -> ReferenceRun.of(setup));
    endsWith(dropped, args(setup, true), "fixed");
  }

  /**
   * The first entry is larger than the usage, or as large: whether the hand moves is the question.
   */
  @ParameterizedTest
  @ValueSource(ints = {511, 512, 513, 600})
  void firstEntryOfATinyCache(int valueBytes) throws Exception {
    List<Integer> mix = List.of(60, 20, 10, 8, 2);
    for (long seed = 1; seed <= 10; seed++) {
      Setup setup = new Setup(seed, 600, valueBytes, 50, 30, 0.05, 2, 5, 0, 0, mix, 200);
      agrees(setup, true, "seed=" + seed);
    }
  }

  private static void endsWith(NewcomerDroppedException dropped, String args, String description) {
    assertThat(catchThrowable(() -> Bench.run(args)))
        .as("%s: %s", description, args)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(dropped.getMessage());
  }

  private static void agrees(Setup setup, boolean storesValues, String description)
      throws Exception {
    String args = args(setup, storesValues);
    Expected expected;
    try {
      expected = ReferenceRun.of(setup);
    } catch (NewcomerDroppedException e) {
      endsWith(e, args, description);
      return;
    }
    Outcome outcome = Bench.run(args);
    assertThat(
            new Expected(
                outcome.populated(),
                outcome.lookups(),
                outcome.hits(),
                outcome.pinned(),
                outcome.occupancy(),
                outcome.slots()))
        .as("%s: %s", description, args)
        .isEqualTo(expected);
  }

  private static String args(Setup setup, boolean storesValues) {
    return String.format(
        Locale.ROOT,
        "--cache=parity --threads=1 --histograms=false --seed=%d --cache_size=%d"
            + " --value_bytes=%d --value_bytes_estimate=%d --eviction_effort_cap=%d"
            + " --resident_ratio=%s --skew=%d --pinned_ratio=%s --compressible_to_ratio=%s"
            + " --num_shard_bits=%d --lookup_insert_percent=%d --insert_percent=%d"
            + " --blind_insert_percent=%d --lookup_percent=%d --erase_percent=%d"
            + " --ops_per_thread=%d --store_values=%s",
        setup.seed(),
        setup.cacheSize(),
        setup.valueBytes(),
        setup.valueBytesEstimate(),
        setup.evictionEffortCap(),
        setup.residentRatio(),
        setup.skew(),
        setup.pinnedRatio(),
        setup.compressibleToRatio(),
        setup.shardBits(),
        setup.percentages().get(0),
        setup.percentages().get(1),
        setup.percentages().get(2),
        setup.percentages().get(3),
        setup.percentages().get(4),
        setup.operations(),
        storesValues);
  }

  private static Setup setup(SplittableRandom random) {
    int valueBytes = 1 + (int) Math.pow(2, random.nextDouble(4, 14));
    long entries = (long) Math.pow(2, random.nextDouble(5, 13));
    int[] percentages = new int[5];
    for (int i = 0; i < 100; i++) {
      percentages[Math.min(random.nextInt(5), random.nextInt(5))]++;
    }
    return new Setup(
        random.nextLong(1, 1L << random.nextInt(1, 33)),
        entries * (valueBytes + 100),
        valueBytes,
        (long) (valueBytes * Math.max(1, random.nextDouble(0, 3))),
        random.nextBoolean() ? 30 : random.nextInt(1, 200),
        random.nextDouble(0.05, 1),
        random.nextInt(0, 9),
        random.nextInt(4) == 0 ? 0 : random.nextDouble(0, 1.3),
        random.nextDouble(),
        random.nextInt(-1, 4),
        Arrays.stream(percentages).boxed().toList(),
        OPERATIONS);
  }
}
