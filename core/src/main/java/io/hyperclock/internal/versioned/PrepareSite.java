/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.versioned;

/**
 * Where a prepared version lies, and where its verdict is written down.
 *
 * @param <P> prepared versions
 */
interface PrepareSite<P> {
  /** Makes reads of its key look at a pending version. */
  void divertReads(P prepare);

  /** Writes a verdict into the slot; called once, by who gave the verdict. */
  void apply(P prepare, int verdict);
}
