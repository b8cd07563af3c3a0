/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The aims for speed: which benchmarks show them and which ratios they ask for. */
public enum Bar {
  /** Reads without a pin. */
  B1("Reads without a pin", "GetBenchmark"),
  /** Reads with a pin. */
  B2("Reads with a pin", "PinBenchmark"),
  /** One key read by all threads. */
  B3("One hot key", "(Get|Pin)Benchmark"),
  /** Inserts into a full cache. */
  B4("Inserts that evict", "InsertBenchmark");

  /** Least ratio of a comparison that is shown without an aim. */
  static final double NO_AIM = 0;

  private static final long SMALL = 65536;
  private static final String ONE_KEY = "ONE_KEY";

  private final String title;
  private final String classes;

  Bar(String title, String classes) {
    this.title = title;
    this.classes = classes;
  }

  /**
   * A comparison with a rival.
   *
   * @param ours what we measured
   * @param rival the rival's benchmark
   * @param atLeast ratio to reach, or {@link #NO_AIM}
   */
  record Claim(Measurement.Id ours, String rival, double atLeast) {}

  /**
   * Whether a bar has a name.
   *
   * @param name any text, in upper or lower case
   * @return true if {@link #named} knows it
   */
  public static boolean isName(String name) {
    return Arrays.stream(values()).anyMatch(bar -> bar.name().equalsIgnoreCase(name));
  }

  /**
   * A bar by its name.
   *
   * @param name in upper or lower case
   * @return the bar
   */
  public static Bar named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
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
   * Whether one size shows it and only one key is read.
   *
   * @return true for {@link #B3}
   */
  public boolean oneKey() {
    return this == B3;
  }

  /**
   * Whether its benchmarks read keys of a distribution.
   *
   * @return false for {@link #B4}
   */
  public boolean reads() {
    return this != B4;
  }

  /**
   * Whether a measurement belongs to it.
   *
   * @param id what was measured
   * @return true if so
   */
  boolean includes(Measurement.Id id) {
    return id.benchmark().matches(classes + "\\..*")
        && id.param("distribution").equals(ONE_KEY) == oneKey();
  }

  /**
   * What it asks for.
   *
   * @param ours what was measured, of ours
   * @return comparisons, empty for a rival's measurement
   */
  List<Claim> claims(Measurement.Id ours) {
    List<Claim> claims = new ArrayList<>();
    if (includes(ours) && ours.benchmark().contains(".hyperclock")) {
      boolean one = ours.threads() == 1;
      boolean small = ours.param("size").equals(String.valueOf(SMALL));
      switch (ours.benchmark().substring(0, ours.benchmark().indexOf('.'))) {
        case "GetBenchmark" -> {
          double rate = small ? (one ? 1.8 : 1.4) : one ? 1.4 : 1.25;
          claims.add(new Claim(ours, "GetBenchmark.caffeine", oneKey() ? 1.0 : rate));
          claims.add(new Claim(ours, "GetBenchmark.caffeineNewKey", oneKey() ? NO_AIM : rate));
          claims.add(new Claim(ours, "GetBenchmark.concurrentHashMap", oneKey() ? NO_AIM : 1.0));
        }
        case "PinBenchmark" -> {
          claims.add(new Claim(ours, "PinBenchmark.caffeineCounted", oneKey() ? NO_AIM : 1.8));
          claims.add(
              new Claim(ours, "PinBenchmark.computeIfPresentCounted", oneKey() ? NO_AIM : 1.8));
          claims.add(new Claim(ours, "PinBenchmark.caffeine", oneKey() ? NO_AIM : 1.0));
        }
        default -> claims.add(new Claim(ours, "InsertBenchmark.caffeine", 2.0));
      }
    }
    return claims;
  }
}
