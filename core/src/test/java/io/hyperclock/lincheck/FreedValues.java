/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.lincheck;

import io.hyperclock.entry.EntryType;
import java.util.concurrent.atomic.AtomicInteger;

/** Values freed explicitly that notice a read after they were freed, and a second free. */
final class FreedValues {
  static final class Value {
    final int number;
    final AtomicInteger disposals = new AtomicInteger();

    Value(int number) {
      this.number = number;
    }

    /** Its number, or a number that no map would answer with. */
    int read() {
      return disposals.get() == 0 ? number : -1;
    }
  }

  final EntryType<Value> type =
      EntryType.<Value>named("freed").disposer((hi, lo, value) -> dispose(value)).build();

  private final AtomicInteger doubleFrees = new AtomicInteger();

  private void dispose(Value value) {
    if (value.disposals.incrementAndGet() > 1) {
      doubleFrees.incrementAndGet();
    }
  }

  void requireFreedOnce() {
    if (doubleFrees.get() > 0) {
      throw new AssertionError("freed twice: doubleFrees=" + doubleFrees);
    }
  }
}
