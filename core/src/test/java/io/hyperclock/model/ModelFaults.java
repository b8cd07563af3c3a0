/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.model;

/** When a fake does wrong: every third time it could. */
final class ModelFaults {
  private static final int EVERY = 3;

  private final Fault fault;
  private int chances;

  ModelFaults(Fault fault) {
    this.fault = fault;
  }

  /** Whether to do wrong, in this way, this time. */
  synchronized boolean strikes(Fault which) {
    return fault == which && ++chances % EVERY == 0;
  }
}
