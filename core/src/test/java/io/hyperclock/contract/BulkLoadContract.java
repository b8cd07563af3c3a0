/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Contracts of bulk loads: what the loader was asked for. */
@Tag("loading")
abstract class BulkLoadContract extends CacheContract {
  /** Keys of each call of the loader. */
  final List<List<Long>> calls = new ArrayList<>();

  BulkLoadContract(Variant variant) {
    super(variant);
  }

  static long[] keys(long... los) {
    long[] keys = new long[2 * los.length];
    for (int i = 0; i < los.length; i++) {
      keys[2 * i] = HI;
      keys[2 * i + 1] = los[i];
    }
    return keys;
  }

  void load(long[] keys, @Nullable Object[] values) {
    List<Long> los = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      assertThat(keys[2 * i]).isEqualTo(HI);
      assertThat(values[i]).isNull();
      long lo = keys[2 * i + 1];
      los.add(lo);
      values[i] = lo < 0 ? null : text(lo);
    }
    assertThat(keys).hasSize(2 * values.length);
    synchronized (calls) {
      calls.add(los);
    }
  }
}
