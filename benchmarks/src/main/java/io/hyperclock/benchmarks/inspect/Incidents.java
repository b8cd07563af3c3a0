/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Events of one kind: how many, and the greatest of them. */
final class Incidents {
  private static final int KEPT = 10;

  /**
   * One of them.
   *
   * @param size what they are ordered by
   * @param text what is shown
   */
  record Incident(long size, String text) {}

  private final List<Incident> greatest = new ArrayList<>();
  private long count;

  void add(long size, String text) {
    count++;
    greatest.add(new Incident(size, text));
    if (greatest.size() > KEPT) {
      greatest.sort(Comparator.comparingLong(Incident::size).reversed());
      greatest.remove(KEPT);
    }
  }

  /** Counts it, but keeps it only if nothing alike is kept. */
  void addOnce(long size, String text) {
    if (greatest.stream().anyMatch(kept -> kept.text().equals(text))) {
      count++;
    } else {
      add(size, text);
    }
  }

  long count() {
    return count;
  }

  List<Incident> greatest() {
    return greatest.stream().sorted(Comparator.comparingLong(Incident::size).reversed()).toList();
  }
}
