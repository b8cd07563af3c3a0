/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.stress;

/** Keys whose probe paths begin alike in every cache of {@link Block#cache}. */
final class Keys {
  static final long SEED = 0;

  static final long A = 1;
  static final long B = 2;
  static final long C = 3;
  static final long D = 4;
  static final long E = 5;

  private Keys() {}
}
