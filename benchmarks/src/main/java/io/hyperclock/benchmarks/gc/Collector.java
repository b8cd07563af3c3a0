/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.gc;

import java.util.ArrayList;
import java.util.List;

/** Collectors of the running JDK, with the flags that choose them. */
public enum Collector {
  /** Full collections stop the world; marking is measured in a second JVM. */
  G1("G1", "-XX:+UseG1GC"),
  /** Concurrent; generational wherever the JDK can. */
  ZGC("ZGC", "-XX:+UseZGC"),
  /** Stops the world, never concurrent. */
  PARALLEL("Parallel", "-XX:+UseParallelGC");

  private static final int FIRST_GENERATIONAL_ZGC = 21;
  private static final int FIRST_GENERATIONAL_BY_DEFAULT = 23;

  private final String title;
  private final String flag;

  Collector(String title, String flag) {
    this.title = title;
    this.flag = flag;
  }

  /**
   * Name for tables.
   *
   * @return the usual one
   */
  public String title() {
    return title;
  }

  /** Whether a full collection is a concurrent cycle too. */
  boolean isConcurrent() {
    return this == ZGC;
  }

  /** Whether a second JVM must be asked for the time of concurrent marking. */
  boolean marksApart() {
    return this == G1;
  }

  /**
   * Flags for a JVM.
   *
   * @param jdk feature release of the JDK
   * @param marking whether explicit collections should be concurrent
   */
  List<String> flags(int jdk, boolean marking) {
    List<String> flags = new ArrayList<>(List.of(flag));
    if (this == ZGC) {
      flags.add("-XX:-ZProactive");
      if (jdk >= FIRST_GENERATIONAL_ZGC && jdk < FIRST_GENERATIONAL_BY_DEFAULT) {
        flags.add("-XX:+ZGenerational");
      }
    }
    if (this == G1 && marking) {
      flags.add("-XX:+ExplicitGCInvokesConcurrent");
    }
    return flags;
  }
}
