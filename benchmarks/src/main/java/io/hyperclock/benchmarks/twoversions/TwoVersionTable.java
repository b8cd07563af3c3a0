/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.benchmarks.twoversions;

import org.jspecify.annotations.Nullable;

/** A table with committed and prepared values of keys that have numbers. */
interface TwoVersionTable {
  @Nullable Object findForRead(int number);

  @Nullable Object findForWrite(int number);

  void put(int number, Object value);

  void prepare(int number, Object value);

  void delete(int number);
}
