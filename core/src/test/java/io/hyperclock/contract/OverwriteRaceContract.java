/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import io.hyperclock.entry.EntryType;

/** Contracts of overwrites by several threads: their values tell who wrote them. */
abstract class OverwriteRaceContract extends CacheContract {
  static final int THREADS = 4;
  static final int KEYS = 3;

  /** A value that the collector owns: who wrote it, and as which of its writes. */
  record Written(int epoch, int number) {}

  static final EntryType<Written> WRITTEN = EntryType.of("written");

  OverwriteRaceContract(Variant variant) {
    super(variant);
  }

  static void require(boolean holds, String rule, Object... values) {
    if (!holds) {
      throw new AssertionError(rule + ": " + java.util.Arrays.toString(values));
    }
  }
}
