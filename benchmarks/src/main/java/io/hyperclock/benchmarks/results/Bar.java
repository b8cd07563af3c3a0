/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The aims for speed: which benchmarks show them and which ratios they ask for. */
public enum Bar {
  /** Reads without a pin. */
  B1("Reads without a pin", "GetBenchmark"),
  /** Reads of keys that are not there. */
  ABSENT("Reads of absent keys", "AbsentBenchmark"),
  /** Reads with a pin. */
  B2("Reads with a pin", "PinBenchmark"),
  /** One key read by all threads. */
  B3("One hot key", "(Get|Pin)Benchmark"),
  /** Inserts into a full cache. */
  B4("Inserts that evict", "(Insert|GetOrInsert)Benchmark"),
  /** The set-ups of Caffeine's own benchmarks. */
  B5("Set-ups of Caffeine's benchmarks", "(GetPut|HotEntry|Eviction)Benchmark"),
  /** Reads of ever larger caches. */
  B9("Growth", "GrowthBenchmark"),
  /** Reads of many keys in one call. */
  B10("Reads of 32 keys", "GetAllBenchmark"),
  /** Inserts where nearly everything is pinned. */
  B11("Inserts while 95 % is pinned", "PinnedInsertBenchmark"),
  /** First hits in a compressed tier. */
  B12("First hits from the compressed tier", "TierBenchmark"),
  /** Hits on disk, many together and one by one. */
  B12_DISK("Blocks of 16 KiB from the disk tier", "DiskTierBenchmark"),
  /** Evictions above a tier to which nothing moves. */
  B12_EVICT("Evictions of which nothing moves", "TierEvictionBenchmark"),
  /** Hits on a server, many together. */
  B12_REDIS("32 keys from Redis together", "RemoteTierBenchmark"),
  /** Reads of values freed explicitly, without a pin. */
  B15("16 reads in a scope", "ScopeBenchmark"),
  LOAD("Reads with a loader", "LoadBenchmark"),
  /** Reads of values off the heap. */
  OFF_HEAP_VALUES("Reads of values off the heap", "OffHeapValueBenchmark"),
  /** Reads where keys have two versions. */
  VERSIONED("Reads of keys with two versions", "VersionedGetBenchmark"),
  /** The benchmarks that were made for two versions in a chained table. */
  CHAINED("Two versions beside chained tables", "(Find|Mutate)Benchmark");

  private static final int SMALL = 1 << 16;
  private static final int LARGE = 10 << 20;
  private static final String ONE_KEY = "ONE_KEY";

  private final String title;
  private final String classes;

  Bar(String title, String classes) {
    this.title = title;
    this.classes = classes;
  }

  /**
   * Whether a bar has a name.
   *
   * @param name any text, in upper or lower case
   * @return true if {@link #named} knows it
   */
  public static boolean isName(String name) {
    return Arrays.stream(values()).anyMatch(bar -> bar.shortName().equalsIgnoreCase(name));
  }

  /**
   * Names of all bars.
   *
   * @return names in lower case, with commas
   */
  public static String names() {
    return Arrays.stream(values()).map(Bar::shortName).collect(Collectors.joining(", "));
  }

  private String shortName() {
    return toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return name().replace('_', '-');
  }

  /**
   * A bar by its name.
   *
   * @param name in upper or lower case
   * @return the bar
   */
  public static Bar named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /**
   * What it is about.
   *
   * @return a title
   */
  String title() {
    return title;
  }

  /**
   * Which benchmarks show it.
   *
   * @return a regular expression for JMH
   */
  public String benchmarks() {
    return "\\." + classes + "\\.";
  }

  /**
   * Which benchmarks show it with a number of threads.
   *
   * @param last whether it is the last of several numbers: some bring their own
   * @return a regular expression for JMH
   */
  public String benchmarks(boolean last) {
    return this == B5 && !last ? "\\.(HotEntry|Eviction)Benchmark\\." : benchmarks();
  }

  /**
   * Which of these run the code under test.
   *
   * @param last as in {@link #benchmarks(boolean)}
   * @return a regular expression for JMH
   */
  public String underTest(boolean last) {
    return benchmarks(last) + "hyperclock";
  }

  /**
   * Whether it can be measured with two jars of the code under test side by side.
   *
   * @return false if its benchmarks do not tell ours apart by the names of their methods
   */
  public boolean comparesJars() {
    return this != CHAINED;
  }

  /**
   * Whether only one key is read.
   *
   * @return true for {@link #B3}
   */
  public boolean oneKey() {
    return this == B3;
  }

  /**
   * Values of parameters with which its benchmarks are run, where that is not all of them.
   *
   * @return values by the names of the parameters
   */
  public Map<String, List<String>> settings() {
    return this == CHAINED
        ? Map.of("preparedPercent", List.of("50"), "hitPercent", List.of("100"))
        : Map.of();
  }

  /**
   * Whether its benchmarks read keys of a distribution that can be chosen.
   *
   * @return true for {@link #B1}, {@link #B2} and {@link #ABSENT}
   */
  public boolean reads() {
    return this == B1 || this == B2 || this == ABSENT;
  }

  /**
   * Whether it is about reads that miss the processor's caches.
   *
   * @return true for {@link #B9} and {@link #B10}
   */
  public boolean uniform() {
    return this == B9 || this == B10;
  }

  /**
   * Sizes that show it.
   *
   * @param chosen sizes to choose from, or empty for its own
   * @return entries cached
   */
  public int[] sizes(int... chosen) {
    boolean oneSize = this == B3 || this == B5 || this == CHAINED;
    if (chosen.length > 0) {
      return oneSize ? Arrays.copyOf(chosen, 1) : chosen;
    }
    return switch (this) {
      case B1, ABSENT, B2, B4 -> new int[] {SMALL, 1 << 20, LARGE};
      case B3, B5, B11, B15, LOAD, OFF_HEAP_VALUES, VERSIONED -> new int[] {SMALL};
      case B12, B12_DISK, B12_EVICT, B12_REDIS -> new int[] {4096};
      case CHAINED -> new int[] {100_000};
      case B9 -> new int[] {10_000, 100_000, 1_000_000, 10_000_000};
      case B10 -> new int[] {LARGE};
    };
  }

  /**
   * Whether a measurement belongs to it.
   *
   * @param id what was measured
   * @return true if so
   */
  boolean includes(BenchmarkMeasurement.Id id) {
    return id.benchmark().matches(classes + "\\..*")
        && id.param("distribution").equals(ONE_KEY) == oneKey();
  }

  /**
   * What it asks for.
   *
   * @param ours what was measured, of ours
   * @return comparisons, empty for a rival's measurement
   */
  List<Claim> claims(BenchmarkMeasurement.Id ours) {
    if (!includes(ours)) {
      return List.of();
    }
    return ours.benchmark().contains(".hyperclock")
        ? Claim.of(ours, oneKey())
        : Claim.ofAutomatic(ours);
  }
}
